@testable import GameLogic
import Testing

/// The order of a board, and what of it a hero sees.
struct RankingTests {
    private static func standing(_ hero: String, _ points: Int, at time: Int64 = 0)
        -> Ranking.Standing
    {
        Ranking.Standing(HeroID(hero), points: points, reachedAt: time)
    }

    private static let crowd = Ranking((1...300).map { standing("hero-\($0)", 1000 - $0) })

    @Test("equal sums share a rank: 1, 2, 2, 4")
    func ties() {
        let ranking = Ranking([
            Self.standing("egghead", 20), Self.standing("panda", 30), Self.standing("foxy", 20),
            Self.standing("spouty", 10),
        ])
        #expect(ranking.lines.map(\.rank) == [1, 2, 2, 4])
        #expect(ranking.lines.map(\.standing.points) == [30, 20, 20, 10])
    }

    @Test("of equal sums the one reached first comes first, then the smaller id")
    func insideTies() {
        let ranking = Ranking([
            Self.standing("c", 5, at: 2), Self.standing("b", 5, at: 2),
            Self.standing("d", 5, at: 1),
        ])
        #expect(ranking.lines.map(\.standing.hero.rawValue) == ["d", "b", "c"])
        #expect(ranking.lines.map(\.rank) == [1, 1, 1])
    }

    @Test("a hero without points has no rank")
    func nothing() {
        let ranking = Ranking([Self.standing("panda", 0)])
        #expect(ranking.lines.isEmpty)
        #expect(ranking.around(HeroID("panda")).isEmpty)
    }

    @Test("the top has at most 100 lines")
    func top() {
        #expect(Self.crowd.top.map(\.rank) == Array(1...100))
    }

    @Test(
        "a hero sees its own rank and two others each way",
        arguments: [
            (1, 1...3), (2, 1...4), (150, 148...152), (299, 297...300), (300, 298...300),
        ])
    func around(_ hero: Int, _ expected: ClosedRange<Int>) {
        #expect(Self.crowd.around(HeroID("hero-\(hero)")).map(\.rank) == Array(expected))
    }
}
