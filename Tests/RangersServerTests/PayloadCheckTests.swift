import APNsClient
import Foundation
import GameLogic
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Every push that the server can send is linted before the first one")
struct PayloadCheckTests {
    @Test("A2: every kind of event, in every language, as an update and as an end")
    func embedded() throws {
        #expect(try PayloadCheck(words: .embedded()).faults() == [])
    }

    @Test("A7: a start with the longest names a hero may have is linted too")
    func starts() throws {
        let long = String(repeating: "あ", count: 1400)
        let check = PayloadCheck(
            words: try words(saying: long, instead: "hero.joins"))
        #expect(check.startFaults().count == 4)
        #expect(check.startFaults().allSatisfy { $0.hasPrefix("a start in ja: ") })
    }

    @Test(
        "A8: a broadcast takes 4,096 bytes of content, which a push to one device has no room for",
        arguments: [(1348, 0), (1349, 2), (1800, 2)])
    func broadcasts(count: Int, faultCount: Int) throws {
        let text = String(repeating: "あ", count: count)
        let check = PayloadCheck(words: try words(saying: text, instead: "storm.comes"))
        let faults = check.broadcastFaults()
        #expect(faults.count == faultCount)
        #expect(faults.allSatisfy { $0.hasPrefix("a broadcast of \"storm.comes\" in ja: ") })
        #expect(check.faults().count == faultCount + 2)
    }

    /// The embedded catalog's phrases, and one of base.json with another Japanese text.
    private func words(saying text: String, instead key: String) throws -> Words {
        let embedded = try StringCatalog.embedded()
        var texts: [String: [String: String]] = [:]
        for key in embedded.keys {
            for language in Language.allCases {
                texts[key, default: [:]][language.rawValue] = embedded.text(for: key, in: language)
            }
        }
        texts[key, default: [:]]["ja"] = text
        return try Words(LocalizationCatalogs.catalog(texts))
    }

    @Test("a translation that is too long for a payload is found, with its key and language")
    func tooLong() throws {
        let long = String(repeating: "冒険", count: 672)
        let check = PayloadCheck(words: try words(saying: long, instead: "storm.comes"))
        let faults = check.faults()
        #expect(faults.count == 2)
        for fault in faults {
            #expect(fault.hasPrefix("\"storm.comes\" in ja: the payload has "))
            #expect(fault.contains("APNs accepts 4096"))
        }
    }

    @Test("control: the catalog that was taken apart and put together again has no fault")
    func control() throws {
        let check = PayloadCheck(words: try words(saying: "嵐だ！", instead: "storm.comes"))
        #expect(check.faults() == [])
        #expect(throws: Never.self) { try check.run() }
    }

    @Test("the server does not start with a fault, and says the first of them in words")
    func refused() throws {
        let long = String(repeating: "あ", count: 1345)
        let check = PayloadCheck(words: try words(saying: long, instead: "storm.comes"))
        let error = #expect(throws: PayloadFaults.self) { try check.run() }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("devices would ignore 2 of this server's pushes"))
        #expect(words.contains("correct the texts"))
    }

    @Test("L4, L5: the linter requires every field of Apple's sample, with fractions from 0 to 1")
    func schema() {
        let hero = ContentSchema([
            .init("avatar", .text), .init("battleCode", .text), .init("bio", .text),
            .init("exp", .integer), .init("healthLevel", .number(in: 0...1)),
            .init("healthRecoveryRatePerHour", .number(in: 0...1)), .init("heroType", .text),
            .init("level", .integer), .init("name", .text), .init("url", .text),
        ])
        let ask = ContentSchema([
            .init("button", .text), .init("endsAt", .integer, .optional),
            .init("id", .integer, .optional), .init("kind", .text),
            .init("mine", .truth, .optional), .init("of", .integer, .optional),
            .init("text", .text), .init("yes", .integer, .optional),
        ])
        let deadline = ContentSchema([.init("at", .integer), .init("kind", .text)])
        let mate = ContentSchema([.init("avatar", .text), .init("mood", .integer)])
        let sample = LiveActivitySchema(
            contentState: ContentSchema([
                .init("ask", .object(ask), .optional), .init("boss", .integer, .optional),
                .init("currentHealthLevel", .number(in: 0...1)),
                .init("deadline", .object(deadline), .optional),
                .init("eventDescription", .text), .init("link", .text, .optional),
                .init("team", .array(.object(mate)), .optional),
                .init("way", .integer, .optional),
            ]), attributesType: "AdventureAttributes",
            attributes: ContentSchema([.init("hero", .object(hero))]))
        #expect(LiveActivitySchema.adventure == sample)
    }

    @Test("L4: the attributes lead to the hero in the app")
    func attributes() {
        let panda = Hero(
            id: HeroID("panda"), owner: PlayerID("player"), name: "Power Panda", avatar: "🐼",
            heroType: "Forest Dweller")
        let hero = AdventureAttributes(of: panda).hero
        #expect(hero.healthLevel == 1)
        #expect(hero.url == "game:///panda" && hero.battleCode == "game:///panda/battle")
    }

    @Test("a payload of another state is found (the check can fail)")
    func wrongState() throws {
        struct Renamed: Encodable { let health = 0.5 }
        let payload = try LiveActivityPayload.update(at: 1_685_952_000, state: Renamed()).encoded()
        let rules = PayloadLinter(schema: .adventure).findings(in: payload).map(\.rule.id)
        #expect(rules == ["field-missing", "field-missing", "field-unknown"])
    }
}
