internal import Content
internal import GameLogic
package import PushPolicy

/// Renders localizable texts in a language.
package struct Words: Sendable {
    private let formats: [Language: [String: Format]]
    /// What the String Catalog has not.
    let packs = PackWords()

    package init(_ catalog: StringCatalog) throws(StringCatalogError) {
        var formats: [Language: [String: Format]] = [:]
        for language in Language.allCases {
            for key in catalog.keys {
                guard let text = catalog.text(for: key, in: language) else { continue }
                do {
                    formats[language, default: [:]][key] = try Format(text)
                } catch {
                    throw .badText(key: key, language: language, error)
                }
            }
        }
        self.formats = formats
    }

    /// Returns the words of the catalog that is built into the program.
    package static func embedded() throws(StringCatalogError) -> Words {
        try Words(.embedded())
    }

    /// Returns the text in the language, or in English if that is missing, or else its key.
    package func text(_ text: LocalizableText, in language: Language) -> String {
        let text = text.asWholeSentence
        let arguments = text.arguments.map { argument in
            switch argument {
            case .name(let text), .word(let text): text
            case .message(let message): message.text(in: language.rawValue)
            }
        }
        return format(of: text.key, in: language)?.filled(with: arguments) ?? text.key
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

    private func format(of key: String, in language: Language) -> Format? {
        formats[language]?[key] ?? packs.format(of: key, in: language) ?? formats[.english]?[key]
    }
}

extension StringCatalog {
    /// Returns the catalog that is built into the program: `Resources/Localizable`, by a link.
    package static func embedded() throws(StringCatalogError) -> StringCatalog {
        try StringCatalog(json: PackageResources.Localizable_xcstrings)
    }
}
