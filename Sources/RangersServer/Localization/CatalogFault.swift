package import Content
package import PushPolicy

/// A fault of a String Catalog, described for translators.
package enum CatalogFault: Hashable, Sendable, CustomStringConvertible {
    case missingKey(String)
    case missingLanguage(key: String, Language)
    case wording(key: String, Language, WordingFault)

    package var description: String {
        switch self {
        case .missingKey(let key): "\"\(key)\" is missing."
        case .missingLanguage(let key, let language):
            "\"\(key)\" has no text in \(language.rawValue)."
        case .wording(let key, let language, let fault):
            "\"\(key)\" in \(language.rawValue), \(fault.category.rawValue): \(fault)"
        }
    }
}

extension StringCatalog {
    /// Returns every fault that prevents these texts in some language.
    package func faults(of texts: [LocalizableText]) -> [CatalogFault] {
        texts.flatMap { faults(of: $0.key, gaps: $0.arguments.map(\.gap)) }
    }

    private func faults(of key: String, gaps: [Gap]) -> [CatalogFault] {
        guard keys.contains(key) else { return [.missingKey(key)] }
        return Language.allCases.flatMap { language -> [CatalogFault] in
            let wording = wording(for: key, in: language)
            guard let wording, !wording.forms.contains(where: { $0.text.isEmpty }) else {
                return [.missingLanguage(key: key, language)]
            }
            return wording.faults(gaps: gaps, in: language).map {
                .wording(key: key, language, $0)
            }
        }
    }
}
