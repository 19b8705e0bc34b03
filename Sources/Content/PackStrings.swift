internal import GameLogic
internal import JSONReader
internal import JSONWriter
internal import PushPolicy

/// A pack's texts as a String Catalog (`.xcstrings`), which translators open in Xcode. Keys have
/// the pack's id before them: "stolen-pie.magpie.hits".
package enum PackStrings {
    private static let version = "1.0"

    /// Returns the catalog of a pack's texts.
    package static func catalog(of document: PackDocument) -> [UInt8] {
        let texts = document.texts.texts.sorted { $0.key < $1.key }
        let strings = texts.map { key, texts in
            JSONValue.Field(
                name: "\(document.pack.reference.id).\(key)",
                value: .object([
                    JSONValue.Field(name: "extractionState", value: .text("manual")),
                    JSONValue.Field(name: "localizations", value: .object(localizations(texts))),
                ]))
        }
        return JSONValue.object([
            JSONValue.Field(name: "sourceLanguage", value: .text(Language.english.rawValue)),
            JSONValue.Field(name: "strings", value: .object(strings)),
            JSONValue.Field(name: "version", value: .text(version)),
        ]).readable
    }

    private static func localizations(_ texts: [Language: Wording]) -> [JSONValue.Field] {
        Language.allCases.sorted { $0.rawValue < $1.rawValue }.compactMap { language in
            texts[language].map { JSONValue.Field(name: language.rawValue, value: value(of: $0)) }
        }
    }

    /// What a String Catalog has of a text in one language.
    private static func value(of wording: Wording) -> JSONValue {
        switch wording {
        case .plain(let text): return unit(text)
        case .plural:
            let forms = wording.forms.map {
                JSONValue.Field(name: $0.category.rawValue, value: unit($0.text))
            }
            let plural = JSONValue.Field(name: "plural", value: .object(forms))
            return .object([
                JSONValue.Field(name: "variations", value: .object([plural]))
            ])
        }
    }

    private static func unit(_ text: String) -> JSONValue {
        let unit = JSONValue.object([
            JSONValue.Field(name: "state", value: .text("translated")),
            JSONValue.Field(name: "value", value: .text(text)),
        ])
        return .object([JSONValue.Field(name: "stringUnit", value: unit)])
    }

    /// What a pack has of it.
    private static func text(of localization: JSONValue) -> JSONValue? {
        if let text = localization["stringUnit"]?["value"] { return text }
        let forms = localization["variations"]?["plural"]?.fields?.compactMap { form in
            form.value["stringUnit"]?["value"].map {
                JSONValue.Field(name: form.name, value: $0)
            }
        }
        return forms.map(JSONValue.object)
    }

    /// Returns a pack's file with the texts of a catalog in place of its own.
    ///
    /// - Throws: `PackFaults` when one of the two is not what it should be.
    package static func file(_ pack: [UInt8], with catalog: [UInt8]) throws(PackFaults) -> [UInt8] {
        let (pack, catalog) = (try PackDocument.parse(pack), try PackDocument.parse(catalog))
        guard case .text(let id)? = pack["id"], let fields = pack.fields else {
            throw PackFaults(faults: [PackFault("id", "the field is missing")])
        }
        guard case .object(let strings)? = catalog["strings"] else {
            throw PackFaults(faults: [
                PackFault("strings", "the field is missing; give a String Catalog")
            ])
        }
        let texts = strings.filter { $0.name.hasPrefix(id + ".") }.map { entry in
            JSONValue.Field(
                name: String(entry.name.dropFirst(id.count + 1)),
                value: .object(
                    (entry.value["localizations"]?.fields ?? []).compactMap { language in
                        text(of: language.value).map {
                            JSONValue.Field(name: language.name, value: $0)
                        }
                    }))
        }
        let others = fields.filter { $0.name != "texts" }
        return JSONValue.object(
            others + [JSONValue.Field(name: "texts", value: .object(texts))]
        ).readable
    }
}

extension JSONValue {
    /// The value for people: what fits into a line is one, the rest is indented. Keys keep their
    /// order.
    var readable: [UInt8] { Array((text(indent: "") + "\n").utf8) }

    private static let columnsMax = 96

    private func text(indent: String) -> String {
        let line = inLine
        guard indent.count + line.count > Self.columnsMax else { return line }
        let inner = indent + "  "
        switch self {
        case .object(let fields):
            let lines = fields.map {
                inner + Self.quoted($0.name) + ": " + $0.value.text(indent: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .array(let values):
            let lines = values.map { inner + $0.text(indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .integer, .number, .text, .truth, .null: return line
        }
    }

    private var inLine: String {
        switch self {
        case .object(let fields):
            "{"
                + fields.map { Self.quoted($0.name) + ": " + $0.value.inLine }
                .joined(separator: ", ") + "}"
        case .array(let values): "[" + values.map(\.inLine).joined(separator: ", ") + "]"
        case .integer, .number, .text, .truth, .null:
            String(decoding: canonical, as: UTF8.self)
        }
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.text(text).canonical, as: UTF8.self)
    }
}
