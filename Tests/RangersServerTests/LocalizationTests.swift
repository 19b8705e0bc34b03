import Foundation
import GameLogic
import PushPolicy
import RangersServer
import Testing

@Suite("The String Catalog")
struct LocalizationTests {
    @Test("C4: every phrase, alert and word has its text in every language, with its gaps")
    func complete() throws {
        #expect(try StringCatalog.embedded().faults(saying: LocalizationPhrases.all) == [])
    }

    @Test("the phrases under test come from every kind of event")
    func kinds() {
        let numbers = LocalizationPhrases.kinds.map(LocalizationPhrases.number)
        #expect(Set(numbers) == Set(0...20))
    }

    @Test("no key of the catalog is left over")
    func unused() throws {
        let said = LocalizationPhrases.all.flatMap { phrase in
            [phrase.key]
                + phrase.arguments.compactMap { argument in
                    if case .word(let key) = argument { key } else { nil }
                }
        }
        let leftOver = try Set(StringCatalog.embedded().keys).subtracting(said)
        // What a card says of which nothing else is known.
        #expect(leftOver == ["Adventure over!"])
    }

    @Test("Q11: the program holds the very file that the iOS app adds to its target")
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
            #expect(text?.replacing(/%\d\$@/, with: "%@") == key)
        }
    }

    @Test("Japanese is not English left as it is")
    func japanese() throws {
        let catalog = try StringCatalog.embedded()
        for key in catalog.keys {
            let text = try #require(catalog.text(for: key, in: .japanese))
            #expect(text.unicodeScalars.contains { $0.value > 0x3000 }, "\(key)")
        }
    }
}

@Suite("What is wrong with a String Catalog")
struct CatalogFaultTests {
    private let phrase = Phrase("%@ found %@!", .name("Panda"), .word("a coin"))

    private func faults(_ english: String?, _ japanese: String?) throws -> [CatalogFault] {
        var texts = ["a coin": ["en": "a coin", "ja": "コイン"]]
        var pair: [String: String] = [:]
        pair["en"] = english
        pair["ja"] = japanese
        texts["%@ found %@!"] = pair
        return try LocalizationCatalogs.catalog(texts).faults(saying: [phrase])
    }

    @Test("control: a good catalog has no fault")
    func good() throws {
        #expect(try faults("%1$@ found %2$@!", "%2$@を%1$@が") == [])
    }

    @Test("a missing key is found, a missing word too")
    func missingKey() throws {
        let catalog = try LocalizationCatalogs.catalog([
            "%@ found %@!": ["en": "%@ found %@!", "ja": "%@が%@"]
        ])
        #expect(catalog.faults(saying: [phrase]) == [.missingKey("a coin")])
        #expect(
            try LocalizationCatalogs.catalog([:]).faults(saying: [phrase])
                == [.missingKey("%@ found %@!"), .missingKey("a coin")])
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
        #expect(
            try faults("%@ found %@!", text)
                == [
                    .wrongArguments(key: "%@ found %@!", .japanese, expected: 2, used: used)
                ])
    }

    @Test(
        "a wrong type of argument is found",
        arguments: [
            ("%@%lld", "%l"), ("%d%@", "%d"), ("%1$d%2$@", "%1$"), ("%0$@%@", "%0$"),
            ("%@%@ 100%", "%"),
        ])
    func wrongType(text: String, specifier: String) throws {
        #expect(
            try faults("%@ found %@!", text)
                == [.wrongType(key: "%@ found %@!", .japanese, .unsupported(specifier))])
    }

    @Test("a fault says which key, which language and what to write")
    func words() {
        let fault = CatalogFault.wrongArguments(
            key: "%@ found %@!", .japanese, expected: 2, used: [0])
        #expect("\(fault)" == "\"%@ found %@!\" has 2 arguments; its text in ja uses [1].")
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

    @Test("words cannot be made of a text that no word can fill")
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
    private let loot = Phrase("%@ found %@!", .name("Power Panda"), .word("a sword"))

    @Test("P10: English reads as Apple's sample does")
    func english() throws {
        #expect(try Words.embedded().text(loot, in: .english) == "Power Panda found a sword!")
    }

    @Test("C4: Japanese puts the words in its own order")
    func japanese() throws {
        let words = try Words.embedded()
        let hurt = Phrase("%@ was hurt by %@.", .name("Egghead"), .word("a slime"))
        #expect(words.text(loot, in: .japanese) == "Power Pandaが剣を見つけた！")
        #expect(words.text(hurt, in: .japanese) == "スライムのこうげき！Eggheadはかすりきず。")
    }

    @Test("what a language lacks is said in English, and what nobody knows by its key")
    func fallback() throws {
        let words = try Words(LocalizationCatalogs.catalog(["Hi %@": ["en": "Hello, %@"]]))
        #expect(words.text(Phrase("Hi %@", .name("Foxy")), in: .japanese) == "Hello, Foxy")
        #expect(words.text(Phrase("Who?"), in: .japanese) == "Who?")
    }

    @Test("a name is never taken for a format")
    func hostileName() throws {
        let phrase = Phrase("%@ found %@!", .name("%2$@ %d %%"), .word("a coin"))
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
