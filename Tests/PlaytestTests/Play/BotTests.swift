import GameLogic
import Testing

@testable import Playtest

@Suite("A bot")
struct BotTests {
    private func target(
        _ heroes: MemberState..., temper: Bot.Temper = .careful
    ) throws -> String? {
        try Sample.bot().potionTarget(in: Sample.party(heroes: heroes), temper: temper)
    }

    @Test("without a potion it reaches for none")
    func noPotion() throws {
        #expect(try target(Sample.member("hero", condition: "knockedDown")) == nil)
    }

    @Test("that has fallen helps itself first")
    func itself() throws {
        #expect(
            try target(
                Sample.member("hero", potions: 1, condition: "knockedDown"),
                Sample.member("friend", condition: "knockedDown")) == "hero")
    }

    @Test("helps a fallen friend who has no potion, and leaves one who has to themselves")
    func friend() throws {
        let own = Sample.member("hero", potions: 1)
        #expect(
            try target(
                own, Sample.member("rich", potions: 1, condition: "knockedDown"),
                Sample.member("poor", condition: "knockedDown")) == "poor")
        #expect(
            try target(own, Sample.member("rich", potions: 1, condition: "knockedDown")) == nil)
    }

    @Test("drinks when weak if it is careful, not if it is bold")
    func temper() throws {
        let weak = Sample.member("hero", health: 0.2, potions: 1)
        #expect(try target(weak) == "hero")
        #expect(try target(weak, temper: .bold) == nil)
        #expect(try target(Sample.member("hero", health: 0.25, potions: 1)) == nil)
    }

    @Test("that is out of reach does nothing")
    func away() throws {
        #expect(
            try target(Sample.member("hero", health: 0.1, potions: 1, condition: "disconnected"))
                == nil)
    }

    @Test("T4: another token is 40 bytes of lower-case hex, and another activity comes with one")
    func tokens() throws {
        var dice = SeededRandom(seed: 1)
        var bot = try Sample.bot()
        bot.rotateToken(&dice)
        let token = bot.pushToken
        #expect(token.count == 80)
        #expect(token.allSatisfy { "0123456789abcdef".contains($0) })
        bot.requestActivity(&dice)
        #expect(bot.pushToken != token)
        #expect(bot.activity != "activity")
    }
}
