import Content
import Foundation
import GameLogic
import PushPolicy
@testable import RangersServer
import Testing

@Suite("The String Catalog")
struct LocalizationTests {
    @Test("C4: every alert and button is a whole sentence in every language, with its gaps")
    func complete() throws {
        #expect(try StringCatalog.embedded().faults(of: LocalizationPhrases.ofCatalog) == [])
    }

    @Test(
        "C4: what stories say is in base.json or in the packs of the program, in every language",
        arguments: [LocalizationPhrases.ofBase, LocalizationPhrases.ofPacks])
    func stories(phrases: [LocalizableText]) throws {
        #expect(phrases.count > 4)
        let words = try Words.embedded()
        EmbeddedPacks.documents.forEach { words.packs.add($0) }
        for phrase in phrases {
            let texts = Language.allCases.map { words.text(phrase, in: $0) }
            #expect(Set(texts).count == texts.count && !texts.contains(phrase.key), "\(texts)")
        }
    }

    @Test("the catalog has no unused key")
    func unused() throws {
        #expect(
            try Set(StringCatalog.embedded().keys) == Set(LocalizationPhrases.ofCatalog.map(\.key)))
    }

    @Test("Q11: the program contains the same file as the iOS app's target")
    func oneSourceOfTruth() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = try Data(
            contentsOf: root.appending(path: "Resources/Localizable/Localizable.xcstrings"))
        #expect(try StringCatalog(json: [UInt8](file)) == StringCatalog.embedded())
    }

    @Test("the keys are the English texts, so that Xcode's editor shows them as such")
    func english() throws {
        let catalog = try StringCatalog.embedded()
        for key in catalog.keys {
            let text = catalog.text(for: key, in: .english)
            #expect(text?.replacing(/%\d\$(@|lld)/) { "%\($0.output.1)" } == key)
        }
    }

    @Test("no text is untranslated English", arguments: Language.allCases)
    func translated(language: Language) throws {
        guard language != .english else { return }
        let catalog = try StringCatalog.embedded()
        #expect(catalog.keys.count == 23)
        // A message brings its own words.
        for key in catalog.keys where key != LocalizableText.messageKey {
            let text = try #require(catalog.text(for: key, in: language))
            #expect(text != catalog.text(for: key, in: .english), "\(key)")
            let hasHanOrKana = text.unicodeScalars.contains { $0.value > 0x3000 }
            #expect(hasHanOrKana == [.japanese, .simplifiedChinese].contains(language), "\(key)")
        }
    }

    @Test("with names of 12 columns no text is wider than 60", arguments: Language.allCases)
    func width(language: Language) throws {
        let catalog = try StringCatalog.embedded()
        let name = String(repeating: "M", count: 12)
        for key in catalog.keys {
            let wording = try #require(catalog.wording(for: key, in: language))
            for form in wording.forms {
                let text = try Format(form.text).filled(with: [name, name])
                #expect(Self.columns(of: text) <= 60, "\(text)")
            }
        }
        #expect(Self.columns(of: "剣 a！") == 6)
    }

    /// By Unicode's East Asian Width: 2 for what the catalog has of wide and full-width characters.
    private static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { columns, scalar in
            let isWide =
                (0x3000...0x9fff).contains(scalar.value)
                || (0xff01...0xff60).contains(scalar.value)
            return columns + (isWide ? 2 : 1)
        }
    }
}

@Suite("What is wrong with a String Catalog")
struct CatalogFaultTests {
    private let phrase = LocalizableText("%@ found %@!", .name("Panda"), .name("Spouty"))

    private func faults(_ english: String?, _ japanese: String?) throws -> [CatalogFault] {
        var texts: [String: String] = [:]
        for language in Language.allCases { texts[language.rawValue] = english }
        texts["ja"] = japanese
        return try LocalizationCatalogs.catalog(["%@ found %@!": texts]).faults(of: [phrase])
    }

    @Test("control: a good catalog has no fault")
    func good() throws {
        #expect(try faults("%1$@ found %2$@!", "%2$@を%1$@が") == [])
    }

    @Test("a missing key is found")
    func missingKey() throws {
        #expect(
            try LocalizationCatalogs.catalog([:]).faults(of: [phrase])
                == [.missingKey("%@ found %@!")])
    }

    @Test("a missing language is found, an empty text too", arguments: [nil, ""])
    func missingLanguage(text: String?) throws {
        #expect(
            try faults("%@ found %@!", text)
                == [.missingLanguage(key: "%@ found %@!", .japanese)])
    }

    @Test(
        "a wrong number of arguments is found",
        arguments: [
            ("%@!", [0]), ("%@%@%@", [0, 1, 2]), ("%1$@%1$@", [0]), ("%2$@", [1]), ("!", []),
        ] as [(String, Set<Int>)])
    func wrongArguments(text: String, used: Set<Int>) throws {
        let gaps = Dictionary(uniqueKeysWithValues: used.map { ($0, Gap.name) })
        #expect(
            try faults("%@ found %@!", text)
                == [
                    .wording(
                        key: "%@ found %@!", .japanese,
                        .wrongGaps(.other, used: gaps, needed: [.name, .name]))
                ])
    }

    @Test(
        "a wrong type of argument is found",
        arguments: [
            ("%@%d", "%d"), ("%d%@", "%d"), ("%1$d%2$@", "%1$"), ("%0$@%@", "%0$"),
            ("%@%@ 100%", "%"),
        ])
    func wrongType(text: String, specifier: String) throws {
        #expect(
            try faults("%@ found %@!", text)
                == [
                    .wording(
                        key: "%@ found %@!", .japanese,
                        .unreadable(.other, .unsupported(specifier)))
                ])
    }

    @Test("a count in the place of a name is found")
    func countForName() throws {
        #expect(
            try faults("%@ found %@!", "%@%lld")
                == [
                    .wording(
                        key: "%@ found %@!", .japanese,
                        .wrongGaps(
                            .other, used: [0: .name, 1: .count], needed: [.name, .name]))
                ])
    }

    @Test("a fault names the key, the language, the form and the correction")
    func words() {
        let fault = CatalogFault.wording(
            key: "%@ found %lld potions!", .german,
            .wrongGaps(.other, used: [0: .name], needed: [.name, .count]))
        #expect(
            "\(fault)"
                == "\"%@ found %lld potions!\" in de, other: it has %1$@; it must have %1$@ and "
                + "%2$lld")
    }
}

@Suite("Reading a String Catalog")
struct StringCatalogTests {
    @Test("what is not JSON is refused with a sentence")
    func garbage() {
        #expect(throws: StringCatalogError.self) { try StringCatalog(json: Array("{]".utf8)) }
    }

    @Test("another version of the format is refused")
    func version() {
        let json = #"{ "version": "2.0", "sourceLanguage": "en", "strings": {} }"#
        #expect(throws: StringCatalogError.unknownVersion("2.0")) {
            try StringCatalog(json: Array(json.utf8))
        }
    }

    @Test("a text with an unsupported specifier is refused")
    func badText() throws {
        let catalog = try LocalizationCatalogs.catalog(["100%": ["en": "100%"]])
        #expect(
            throws: StringCatalogError.badText(key: "100%", language: .english, .unsupported("%"))
        ) {
            try Words(catalog)
        }
    }
}

@Suite("Putting phrases into words")
struct WordsTests {
    @Test(
        "C4: a count chooses the plural form of its language",
        arguments: [
            (.english, 1, "Egghead found a potion!"), (.english, 2, "Egghead found 2 potions!"),
            (.german, 1, "Egghead hat einen Trank gefunden!"),
            (.german, 3, "Egghead hat 3 Tränke gefunden!"),
            (.french, 3, "Egghead a trouvé 3 potions !"),
            (.french, 1_000_000, "Egghead a trouvé 1000000 de potions !"),
            (.spanish, 1, "¡Egghead encontró una poción!"),
            (.spanish, 1_000_000, "¡Egghead encontró 1000000 de pociones!"),
            (.japanese, 1, "Eggheadはポーションを1本見つけた！"),
            (.simplifiedChinese, 3, "Egghead找到了3瓶药水！"),
        ] as [(Language, Int, String)])
    func plural(language: Language, count: Int, said: String) throws {
        let gift = EventTexts.text(
            for: .potionsFound(HeroTag(id: HeroID("e"), name: "Egghead"), count: count))
        let text = try Words.embedded().text(gift, in: language)
        #expect(text.replacing("\u{a0}", with: " ").replacing("\u{202f}", with: " ") == said)
    }

    @Test("no alert has a count: its words come from the phone, which has no plural for a text")
    func alerts() {
        let keys = PartyEvent.Kind.samples(
            of: HeroTag(id: HeroID("a"), name: "A"), with: HeroTag(id: HeroID("b"), name: "B")
        ).compactMap { Policy.rule(for: $0).alert?.alert }.flatMap { [$0.titleKey, $0.bodyKey] }
        #expect(keys.count > 4)
        #expect(!keys.contains { $0.contains("lld") })
    }

    @Test("P10: English reads as Apple's sample does")
    func english() throws {
        let loot = LocalizableText("sword.found", .name("Power Panda"))
        #expect(
            try Words.embedded().text(loot, in: .english) == "Wow! Power Panda found a sword!")
    }

    @Test("C4: each language has its own words", arguments: Language.allCases)
    func languages(language: Language) throws {
        let words = try Words.embedded()
        let hurt = LocalizableText("slime.hits", .name("Egghead"))
        let first = try #require(BaseTexts.texts.texts["slime.hits"]?[language]?.first)
        #expect(
            try words.text(hurt, in: language) == Format(first.other).filled(with: ["Egghead"]))
    }

    /// A pack whose texts are its languages.
    private static let pack = Array(
        """
        {"format": 1, "id": "egg", "version": 1, "kind": "quest", "level": 1, "score": 40,
         "strengthPercent": 100, "bag": 1, "cardGapSeconds": 15, "timeLimitSeconds": 3600,
         "orderAfterSeconds": 120, "lastStandSeconds": 60,
         "secondWind": {"afterSeconds": 180, "times": 1},
         "stages": [{"id": "way", "steps": 3, "paceSeconds": [15, 25],
                     "scenes": {"commonLoot": 1}}],
         "finale": {"dragon": 1}, "commonLoot": {"coin": 1}, "rareLoot": {"crown": 1}}
        """.utf8)
    private static let english = Array(
        """
        {"title": "en", "pitch": "en", "begins": ["en 1", "en 2", "en 3"], "ends.won": "%@",
         "ends.won.down": "%@", "ends.won.away": "%@", "ends.lost": "%@", "ends.night": "%@",
         "ends.fled": "%@"}
        """.utf8)
    private static let german = Array("{\"begins\": [\"de 1\", \"de 2\"]}".utf8)

    @Test("C4: a telling chooses among the variants of the language that has the text")
    func variants() throws {
        let words = try Words.embedded()
        let texts = [Language.english: Self.english, .german: Self.german]
        words.packs.add(try PackDocument(json: Self.pack, texts: texts))
        func said(_ name: String, _ language: Language) -> [String] {
            Telling.samples.map { telling in
                let text = LocalizableText(key: "egg/1.\(name)", arguments: [], telling: telling)
                return words.text(text, in: language)
            }
        }
        for language in [Language.english, .german] {
            let begins = said("begins", language)
            let count = language == .english ? 3 : 2
            #expect(begins.count == Telling.samples.count && Set(begins).count == count)
            #expect(begins.dropFirst(count).elementsEqual(begins.dropLast(count)))
            #expect(begins.allSatisfy { $0.hasPrefix(language.rawValue) })
        }
        // Without its own the pack says what base.json has, before it falls back to English.
        let ends = LocalizableText("egg/1.ends.ended", .name("Foxy"))
        let base = LocalizableText("ends.ended", .name("Foxy"))
        for language in Language.allCases {
            #expect(words.text(ends, in: language) == words.text(base, in: language))
        }
        #expect(Set(said("title", .japanese)) == ["en"])
        #expect(
            Set(words.texts(LocalizableText("egg/1.begins"), in: .german)) == ["de 1", "de 2"])
    }

    @Test(
        "language tags",
        arguments: [
            ("en-GB", Language.english), ("de-AT", .german), ("fr", .french), ("es-419", .spanish),
            ("JA", .japanese), ("zh", .simplifiedChinese), ("zh-Hans-HK", .simplifiedChinese),
            ("zh-TW", nil), ("zh-Hant", nil), ("tlh", nil), ("", nil),
        ] as [(String, Language?)])
    func tags(tag: String, language: Language?) {
        #expect(Language(tag: tag) == language)
    }

    @Test("C4: a sentence of two heroes says which is which", arguments: Language.allCases)
    func order(language: Language) throws {
        let texts = BaseTexts.texts.texts.filter { _, texts in
            texts[.english]?.first?.other.contains("%2$@") == true
        }
        #expect(texts.keys.sorted() == ["hero.gives", "hero.guards", "hero.needs"])
        for variant in texts.values.flatMap({ $0[language] ?? [] }) {
            #expect(variant.other.contains("%1$@") && variant.other.contains("%2$@"))
        }
    }

    @Test("a missing translation falls back to English, and an unknown phrase to its key")
    func fallback() throws {
        let words = try Words(LocalizationCatalogs.catalog(["Hi %@": ["en": "Hello, %@"]]))
        #expect(words.text(LocalizableText("Hi %@", .name("Foxy")), in: .japanese) == "Hello, Foxy")
        #expect(words.text(LocalizableText("Who?"), in: .japanese) == "Who?")
    }

    @Test("a name is never taken for a format")
    func hostileName() throws {
        let phrase = LocalizableText("coin.found", .name("%2$@ %d %%"))
        #expect(try Words.embedded().text(phrase, in: .english) == "%2$@ %d %% found a coin!")
    }

    @Test(
        "%% is a percent sign; positions may repeat and swap",
        arguments: [
            ("100%% %@", "100% A"), ("%2$@ %1$@", "B A"), ("%1$@ %1$@", "A A"), ("", ""),
        ])
    func formats(text: String, filled: String) throws {
        #expect(try Format(text).filled(with: ["A", "B"]) == filled)
    }
}
