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
            for (tag, value) in entry.named(max: Language.allCases.count) {
                guard let language = language(tag, value) else { continue }
                let variants = variants(of: value)
                if !variants.isEmpty { texts[key, default: [:]][language] = variants }
            }
        }
        return PackTexts(texts, named: languages)
    }

    /// The languages that a pack names.
    static func languages(of node: Node) -> [Language] {
        var languages: [Language] = []
        for entry in node.list(max: Language.allCases.count) {
            guard let tag = entry.text(), let language = language(tag, entry) else { continue }
            if languages.contains(language) {
                entry.fault("\"\(tag)\" occurs twice; keep one")
            } else {
                languages.append(language)
            }
        }
        return languages
    }

    private static func language(_ tag: String, _ node: Node) -> Language? {
        let language = Language(rawValue: tag)
        if language == nil {
            let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
            node.fault("there is no language \"\(tag)\"; known are \(known)")
        }
        return language
    }

    /// One text, or a list of variants.
    private static func variants(of node: Node) -> [Wording] {
        guard case .array(let values) = node.value else {
            return wording(of: node).map { [$0] } ?? []
        }
        if values.isEmpty { node.fault("it is empty; give 1 to \(Telling.variantsMax) texts") }
        return node.list(max: Telling.variantsMax).compactMap(wording)
    }

    /// A text, or an object of plural forms.
    private static func wording(of node: Node) -> Wording? {
        guard case .object = node.value else { return text(of: node).map(Wording.plain) }
        var forms: [PluralCategory: String] = [:]
        for (name, form) in node.named(max: PluralCategory.allCases.count) {
            guard let category = PluralCategory(rawValue: name) else {
                let known = PluralCategory.allCases.map(\.rawValue).joined(separator: ", ")
                form.fault("there is no plural form \"\(name)\"; there are \(known)")
                continue
            }
            forms[category] = text(of: form)
        }
        return .plural(forms)
    }

    private static func text(of node: Node) -> String? {
        guard let text = node.text() else { return nil }
        guard (1...textBytesMax).contains(text.utf8.count) else {
            node.fault("it must have 1 to \(textBytesMax) bytes")
            return nil
        }
        if let fault = DisplayedText.fault(in: text) { node.fault("it \(fault)") }
        return text
    }
}
