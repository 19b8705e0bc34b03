internal import Foundation
internal import GameLogic
internal import JSONReader
internal import Testing

@testable internal import Content

@Suite("C3: the JSON Schema of packs") struct PackSchemaTests {
    private static let schema = PackSchema.schema

    private static func faults(in json: [UInt8]) throws -> [String] {
        SchemaValidator.faults(in: try JSONValue(parsing: json), by: schema)
    }

    @Test(
        "every pack of the program is in order, with its texts or without",
        arguments: EmbeddedPacks.documents)
    func shipped(document: PackDocument) throws {
        let id = document.pack.reference.id
        #expect(try Self.faults(in: try #require(EmbeddedPacks.file(named: id))) == [])
        let rules = try #require(EmbeddedPacks.files[id + PackFileName.suffix])
        #expect(try Self.faults(in: rules) == [])
    }

    @Test("it is what the server and the command give to editors")
    func file() throws {
        #expect(try JSONValue(parsing: PackSchema.file) == Self.schema)
        #expect(Self.schema["$schema"]?.text == "http://json-schema.org/draft-07/schema#")
    }

    @Test("a pack may name its schema, which is no part of it")
    func named() throws {
        let pie = try PackDocument(json: Array(PackFile.json.utf8))
        let named = try PackDocument(
            json: PackFile.json(
                replacing: "{\n", by: "{ \"$schema\": \"adventure.schema.json\",\n"))
        #expect(named.warnings == [])
        #expect(named.rulesHash == pie.rulesHash && named.textsBody == pie.textsBody)
    }

    // MARK: Meanings

    /// The paths of all fields, as `PackFieldMeanings` has them.
    private static func paths(of schema: JSONValue, at path: String = "") -> Set<String> {
        var paths: Set<String> = []
        for field in schema["properties"]?.fields ?? [] {
            let place = path.isEmpty ? field.name : "\(path).\(field.name)"
            paths.insert(place)
            paths.formUnion(Self.paths(of: field.value, at: place))
        }
        if let items = schema["items"] { paths.formUnion(Self.paths(of: items, at: path + "[]")) }
        if let others = schema["additionalProperties"] {
            paths.formUnion(Self.paths(of: others, at: path + ".*"))
        }
        return paths
    }

    @Test("every field has its meaning, and its row in docs/reference/game.md")
    func meanings() throws {
        let paths = Self.paths(of: Self.schema)
        #expect(paths.count > 50)
        #expect(paths == Set(PackFieldMeanings.all.keys))
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "docs/reference/game.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .map { $0.dropFirst().prefix { $0 != "|" } }
        for path in paths {
            let name = path.split(separator: ".").last ?? ""
            #expect(rows.contains { $0.contains("`\(name)`") }, "\(path)")
        }
    }

    // MARK: The reader

    /// Whether a fault is one of the file's form; what a file means is no business of a schema.
    private static func isOfForm(_ fault: PackFault) -> Bool {
        let form =
            #/^-?\d+ must be \d+ to \d+$|^it must (be|have) |^the field is missing$|^no such field;/#
        let names = #/^there is no (kind|scene|move|language|plural form) |is not an id; /#
        let counts = #/^\d+ are too many; |^it (is empty|has \d+); give \d+ to \d+$/#
        return fault.what.contains(form) || fault.what.contains(names)
            || fault.what.contains(counts)
    }

    private static func isRefusedByReader(_ tree: JSONValue) -> Bool {
        do throws(PackFaults) {
            _ = try PackDocument(tree, base: EmbeddedPacks.baseRules, checking: .rules)
            return false
        } catch {
            return error.faults.contains(where: isOfForm)
        }
    }

    @Test("it refuses what the reader refuses, and nothing else", arguments: SpoiltFile.packs)
    func reader(pack: String) throws {
        let tree = try JSONValue(parsing: Array(pack.utf8))
        #expect(SchemaValidator.faults(in: tree, by: Self.schema) == [])
        #expect(!Self.isRefusedByReader(tree))
        var refused = 0
        // Texts may lie in other files.
        for (place, spoilt) in SpoiltFile.all(of: tree) where place != ".texts removed" {
            let faults = SchemaValidator.faults(in: spoilt, by: Self.schema)
            let isRefused = Self.isRefusedByReader(spoilt)
            #expect(faults.isEmpty == !isRefused, "\(place): \(faults)")
            refused += isRefused ? 1 : 0
        }
        #expect(refused > 300)
    }
}

/// Packs with one value replaced, one field removed or one field too many.
private enum SpoiltFile {
    /// Small ones that have every field.
    static let packs = [
        """
        {"format": 1, "id": "all", "version": 1, "kind": "quest", "level": 1, "score": 40,
         "$schema": "adventure.schema.json", "languages": ["en", "de"],
         "strengthPercent": 100, "bag": 1, "cardGapSeconds": 15, "timeLimitSeconds": 1200,
         "orderAfterSeconds": 120, "lastStandSeconds": 60, "woodsSeconds": [30, 60],
         "secondWind": {"afterSeconds": 180, "times": 1}, "tales": {"frog": 2},
         "stages": [
           {"id": "trail", "steps": 6, "paceSeconds": [15, 25], "scenes": [["foe", 4], ["tale", 1]],
            "foes": {"magpie": 2}, "fork": {"id": "hedge", "bold": "thorns", "safe": "boss",
            "waitSeconds": 20}},
           {"id": "thorns", "steps": 1, "paceSeconds": [15, 25], "scenes": {"commonLoot": 1},
            "next": "boss"}],
         "foes": {"magpie": {"damagePermille": [60, 120], "healthPermille": [60, 120], "exp": 20}},
         "bosses": {"raccoon": {"healthPermille": 550, "paceSeconds": [15, 20],
           "damagePermille": [120, 200], "exp": 100, "lastBlowExp": 40,
           "phases": [{"belowPercent": 100, "damagePercent": 100, "moves": ["blow", "charge"]}]}},
         "finale": {"raccoon": 1}, "commonLoot": [["crumb", 3]], "rareLoot": {"crown": 1},
         "texts": {"title": {"en": "All", "de": ["Alles", {"other": "Ganz"}]}}}
        """,
        """
        {"format": 1, "id": "rush", "version": 1, "kind": "bossRush", "level": 1, "score": 40,
         "strengthPercent": 100, "bag": 1, "cardGapSeconds": 15, "timeLimitSeconds": 1200,
         "orderAfterSeconds": 120, "lastStandSeconds": 60,
         "secondWind": {"afterSeconds": 180, "times": 1},
         "order": ["dragon", "robot", "kraken"], "breathSeconds": 30, "breatherPermille": 100,
         "refill": [1, 2],
         "stages": [{"id": "plain", "steps": 1, "paceSeconds": [15, 20],
           "scenes": {"commonLoot": 1}}],
         "commonLoot": {"coin": 1}, "rareLoot": {"crown": 1}, "texts": {"title": {"en": "Rush"}}}
        """,
    ]

    private static let values: [JSONValue] =
        [-1, 0, 1, 2, 9, 11, 14, 61, 101, 301, 901, 1001, 7201, 10_001, 27_001, 100_001].map {
            .integer($0)
        } + ["", "Ä", "quest", "bossRush", String(repeating: "a", count: 1025)].map { .text($0) }
        + [.number(1.5), .null, .truth(true), .array([]), .object([])]
        + [.array(Array(repeating: .integer(1), count: 13))]

    static func all(of tree: JSONValue, at path: String = "") -> [(String, JSONValue)] {
        let replaced = values.map { (path, $0) }
        switch tree {
        case .object(let fields):
            let stranger = JSONValue.Field(name: "stranger", value: .integer(1))
            return replaced + [(path + ".stranger", .object(fields + [stranger]))]
                + fields.indices.flatMap { index in
                    all(of: fields, index, at: "\(path).\(fields[index].name)")
                }
        case .array(let values):
            return replaced
                + values.indices.flatMap { index in
                    all(of: values[index], at: "\(path)[\(index)]").map { place, value in
                        var values = values
                        values[index] = value
                        return (place, .array(values))
                    }
                }
        case .integer, .number, .text, .truth, .null: return replaced
        }
    }

    private static func all(
        of fields: [JSONValue.Field], _ index: Int, at path: String
    ) -> [(String, JSONValue)] {
        var without = fields
        without.remove(at: index)
        return [(path + " removed", .object(without))]
            + all(of: fields[index].value, at: path).map { place, value in
                var fields = fields
                fields[index] = JSONValue.Field(name: fields[index].name, value: value)
                return (place, .object(fields))
            }
    }
}
