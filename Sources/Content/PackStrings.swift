internal import GameLogic
internal import JSONReader
internal import JSONWriter
internal import PushPolicy

/// A pack's texts as a String Catalog (`.xcstrings`), which translators open in Xcode. Keys have
/// the pack's id before them, and variants their number after them: "stolen-pie.magpie.hits",
/// "stolen-pie.magpie.hits #2". A language leaves out the variants that it does not have.
package enum PackStrings {
    private static let version = "1.0"
    private static let beforeNumber = " #"

    /// Returns the catalog of a pack's texts.
    package static func catalog(of document: PackDocument) -> [UInt8] {
        let texts = document.texts.texts.sorted { $0.key < $1.key }
        let strings = texts.flatMap { key, texts in
            (0..<(texts.values.map(\.count).max() ?? 0)).map { index in
                JSONValue.Field(
                    name: "\(document.pack.reference.id).\(name(of: key, variant: index))",
                    value: .object([
                        JSONValue.Field(name: "extractionState", value: .text("manual")),
                        JSONValue.Field(
                            name: "localizations",
                            value: .object(localizations(texts, variant: index))),
                    ]))
            }
        }
        return JSONValue.object([
            JSONValue.Field(name: "sourceLanguage", value: .text(Language.english.rawValue)),
            JSONValue.Field(name: "strings", value: .object(strings)),
            JSONValue.Field(name: "version", value: .text(version)),
        ]).readable
    }

    private static func name(of key: String, variant index: Int) -> String {
        index == 0 ? key : "\(key)\(beforeNumber)\(index + 1)"
    }

    private static func localizations(
        _ texts: [Language: [Wording]], variant index: Int
    ) -> [JSONValue.Field] {
        Language.allCases.sorted { $0.rawValue < $1.rawValue }.compactMap { language in
            guard let variants = texts[language], index < variants.count else { return nil }
            return JSONValue.Field(name: language.rawValue, value: value(of: variants[index]))
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
        let own = strings.compactMap { entry in
            entry.name.hasPrefix(id + ".")
                ? JSONValue.Field(
                    name: String(entry.name.dropFirst(id.count + 1)), value: entry.value) : nil
        }
        let others = fields.filter { $0.name != PackDocument.textsKey }
        return JSONValue.object(
            others + [JSONValue.Field(name: PackDocument.textsKey, value: .object(texts(of: own)))]
        ).readable
    }

    /// One variant of a text in a language.
    private struct Variant {
        let language: String
        let number: Int
        let text: JSONValue
    }

    /// Returns what a pack has of the strings, with the variants of a text together.
    private static func texts(of strings: [JSONValue.Field]) -> [JSONValue.Field] {
        var variants: [String: [Variant]] = [:]
        for entry in strings {
            let (key, number) = parts(of: entry.name)
            for language in entry.value["localizations"]?.fields ?? [] {
                // Xcode writes an empty text where the translator has none.
                guard let text = text(of: language.value), text.text != "" else { continue }
                variants[key, default: []].append(
                    Variant(language: language.name, number: number, text: text))
            }
        }
        return variants.sorted { $0.key < $1.key }.map { key, variants in
            JSONValue.Field(name: key, value: .object(languages(of: variants)))
        }
    }

    private static func languages(of variants: [Variant]) -> [JSONValue.Field] {
        Dictionary(grouping: variants, by: \.language).sorted { $0.key < $1.key }.map {
            language, variants in
            let texts = variants.sorted { $0.number < $1.number }.map(\.text)
            return JSONValue.Field(
                name: language, value: texts.count == 1 ? texts[0] : .array(texts))
        }
    }

    /// Returns the key of a pack's text, and the number of the variant.
    private static func parts(of name: String) -> (key: String, number: Int) {
        guard let mark = name.firstRange(of: beforeNumber),
            let number = Int(name[mark.upperBound...])
        else { return (name, 1) }
        return (String(name[..<mark.lowerBound]), number)
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
