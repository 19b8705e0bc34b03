internal import GameLogic
internal import JSONReader
internal import PushPolicy
internal import UnicodeText

/// Reads texts: of each key, the variants of each language.
enum TextReader {
    static let textsMax = 400
    static let textBytesMax = 1024

    static func texts(of node: Node, named languages: [Language]? = nil) -> PackTexts {
        var texts: [String: [Language: [Wording]]] = [:]
        for (key, entry) in node.named(max: textsMax) {
            for (language, value) in entry.named("language", of: Language.self) {
                let variants = value.oneOrMore(max: Telling.variantsMax).compactMap(wording)
                if !variants.isEmpty { texts[key, default: [:]][language] = variants }
            }
        }
        return PackTexts(texts, named: languages)
    }

    /// The languages that a pack names.
    static func languages(of node: Node) -> [Language] {
        var languages: [Language] = []
        for entry in node.list(in: 0...Language.allCases.count) {
            guard let language = entry.choice("language", of: Language.self) else { continue }
            if languages.contains(language) {
                entry.fault("\"\(language.rawValue)\" occurs twice; keep one")
            } else {
                languages.append(language)
            }
        }
        return languages
    }

    private static func wording(of node: Node) -> Wording? {
        node.read(
            { text(of: $0).map(Wording.plain) },
            orObject: { object in
                var forms: [PluralCategory: String] = [:]
                for (category, form) in object.named("plural form", of: PluralCategory.self) {
                    forms[category] = text(of: form)
                }
                return .plural(forms)
            })
    }

    private static func text(of node: Node) -> String? {
        guard let text = node.text(bytes: 1...textBytesMax) else { return nil }
        if let fault = DisplayedText.fault(in: text) { node.fault("it \(fault)") }
        return text
    }
}
