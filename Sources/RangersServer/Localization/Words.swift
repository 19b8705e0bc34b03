package import PushPolicy

/// Puts phrases into the words of a language.
package struct Words: Sendable {
    private let formats: [Language: [String: Format]]

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

    /// With the catalog that is built into the program.
    package static func embedded() throws(StringCatalogError) -> Words {
        try Words(.embedded())
    }

    /// The phrase in the language; in English where that is missing; the key itself when nobody
    /// knows it, so that a player reads something.
    package func text(_ phrase: LocalizableText, in language: Language) -> String {
        let phrase = phrase.asWholeSentence
        let arguments = phrase.arguments.map { argument in
            switch argument {
            case .name(let text), .word(let text): text
            }
        }
        return format(of: phrase.key, in: language)?.filled(with: arguments) ?? phrase.key
    }

    private func format(of key: String, in language: Language) -> Format? {
        formats[language]?[key] ?? formats[.english]?[key]
    }
}

extension StringCatalog {
    /// The catalog that is built into the program: `Resources/Localizable`, by a link.
    package static func embedded() throws(StringCatalogError) -> StringCatalog {
        try StringCatalog(json: PackageResources.Localizable_xcstrings)
    }
}
