package import GameLogic
internal import JSONReader
internal import PushPolicy
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
    /// Canonical JSON of the words.
    package let textsBody: [UInt8]
    /// What can be published only if somebody accepts it.
    package let warnings: [PackFault]

    /// SHA-256 of `rulesBody`.
    package var rulesHash: [UInt8] { Digest.sha256(rulesBody) }

    /// How long the story takes on average at speed 1, in minutes.
    package var minutes: Int { (PackLinter.expectedSeconds(of: pack) + 59) / 60 }

    /// Reads and checks a designer's file.
    ///
    /// - Throws: `PackFaults` with everything that is wrong.
    package init(json: [UInt8]) throws(PackFaults) {
        guard json.count <= Self.bytesMax else {
            throw PackFaults(faults: [
                PackFault("", "\(json.count) bytes are too many; at most \(Self.bytesMax)")
            ])
        }
        try self.init(try Self.parse(json), base: EmbeddedPacks.base)
    }

    /// Restores a document from its two bodies.
    package init(rulesBody: [UInt8], textsBody: [UInt8]) throws(PackFaults) {
        let rules = try Self.parse(rulesBody)
        let texts = try Self.parse(textsBody)
        guard case .object(let fields)? = rules[Self.packKey], let base = rules[Self.baseKey] else {
            throw PackFaults(faults: [PackFault("", "it is not a stored pack")])
        }
        try self.init(
            .object(fields + [JSONValue.Field(name: Self.textsKey, value: texts)]), base: base)
    }

    /// Checks a pack with what every pack can use.
    private init(_ tree: JSONValue, base: JSONValue) throws(PackFaults) {
        let notes = Node.Notes()
        let result = Node(path: "", value: tree, notes: notes).object { fields in
            let things = ThingReader(reference: PackReader.reference(in: fields))
            let node = Node(path: "base.json", value: base, notes: notes)
            return PackReader(things: things, base: PackReader.base(of: node, things)).read(fields)
        }
        if let result { PackLinter(read: result, notes: notes).check() }
        let errors = notes.faults.filter { $0.severity == .error }
        guard let result, errors.isEmpty else { throw PackFaults(faults: notes.faults) }
        pack = result.pack
        level = result.level
        texts = result.texts
        warnings = notes.faults
        rulesBody =
            JSONValue.object([
                JSONValue.Field(name: Self.baseKey, value: base),
                JSONValue.Field(name: Self.packKey, value: tree.without(Self.textsKey)),
            ]).canonical
        textsBody = (tree[Self.textsKey] ?? .object([])).canonical
    }

    /// Whether a text is an id: 1 to 32 of a-z, 0-9 and -.
    package static func isID(_ text: String) -> Bool { Node.isID(text) }

    static func parse(_ json: [UInt8]) throws(PackFaults) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: json)
        } catch {
            throw PackFaults(faults: [PackFault(error, in: json)])
        }
    }

    private static let baseKey = "base"
    private static let packKey = "pack"
    private static let textsKey = "texts"
}
