import Foundation
import RangersServer

/// Small catalogs, as Xcode would write them.
enum LocalizationCatalogs {
    static func catalog(_ texts: [String: [String: String]]) throws -> StringCatalog {
        let strings = texts.mapValues { localizations in
            Entry(
                localizations: localizations.mapValues {
                    Localization(stringUnit: StringUnit(state: "translated", value: $0))
                })
        }
        let file = File(sourceLanguage: "en", strings: strings, version: "1.0")
        return try StringCatalog(json: [UInt8](JSONEncoder().encode(file)))
    }

    private struct File: Encodable {
        let sourceLanguage: String
        let strings: [String: Entry]
        let version: String
    }

    private struct Entry: Encodable {
        let localizations: [String: Localization]
    }

    private struct Localization: Encodable {
        let stringUnit: StringUnit
    }

    private struct StringUnit: Encodable {
        let state: String
        let value: String
    }
}
