import GameLogic
import Testing

/// The dice: whatever Swift version rolls them, saved games stay as they are.
struct SeededRandomTests {
    @Test("the dice are SplitMix64")
    func knownValues() {
        var dice = SeededRandom(seed: 1_234_567)
        #expect(dice.next() == 6_457_827_717_110_365_317)
        #expect(dice.next() == 3_203_168_211_198_807_973)
    }

    @Test("a draw reaches both ends of its range and nothing beyond")
    func range() {
        var dice = SeededRandom(seed: 1)
        let draws = Set((0..<1000).map { _ in dice.draw(in: 3...9) })
        #expect(draws == [3, 4, 5, 6, 7, 8, 9])
    }

    @Test("a range of one value costs a draw like any other")
    func single() {
        var first = SeededRandom(seed: 1)
        var second = first
        #expect(first.draw(in: 5...5) == 5)
        _ = second.next()
        #expect(first == second)
    }
}
