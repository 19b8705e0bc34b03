internal import GameLogic
internal import Testing

@testable internal import Content

@Suite("What is wrong with a boss rush") struct RushLinterTests {
    private static let file = String(
        decoding: EmbeddedPacks.file(named: "titan-rush") ?? [], as: UTF8.self)

    /// Those of a boss rush, as the reader asks for them.
    private static let fields = """
        id, version, format, kind, level, strengthPercent, timeLimitSeconds, score, bag, \
        woodsSeconds, tales, secondWind, orderAfterSeconds, lastStandSeconds, cardGapSeconds, \
        foes, bosses, stages, order, breathSeconds, breatherPermille, refill, commonLoot, \
        rareLoot, languages, texts, $schema
        """

    /// What is wrong with the pack after the replacement.
    private static func faults(_ old: String, _ new: String) -> [String] {
        let parts = file.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return ["there is no \(old)"] }
        do throws(PackFaults) {
            return try PackDocument(json: Array(parts.joined(separator: new).utf8)).warnings
                .map(\.description)
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test("the order, the breath and the potions are those of the file")
    func sound() throws {
        let document = try #require(EmbeddedPacks.document(named: "titan-rush"))
        let rush = try #require(document.pack.rush)
        #expect(document.pack.kind == .bossRush && document.pack.finale.isEmpty)
        #expect(
            rush.order.map(\.shortName)
                == ["golem", "yeti", "hydra", "cyclops", "phoenix", "titan"])
        #expect(rush.breath == 45 && rush.breather == 200 && rush.refill == [2, 4])
        #expect(document.minutes == 17)
        for boss in rush.order {
            let traits = try #require(document.pack.bosses[boss])
            #expect((400...600).contains(traits.health) && traits.pace == 15...22)
            #expect(traits.phases.contains { $0.moves.contains(.charge) })
        }
        let again = try PackDocument(
            rulesBody: document.rulesBody, textsBody: document.textsBody)
        #expect(again.pack.rush == rush && again.rulesHash == document.rulesHash)
    }

    @Test(
        "each fault names its place, what is wrong, and what would be right",
        arguments: [
            (
                "[\"golem\", ", "[\"golme\", ",
                [
                    "order[0]: this pack and base.json have no boss \"golme\"; "
                        + "did you mean \"golem\"? Known are cyclops, dragon, golem, hydra, kraken, "
                        + "phoenix, robot, titan, yeti"
                ]
            ),
            (
                "\"order\": [\"golem\", \"yeti\", \"hydra\", \"cyclops\", \"phoenix\", \"titan\"]",
                "\"order\": [\"golem\"]",
                [
                    "order: it has 1; give 2 to 12"
                ]
            ),
            (
                "\"breathSeconds\": 45", "\"breathSeconds\": 10",
                ["breathSeconds: 10 must be 15 to 300"]
            ),
            (
                "\"breatherPermille\": 200", "\"breathersPermille\": 200",
                [
                    "breatherPermille: the field is missing",
                    "breathersPermille: no such field; did you mean \"breatherPermille\"? "
                        + "Known are \(fields)",
                ]
            ),
            (
                "\"breatherPermille\": 200", "\"breatherPermille\": 2000",
                ["breatherPermille: 2000 must be 0 to 1000"]
            ),
            ("[2, 4]", "[4, 2]", ["refill[1]: 2 must be greater than the previous number"]),
            ("[2, 4]", "[2, 6]", ["refill[1]: 6 must be less than the number of bosses, 6"]),
            (
                "\"stages\"", "\"finale\": {\"golem\": 1}, \"stages\"",
                [
                    "finale: no such field; known are \(fields)"
                ]
            ),
            (
                "\"bossRush\"", "\"bosRush\"",
                [
                    "kind: there is no kind \"bosRush\"; did you mean \"bossRush\"? "
                        + "Known are quest, training, bossRush, worldBoss"
                ]
            ),
            (
                "\"timeLimitSeconds\": 3600", "\"timeLimitSeconds\": 1000",
                ["timeLimitSeconds: 1000 s, but the story takes about 962 s; at most 80%"]
            ),
            (
                "\"titan.enraged-3\"", "\"titan.enraged-4\"",
                [
                    "texts: 1 text is missing: titan.enraged-3",
                    "texts.titan.enraged-4: the pack does not use this text; "
                        + "did you mean \"titan.enraged-3\"?",
                ]
            ),
        ] as [(String, String, [String])])
    func faults(old: String, new: String, expected: [String]) {
        #expect(Self.faults(old, new) == expected)
    }

    @Test("a quest has no order of bosses")
    func quest() {
        #expect(
            Self.faults("\"bossRush\"", "\"quest\"").map { String($0.prefix { $0 != ";" }) } == [
                "finale: the field is missing", "breathSeconds: no such field",
                "breatherPermille: no such field", "order: no such field",
                "refill: no such field",
            ])
    }
}
