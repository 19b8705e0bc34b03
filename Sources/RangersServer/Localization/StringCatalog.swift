package import Content
internal import FoundationEssentials
package import PushPolicy

/// A String Catalog (`.xcstrings`), as far as the server needs it: each key's text in each
/// language, with its plural forms. It is the file that the iOS app adds to its target.
package struct StringCatalog: Hashable, Sendable {
    /// By key, then by the language's code.
    private let texts: [String: [String: Wording]]

    package init(json: [UInt8]) throws(StringCatalogError) {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: Data(json))
        } catch {
            throw .unreadable("\(error)")
        }
        guard file.version == Self.version else { throw .unknownVersion(file.version) }
        texts = file.strings.mapValues { entry in
            (entry.localizations ?? [:]).compactMapValues(\.wording)
        }
    }

    package var keys: [String] { texts.keys.sorted() }

    package func wording(for key: String, in language: Language) -> Wording? {
        texts[key]?[language.rawValue]
    }

    /// The text of most counts.
    package func text(for key: String, in language: Language) -> String? {
        wording(for: key, in: language)?.other
    }

    private static let version = "1.0"
}

/// A String Catalog that cannot be read.
package enum StringCatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(String)
    case unknownVersion(String)
    case badText(key: String, language: Language, FormatStringError)

    package var description: String {
        switch self {
        case .unreadable(let reason):
            "The String Catalog is not the JSON that Xcode writes: \(reason)"
        case .unknownVersion(let version):
            "The String Catalog has version \(version); this server reads version 1.0."
        case .badText(let key, let language, let error):
            "The String Catalog's text of \"\(key)\" in \(language.rawValue) is wrong: \(error)"
        }
    }
}

extension StringCatalog {
    /// The file's structure. Device variations are not read, so they count as missing.
    private struct File: Decodable {
        let version: String
        let strings: [String: Entry]
    }

    private struct Entry: Decodable {
        let localizations: [String: Localization]?
    }

    private struct Localization: Decodable {
        let stringUnit: StringUnit?
        let variations: Variations?

        var wording: Wording? {
            if let unit = stringUnit { return .plain(unit.value) }
            return variations?.plural.map { plural in
                .plural(
                    plural.reduce(into: [:]) { forms, form in
                        guard let category = PluralCategory(rawValue: form.key) else { return }
                        forms[category] = form.value.stringUnit?.value
                    })
            }
        }
    }

    private struct Variations: Decodable {
        let plural: [String: Form]?
    }

    private struct Form: Decodable {
        let stringUnit: StringUnit?
    }

    private struct StringUnit: Decodable {
        let value: String
    }
}
