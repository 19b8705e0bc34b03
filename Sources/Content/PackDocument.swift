package import GameLogic
internal import JSONReader
package import PushPolicy
internal import Secrets

/// An adventure pack as a designer writes it: the rules that the engine plays, and the words.
///
/// The rules and what `base.json` adds to them are one canonical text. Its hash stands for them:
/// the same id and version never has another. Words may change: a typo is mended in stories that
/// are running.
package struct PackDocument: Sendable {
    /// The largest file, in bytes.
    package static let bytesMax = 256 * 1024

    package let pack: Pack
    /// The level of heroes for whom the pack is meant: advice only.
    package let level: Int
    package let texts: PackTexts
    /// Canonical JSON of the pack without its words, with `base.json`.
    package let rulesBody: [UInt8]
    /// Canonical JSON of the words and their languages.
    package let textsBody: [UInt8]
    /// What can be published only if somebody accepts it.
    package let warnings: [PackFault]

    /// SHA-256 of `rulesBody`.
    package var rulesHash: [UInt8] { Digest.sha256(rulesBody) }

    /// How long the story takes on average at speed 1, in minutes.
    package var minutes: Int { (PackLinter.expectedSeconds(of: pack) + 59) / 60 }

    /// Reads and checks a designer's file, with the texts in a file a language beside it.
    ///
    /// - Throws: `PackFaults` with everything that is wrong.
    package init(json: [UInt8], texts: [Language: [UInt8]] = [:]) throws(PackFaults) {
        try self.init(
            try Self.tree(json, texts), base: EmbeddedPacks.baseRules, checking: .everything)
    }

    /// Restores a document from its two bodies.
    package init(rulesBody: [UInt8], textsBody: [UInt8]) throws(PackFaults) {
        let rules = try Self.parse(rulesBody)
        let texts = try Self.parse(textsBody)
        guard let fields = rules[Self.packKey]?.fields, let words = texts.fields,
            let base = rules[Self.baseKey]
        else { throw PackFaults(faults: [PackFault("", "it is not a stored pack")]) }
        try self.init(.object(fields + words), base: base, checking: .everything)
    }

    /// What the linter looks at.
    enum Checking {
        case everything
        /// Of a pack of the program: tests have checked its texts, and every start would take long.
        case rules
    }

    /// Checks a pack with what every pack can use.
    init(_ tree: JSONValue, base: JSONValue, checking: Checking) throws(PackFaults) {
        let notes = Node.Notes()
        let result = Node(path: "", value: tree, notes: notes).object { fields in
            let things = ThingReader(reference: PackReader.reference(in: fields))
            let node = Node(path: "base.json", value: base, notes: notes)
            return PackReader(things: things, base: PackReader.base(of: node, things)).read(fields)
        }
        if let result { PackLinter(read: result, notes: notes).check(checking) }
        let errors = notes.faults.filter { $0.severity == .error }
        guard let result, errors.isEmpty else { throw PackFaults(faults: notes.faults) }
        pack = result.pack
        level = result.level
        texts = result.texts
        warnings = notes.faults
        rulesBody =
            JSONValue.object([
                JSONValue.Field(name: Self.baseKey, value: base),
                JSONValue.Field(
                    name: Self.packKey,
                    value: (Self.wordKeys + [Self.schemaKey]).reduce(tree) { $0.without($1) }),
            ]).canonical
        let words = tree.fields?.filter { Self.wordKeys.contains($0.name) }
        textsBody = JSONValue.object(words ?? []).canonical
    }

    /// Whether a text is an id: 1 to 32 of a-z, 0-9 and -.
    package static func isID(_ text: String) -> Bool { Node.isID(text) }

    static func parse(_ json: [UInt8], at path: String = "") throws(PackFaults) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: json)
        } catch {
            throw PackFaults(faults: [PackFault(error, in: json, at: path)])
        }
    }

    private static let baseKey = "base"
    private static let packKey = "pack"
    static let textsKey = "texts"
    static let languagesKey = "languages"
    /// The address of the schema, for editors; no part of the pack.
    static let schemaKey = "$schema"
    /// What may change in a version.
    private static let wordKeys = [languagesKey, textsKey]
}

// MARK: Texts in a file a language

extension PackDocument {
    /// Returns a pack's file with the texts of the files beside it: one file, for the API.
    package static func joined(
        _ json: [UInt8], _ texts: [Language: [UInt8]]
    ) throws(PackFaults) -> [UInt8] {
        try texts.isEmpty ? json : tree(json, texts).readable
    }

    /// The rules and all texts as one value.
    static func tree(
        _ json: [UInt8], _ texts: [Language: [UInt8]]
    ) throws(PackFaults) -> JSONValue {
        let count = texts.values.reduce(json.count) { $0 + $1.count }
        guard count <= bytesMax else {
            throw PackFaults(faults: [
                PackFault("", "\(count) bytes are too many; at most \(bytesMax)")
            ])
        }
        let tree = try parse(json)
        guard !texts.isEmpty, let fields = tree.fields else { return tree }
        var entries = JoinedTexts(tree[textsKey]?.fields ?? [])
        for language in Language.allCases {
            guard let file = texts[language] else { continue }
            let path = "\(textsKey).\(language.rawValue)"
            guard let found = try parse(file, at: path).fields else {
                throw PackFaults(faults: [PackFault(path, "it must be an object")])
            }
            for field in found { entries.add(field, in: language) }
        }
        return .object(
            fields.filter { $0.name != textsKey }
                + [JSONValue.Field(name: textsKey, value: entries.value)])
    }
}

/// Texts by key, in the order of the first one that names it. A text that two files have occurs
/// twice, so that reading it is a fault.
private struct JoinedTexts {
    private var keys: [String] = []
    private var texts: [String: [JSONValue.Field]] = [:]

    init(_ fields: [JSONValue.Field]) {
        for field in fields {
            keys.append(field.name)
            texts[field.name] = field.value.fields
        }
    }

    mutating func add(_ field: JSONValue.Field, in language: Language) {
        if texts[field.name] == nil { keys.append(field.name) }
        texts[field.name, default: []].append(
            JSONValue.Field(name: language.rawValue, value: field.value))
    }

    var value: JSONValue {
        .object(keys.map { JSONValue.Field(name: $0, value: .object(texts[$0] ?? [])) })
    }
}
