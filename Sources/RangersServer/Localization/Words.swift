internal import Content
internal import GameLogic
package import PushPolicy
internal import UnicodeText

/// Renders localizable texts in a language.
package struct Words: Sendable {
    /// What phones word themselves.
    private let sentences: [Language: [String: Sentence]]
    /// What stories say.
    let packs = PackWords()

    package init(_ catalog: StringCatalog) throws(StringCatalogError) {
        var sentences: [Language: [String: Sentence]] = [:]
        for language in Language.allCases {
            for key in catalog.keys {
                guard let wording = catalog.wording(for: key, in: language) else { continue }
                do {
                    sentences[language, default: [:]][key] = try Sentence(wording)
                } catch {
                    throw .badText(key: key, language: language, error)
                }
            }
        }
        self.sentences = sentences
    }

    private init(_ words: Words) { sentences = words.sentences }

    /// Returns the words of the catalog that is built into the program, with words of packs of
    /// their own.
    package static func embedded() throws(StringCatalogError) -> Words {
        Words(try read.get())
    }

    /// Read once a process.
    private static let read = Result { () throws(StringCatalogError) in
        try Words(StringCatalog.embedded())
    }

    /// Returns the text in the language, or in English if that is missing, or else its key. The
    /// telling chooses the variant, and a count the plural form. Every language of the catalog runs
    /// from left to right; names of others are isolated.
    package func text(_ text: LocalizableText, in language: Language) -> String {
        var count: Int?
        let arguments = text.arguments.map { argument in
            switch argument {
            case .name(let name): return name.isolated
            case .message(let message): return message.text(in: language.rawValue)
            case .count(let number):
                count = number
                return "\(number)"
            }
        }
        for language in [language, .english] {
            guard let variants = variants(of: text.key, in: language) else { continue }
            let variant = variants[text.telling.variant(of: variants.count, key: text.key)]
            return variant.filled(with: arguments, count: count, in: language)
        }
        return text.key
    }

    /// Returns what the telling chooses from, at least one; `nil`: the language lacks the text.
    private func variants(of key: String, in language: Language) -> [Sentence]? {
        if let sentence = sentences[language]?[key] { return [sentence] }
        let variants = packs.variants(of: key, in: language)
        return variants?.isEmpty == true ? nil : variants
    }

    /// Returns every variant of the text in the language, in the order of their tellings.
    func texts(_ text: LocalizableText, in language: Language) -> [String] {
        let count =
            (variants(of: text.key, in: language) ?? variants(of: text.key, in: .english))?.count
        return Telling.samples.prefix(count ?? 1).map { telling in
            self.text(
                LocalizableText(key: text.key, arguments: text.arguments, telling: telling),
                in: language)
        }
    }

    /// Returns what a device makes of an alert, with the String Catalog in its app.
    func alert(_ alert: Alert, in language: Language) -> (title: String, body: String) {
        func text(_ key: String, _ arguments: [String]) -> String {
            self.text(
                LocalizableText(key: key, arguments: arguments.map { .name($0) }), in: language)
        }
        return (
            text(alert.titleKey, alert.titleArguments), text(alert.bodyKey, alert.bodyArguments)
        )
    }
}

extension StringCatalog {
    /// Returns the catalog that is built into the program: `Resources/Localizable`, by a link.
    package static func embedded() throws(StringCatalogError) -> StringCatalog { try read.get() }

    /// Read once a process.
    private static let read = Result { () throws(StringCatalogError) in
        try StringCatalog(json: PackageResources.Localizable_xcstrings)
    }
}
