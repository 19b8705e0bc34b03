internal import Testing

@testable internal import Content

@Suite("What is wrong with a pack") struct PackLinterTests {
    @Test("a pack in order has no faults")
    func sound() throws {
        let document = try PackDocument(json: Array(PackFile.json.utf8))
        #expect(document.warnings == [])
        #expect(document.minutes == 5)
    }

    @Test(
        "each fault names its place, what is wrong, and what would be right",
        arguments: [
            (
                "\"steps\": 6,", "\"stepps\": 6,",
                [
                    "stages[0].steps: the field is missing",
                    "stages[0].stepps: no such field; did you mean \"steps\"? Known are id, steps, "
                        + "paceSeconds, scenes, foes, next, fork",
                ]
            ),
            (
                "\"steps\": 6,", "\"steps\": 6, \"steps\": 7,",
                ["stages[0].steps: the field occurs twice; keep one"]
            ),
            ("\"steps\": 6,", "\"steps\": 6.5,", ["stages[0].steps: it must be a whole number"]),
            ("\"format\": 1,", "\"format\": 2,", ["format: 2 must be 1 to 1"]),
            (
                "\"quest\"", "\"opera\"",
                [
                    "kind: there is no kind \"opera\"; "
                        + "known are quest, training, bossRush, worldBoss"
                ]
            ),
            (
                "[15, 25]", "[25, 15]",
                ["stages[0].paceSeconds: 25 is more than 15; the smaller number comes first"]
            ),
            ("[15, 25]", "[1, 25]", ["stages[0].paceSeconds[0]: 1 must be 12 to 900"]),
            (
                "{\"magpie\": 2,", "{\"magpei\": 2,",
                [
                    "stages[0].foes.magpei: this pack and base.json have no foe \"magpei\"; "
                        + "did you mean \"magpie\"? Known are bat, ghost, goblin, magpie, slime, troll"
                ]
            ),
            (
                "{\"raccoon\": 1}", "{\"dargon\": 1}",
                [
                    "finale.dargon: this pack and base.json have no boss \"dargon\"; "
                        + "did you mean \"dragon\"? Known are dragon, kraken, raccoon, robot"
                ]
            ),
            (
                "\"commonLoot\": 4, \"foe\": 4", "\"loot\": 4, \"foe\": 4",
                [
                    "stages[0].scenes.loot: there is no scene \"loot\"; known are commonLoot, "
                        + "rareLoot, campfire, foe, woods, storm, tale"
                ]
            ),
            (
                "\"foes\": {\"magpie\": 2, \"slime\": 1}}",
                "\"foes\": {\"magpie\": 2, \"slime\": 1}, \"next\": \"trial\"}",
                [
                    "stages[0].next: there is no stage \"trial\"; did you mean \"trail\"? "
                        + "Known are trail, boss"
                ]
            ),
            (
                "\"moves\": [\"blow\"]}]", "\"moves\": [\"blow\", \"bite\"]}]",
                [
                    "bosses.raccoon.phases[1].moves[1]: there is no move \"bite\"; "
                        + "known are blow, sweep, charge, drain"
                ]
            ),
            (
                "{\"crumb\": 3, \"coin\": 1}", "{\"crumb\": 3, \"cion\": 1}",
                [
                    "texts.cion.found: the text is missing, and base.json has no item \"cion\"; "
                        + "did you mean \"coin\"? Known are coin, mushroom, rope, map, acorn, sword, "
                        + "shield, crown, crystal, cloak"
                ]
            ),
            (
                "\"commonLoot\": 4, \"foe\": 4, ", "",
                [
                    "stages[0]: these scenes are not always possible; "
                        + "give commonLoot or foe a weight"
                ]
            ),
            (
                "\"commonLoot\": 4, \"foe\": 4", "\"tale\": 4",
                [
                    "stages[0]: these scenes are not always possible; "
                        + "give commonLoot or foe a weight",
                    "stages[0]: the scene \"tale\" needs tales; add \"tales\" to the pack",
                ]
            ),
            (
                "\"foes\": {\"magpie\": 2, \"slime\": 1}}",
                "\"foes\": {\"magpie\": 2, \"slime\": 1}, \"fork\": {\"id\": \"hedge\", "
                    + "\"bold\": \"boss\", \"safe\": \"boss\", \"waitSeconds\": 61}}",
                ["stages[0].fork.waitSeconds: 61 must be 15 to 60"]
            ),
            ("\"foe\": 4", "\"foe\": 0", ["stages[0].scenes.foe: 0 must be 1 to 1000"]),
            (
                "\"rareLoot\": {\"crown\": 1}", "\"rareLoot\": {}",
                ["rareLoot: it is empty; give at least one item"]
            ),
            (
                "\"timeLimitSeconds\": 1200", "\"timeLimitSeconds\": 300",
                ["timeLimitSeconds: 300 s, but the story takes about 242 s; at most 80%"]
            ),
            (
                "[120, 200]", "[120, 600]",
                [
                    "bosses.raccoon.phases[1].damagePercent: "
                        + "a critical blow takes 1083 of 1000; at most 950"
                ]
            ),
            (
                "\"id\": \"stolen-pie\"", "\"id\": \"Stolen Pie\"",
                ["id: \"Stolen Pie\" is not an id; an id has 1 to 32 of a-z, 0-9 and -"]
            ),
        ] as [(String, String, [String])])
    func faults(old: String, new: String, expected: [String]) {
        #expect(PackFile.faults(replacing: old, by: new) == expected)
    }

    @Test(
        "texts are complete, fit the card, and advertise nothing",
        arguments: [
            ("\"en\": \"The Stolen Pie\", ", "", ["texts.en: 1 text is missing: title"]),
            (
                "\"ja\": \"The Stolen Pie\", ", "",
                ["texts.ja: warning: 1 text is missing: title"]
            ),
            (
                "\"magpie.hits\"", "\"magpie.hit\"",
                [
                    "texts: 1 text is missing: magpie.hits",
                    "texts.magpie.hit: the pack does not use this text; "
                        + "did you mean \"magpie.hits\"?",
                ]
            ),
            (
                "\"de\": \"The magpie pecked %@.\"", "\"de\": \"The magpie pecked.\"",
                ["texts.magpie.hits.de: it has no placeholder; it must have %1$@"]
            ),
            (
                "\"de\": \"The magpie pecked %@.\"", "\"de\": \"The magpie pecked %d.\"",
                [
                    "texts.magpie.hits.de: \"%d\" is not %@, %lld, %1$@ to %9$@ or %%; "
                        + "write a percent sign as %%."
                ]
            ),
            ("\"de\": \"The magpie pecked %@.\"", "\"de\": \"%1$@: gehackt.\"", []),
            (
                "\"de\": \"The magpie pecked %@.\"", "\"de\": \"%1$@: 5 $.\"",
                ["texts.magpie.hits.de: it has a price; a card must not advertise"]
            ),
            (
                "\"de\": \"The magpie pecked %@.\"",
                "\"de\": {\"ones\": \"%@\", \"few\": \"%@\", \"other\": \"%@ %lld\"}",
                [
                    "texts.magpie.hits.de.ones: there is no plural form \"ones\"; did you mean "
                        + "\"one\"? Known are zero, one, two, few, many, other",
                    "texts.magpie.hits.de.few: there is no such plural form here; there is other",
                    "texts.magpie.hits.de.other: it has %1$@ and %2$lld; it must have %1$@",
                ]
            ),
            (
                "\"ja\": \"The magpie pecked %@.\"",
                "\"ja\": \"カササギが%@をつついたつついたつついたつついたつついた。\"",
                ["texts.magpie.hits.ja: 66 columns with a long name; 60 fit the card"]
            ),
            (
                "\"fr\": \"Six minutes, one pie.\"", "\"fr\": \"Six\\nminutes\"",
                ["texts.pitch.fr: it has characters that cannot be shown"]
            ),
            (
                "\"fr\": \"Six minutes, one pie.\"", "\"fr\": \"Six \u{202E}minutes\"",
                ["texts.pitch.fr: it has characters that cannot be shown"]
            ),
            (
                "\"fr\": \"Six minutes, one pie.\"", "\"fr\": \"www.pie.example\"",
                ["texts.pitch.fr: it has an address; a card must not advertise"]
            ),
            (
                "\"fr\": \"Six minutes, one pie.\"", "\"it\": \"Sei minuti.\"",
                [
                    "texts.pitch.it: there is no language \"it\"; "
                        + "known are en, de, es, fr, ja, zh-Hans",
                    "texts.fr: warning: 1 text is missing: pitch",
                ]
            ),
        ] as [(String, String, [String])])
    func words(old: String, new: String, expected: [String]) {
        #expect(PackFile.faults(replacing: old, by: new) == expected)
    }

    @Test("errors come before warnings")
    func order() {
        let json = String(
            decoding: PackFile.json(replacing: "\"de\": \"The Stolen Pie\", ", by: ""),
            as: UTF8.self)
        let spoilt = json.replacing("\"ends.won\"", with: "\"won\"")
        #expect(
            PackFile.faults(of: Array(spoilt.utf8)) == [
                "texts: 1 text is missing: ends.won",
                "texts.won: the pack does not use this text",
                "texts.de: warning: 1 text is missing: title",
            ])
    }

    @Test("a thing may have the name of a part of a text's key")
    func button() {
        let long = "%@ found a button, sewed it on and looks dashing."
        let json = PackFile.json.replacing("\"crumb\": 3", with: "\"button\": 3")
            .replacing("\"crumb.found\"", with: "\"button.found\"")
            .replacing("%@ found a crumb!", with: long)
        #expect(PackFile.faults(of: Array(json.utf8)) == [])
    }

    @Test("what is no JSON is named by line and column")
    func syntax() {
        #expect(
            PackFile.faults(replacing: "\"format\": 1,", by: "\"format\": 1;")
                == ["line 2, column 14: it is not JSON; here should be a comma or }"])
        #expect(PackFile.faults(replacing: PackFile.json, by: "[]") == ["it must be an object"])
    }

    @Test("all faults come at once")
    func all() throws {
        let bytes = PackFile.json
            .replacing("\"level\": 1,", with: "\"level\": 99,")
            .replacing("\"strengthPercent\": 100", with: "\"strengthPercent\": 0")
            .replacing("\"exp\": 20", with: "\"exp\": -1")
        let error = #expect(throws: PackFaults.self) { try PackDocument(json: Array(bytes.utf8)) }
        #expect(
            error?.faults.map(\.path) == ["level", "strengthPercent", "foes.magpie.exp"])
    }

    @Test("a file has its limit")
    func size() {
        let error = #expect(throws: PackFaults.self) {
            try PackDocument(json: [UInt8](repeating: 0x20, count: PackDocument.bytesMax + 1))
        }
        #expect(error?.description == "262145 bytes are too many; at most 262144")
    }
}
