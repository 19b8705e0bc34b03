internal import GameLogic
internal import PushPolicy
internal import Testing

@testable internal import Content

@Suite("C4: variants of a text") struct VariantTests {
    /// What is wrong when the German peck has these texts, as JSON.
    private static func faults(_ json: String) -> [String] {
        PackFile.faults(replacing: german, by: "\"de\": \(json)")
    }

    private static let german = "\"de\": \"The magpie pecked %@.\""

    @Test("a text has up to eight, plural forms among them")
    func sound() throws {
        let eight = (1...8).map { "\"%@: \($0)!\"" }.joined(separator: ", ")
        #expect(Self.faults("[\(eight)]") == [])
        #expect(Self.faults("[\"%@!\"]") == [])
        let json = PackFile.json(
            replacing: Self.german, by: "\"de\": [\"%@!\", {\"other\": \"Au, %@!\"}]")
        let texts = try PackDocument(json: json).texts.texts["magpie.hits"]
        #expect(texts?[.german] == [.plain("%@!"), .plural([.other: "Au, %@!"])])
        #expect(texts?[.english] == [.plain("The magpie pecked %@.")])
    }

    @Test(
        "each is checked, and the fault names it",
        arguments: [
            (
                "[\"%@ 1\", \"%@ 2\", \"%@ 3\", \"%@ 4\", \"%@ 5\", \"%@ 6\", \"%@ 7\", \"%@ 8\", "
                    + "\"%@ 9\"]",
                [
                    "texts.magpie.hits.de: 9 are too many; at most 8",
                    "texts.de: warning: 1 text is missing: magpie.hits",
                ]
            ),
            (
                "[]",
                [
                    "texts.magpie.hits.de: it is empty; give 1 to 8",
                    "texts.de: warning: 1 text is missing: magpie.hits",
                ]
            ),
            (
                "[\"%@!\", \"Au!\"]",
                ["texts.magpie.hits.de[1]: it has no placeholder; it must have %1$@"]
            ),
            (
                "[\"%@!\", \"Au, %@!\", \"%@!\"]",
                ["texts.magpie.hits.de[2]: it is the same text as [0]; write another"]
            ),
            (
                "[\"%@!\", {\"one\": \"%@\", \"other\": \"%@\"}]",
                ["texts.magpie.hits.de[1].one: there is no such plural form here; there is other"]
            ),
            (
                "[\"%@!\", \"%@ \(String(repeating: "x", count: 50))\"]",
                ["texts.magpie.hits.de[1]: 63 columns with a long name; 60 fit the card"]
            ),
            ("[\"%@!\", 5]", ["texts.magpie.hits.de[1]: it must be a text"]),
        ] as [(String, [String])])
    func faults(json: String, expected: [String]) {
        #expect(Self.faults(json) == expected)
    }

    @Test("when its time is over a pack may say so itself")
    func night() {
        let own = "\"party.night\": {\"en\": [\"The sun is up!\", \"Good morning!\"]}"
        #expect(
            PackFile.faults(replacing: "\"ends.fled\":", by: "\(own),\n    \"ends.fled\":") == [])
    }

    @Test("a title has none")
    func title() {
        #expect(
            PackFile.faults(
                replacing: "\"fr\": \"The Stolen Pie\"", by: "\"fr\": [\"Tarte\", \"La tarte\"]")
                == ["texts.title.fr: it has no variants; keep one text"])
    }
}

@Suite("C4: the languages of a pack") struct PackLanguageTests {
    private static func faults(_ languages: String, without: String = "") -> [String] {
        let json = String(
            decoding: PackFile.json(
                replacing: "\"bag\": 1,", by: "\"bag\": 1, \"languages\": \(languages),"),
            as: UTF8.self)
        let removed = without.isEmpty ? json : json.replacing(without, with: "")
        return PackFile.faults(of: Array(removed.utf8))
    }

    private static let all = "[\"en\", \"de\", \"es\", \"fr\", \"ja\", \"zh-Hans\"]"

    @Test("a named language is complete, or the pack is refused; one line says what it lacks")
    func named() {
        #expect(Self.faults(Self.all) == [])
        #expect(
            Self.faults(Self.all, without: "\"de\": \"The Stolen Pie\", ")
                == ["texts.de: 1 text is missing: title"])
        #expect(
            Self.faults("[\"en\"]").first
                == "languages: there are texts in \"de\"; name it, or remove them")
        #expect(Self.faults("[\"en\"]").count == 5)
    }

    @Test("English is one of them: the others fall back to it")
    func english() {
        #expect(
            Self.faults("[\"de\", \"es\", \"fr\", \"ja\", \"zh-Hans\"]") == [
                "languages: \"en\" is missing; other languages fall back to it",
                "languages: there are texts in \"en\"; name it, or remove them",
            ])
    }

    @Test("a language is known, and named once")
    func known() {
        #expect(
            Self.faults("[\"en\", \"de\", \"de\", \"es\", \"fr\", \"ja\", \"zh-Hans\"]").first
                == "languages: 7 are too many; at most 6")
        #expect(
            Self.faults("[\"en\", \"it\", \"en\"]").prefix(2) == [
                "languages[1]: there is no language \"it\"; known are en, de, es, fr, ja, zh-Hans",
                "languages[2]: \"en\" occurs twice; keep one",
            ])
    }

    @Test("without names a pack is written in the languages that it has; a gap is a warning")
    func unnamed() throws {
        let texts: [Language: [UInt8]] = [
            .english: Array(PackFile.textsFile.utf8),
            .german: Array("{\"title\": \"Kuchen\"}".utf8),
        ]
        let document = try PackDocument(json: Array(PackFile.rulesFile.utf8), texts: texts)
        #expect(document.texts.languages == [.english, .german])
        let keys = PackFile.texts.map(\.0).sorted().filter { $0 != "title" }
        #expect(
            document.warnings.map(\.description) == [
                "texts.de: warning: \(keys.count) texts are missing: "
                    + keys.prefix(8).joined(separator: ", ") + " and \(keys.count - 8) more"
            ])
    }
}

@Suite("C4: texts in a file a language") struct TextFileTests {
    private static let rules = Array(PackFile.rulesFile.utf8)
    private static let english = Array(PackFile.textsFile.utf8)

    @Test("they are the pack's as if they were in its file")
    func split() throws {
        let files = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, Self.english) })
        let split = try PackDocument(json: Self.rules, texts: files)
        let whole = try PackDocument(json: Array(PackFile.json.utf8))
        #expect(split.rulesBody == whole.rulesBody && split.textsBody == whole.textsBody)
        let joined = try PackDocument(json: PackDocument.joined(Self.rules, files))
        #expect(joined.textsBody == whole.textsBody)
        #expect(try PackDocument.joined(Self.rules, [:]) == Self.rules)
    }

    @Test(
        "each fault names the language",
        arguments: [
            ("{\n  \"title\": \"Kuchen\",\n}", "texts.de: line 3, column 1: it is not JSON"),
            ("[]", "texts.de: it must be an object"),
            (
                "{\"title\": \"Kuchen\", \"title\": \"Torte\"}",
                "texts.title.de: the field occurs twice; keep one"
            ),
            ("{\"titel\": \"Kuchen\"}", "texts.titel: the pack does not use this text"),
        ])
    func faults(file: String, expected: String) {
        let faults = PackFile.faults(
            of: Self.rules, texts: [.english: Self.english, .german: Array(file.utf8)])
        #expect(faults.first?.hasPrefix(expected) == true, "\(faults)")
    }

    @Test("a text is in one place")
    func twice() {
        let faults = PackFile.faults(
            of: Array(PackFile.json.utf8), texts: [.german: Array("{\"title\": \"Torte\"}".utf8)])
        #expect(faults == ["texts.title.de: the field occurs twice; keep one"])
    }

    @Test("without any texts the field is missing")
    func none() {
        #expect(PackFile.faults(of: Self.rules).first == "texts: the field is missing")
    }

    @Test("all files together have the limit of one")
    func size() {
        let spaces = [UInt8](repeating: 0x20, count: PackDocument.bytesMax - Self.rules.count + 1)
        #expect(
            PackFile.faults(of: Self.rules, texts: [.english: spaces])
                == ["\(PackDocument.bytesMax + 1) bytes are too many; at most 262144"])
    }

    @Test("they lie beside the pack's file, with the language in the name")
    func names() {
        #expect(PackFileName.ofTexts(in: .german, beside: "a/egg.json") == "a/egg.de.json")
        #expect(
            PackFileName.ofTexts(in: .simplifiedChinese, beside: "egg.json") == "egg.zh-Hans.json")
        #expect(PackFileName.isOfTexts("egg.zh-Hans.json"))
        #expect(!PackFileName.isOfTexts("egg.json") && !PackFileName.isOfTexts("de.json"))
    }
}

@Suite("C4: the texts of base.json") struct BaseTextTests {
    @Test("they are complete in every language, fill their gaps, and fit the card")
    func complete() {
        #expect(BaseTexts.faults(of: BaseTexts.texts) == [])
        #expect(BaseTexts.texts.languages == Language.allCases)
    }

    @Test("a missing one is a fault")
    func missing() {
        var texts = BaseTexts.texts.texts
        texts["slime.hits"] = nil
        #expect(
            BaseTexts.faults(of: PackTexts(texts)).contains(
                PackFault("texts", "1 text is missing: slime.hits")))
    }

    @Test("every event has its sentence in them, or in a pack")
    func events() {
        let hero = HeroTag(id: HeroID("a"), name: "A")
        for kind in PartyEvent.Kind.samples(of: hero, with: hero) {
            guard let key = kind.sentenceKey else { continue }
            let (pack, name) = PackKey.parts(of: key)
            let document = EmbeddedPacks.documents.first {
                "\($0.pack.reference)" == pack.map(String.init)
            }
            let texts = BaseTexts.texts.texts[String(name)] ?? document?.texts.texts[String(name)]
            #expect(texts?[.english]?.isEmpty == false, "\(key)")
        }
    }

    @Test(
        "a key has its pack before the first dot after the slash",
        arguments: [
            ("slime.hits", nil, "slime.hits"), ("ends.won.down", nil, "ends.won.down"),
            ("egg/12.a.hits", "egg/12", "a.hits"), ("egg/1.ends.won", "egg/1", "ends.won"),
        ] as [(String, String?, String)])
    func keys(key: String, pack: String?, name: String) {
        let parts = PackKey.parts(of: key)
        #expect(parts.pack.map(String.init) == pack && parts.key == name)
        #expect(PackKey.isOfPack(key) == (pack != nil))
    }
}
