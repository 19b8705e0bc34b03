package import Content
package import PushPolicy

/// A fault of a String Catalog, described for translators.
package enum CatalogFault: Hashable, Sendable, CustomStringConvertible {
    case missingKey(String)
    case missingLanguage(key: String, Language)
    case wrongArguments(key: String, Language, expected: Int, used: Set<Int>)
    case wrongType(key: String, Language, FormatStringError)

    package var description: String {
        switch self {
        case .missingKey(let key): "\"\(key)\" is missing."
        case .missingLanguage(let key, let language):
            "\"\(key)\" has no text in \(language.rawValue)."
        case .wrongArguments(let key, let language, let expected, let used):
            "\"\(key)\" has \(expected) arguments; its text in \(language.rawValue) uses "
                + "\(used.map { $0 + 1 }.sorted())."
        case .wrongType(let key, let language, let error):
            "\"\(key)\" in \(language.rawValue): \(error)"
        }
    }
}

extension StringCatalog {
    /// Returns every fault that prevents these texts in some language.
    package func faults(of texts: [LocalizableText]) -> [CatalogFault] {
        texts.flatMap { faults(of: $0.key, arguments: $0.arguments.count) }
    }

    private func faults(of key: String, arguments: Int) -> [CatalogFault] {
        guard keys.contains(key) else { return [.missingKey(key)] }
        return Language.allCases.compactMap { fault(of: key, arguments: arguments, in: $0) }
    }

    private func fault(of key: String, arguments: Int, in language: Language) -> CatalogFault? {
        guard let text = text(for: key, in: language), !text.isEmpty else {
            return .missingLanguage(key: key, language)
        }
        do {
            let used = try Format(text).gaps
            return used == Set(0..<arguments)
                ? nil : .wrongArguments(key: key, language, expected: arguments, used: used)
        } catch {
            return .wrongType(key: key, language, error)
        }
    }
}
