import GameLogic
import Testing

@testable import Playtest

@Suite("A bot")
struct BotTests {
    private func tap(
        _ button: CardButton, temper: Bot.Temper = .careful, place: Int = 0
    ) throws -> Bot.Tap? {
        try Sample.bot().tap(button, temper: temper, place: place)
    }

    @Test("F1: that has fallen helps itself, and one with a friend in need the friend")
    func potions() throws {
        for temper in [Bot.Temper.careful, .bold] {
            #expect(try tap(.drink(.down), temper: temper) == .usePotion(on: "hero"))
            #expect(
                try tap(.give(friend: "friend"), temper: temper) == .usePotion(on: "friend"))
        }
    }

    @Test("drinks when weak if it is careful, not if it is bold")
    func temper() throws {
        #expect(try tap(.drink(.danger)) == .usePotion(on: "hero"))
        #expect(try tap(.drink(.danger), temper: .bold) == nil)
    }

    @Test("of two neighbours one says yes to a question")
    func answers() throws {
        let button = CardButton.answer(ask: 3, button: "Run!")
        #expect(try tap(button, place: 1) == .sayYes(ask: 3, button: "Run!"))
        #expect(try tap(button, place: 2) == nil)
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
