@testable import GameLogic
import Testing

/// What an adventure counts: each factor alone, and the score of adventures that were played.
struct ScoreTests {
    private static let win = Outcome.bossDefeated(
        .dragon, by: Fixtures.panda.tag)

    private static func points(
        _ outcome: Outcome = win, way: Int = 100, at difficulty: Difficulty = .normal,
        presence: Int = 100, company: Int = 1, help: Score.Help = .none
    ) -> Int {
        let attendance = Score.Attendance(presence: presence, company: company, help: help)
        return Score(base: 200, outcome, way: way, difficulty, attendance).points
    }

    @Test(
        "the outcome counts",
        arguments: [
            (win, 30, 200), (.stopped, 100, 200), (.fled(.dragon), 100, 100),
            (.partyDefeated, 100, 100), (.partyDefeated, 37, 36), (.timeLimit, 50, 50),
            (.timeLimit, 1, 0), (.abandoned, 90, 0), (.endedByGameMaster, 90, 0),
        ] as [(Outcome, Int, Int)])
    func outcome(_ outcome: Outcome, _ way: Int, _ expected: Int) {
        #expect(Self.points(outcome, way: way) == expected)
    }

    @Test(
        "the difficulty counts",
        arguments: zip(Difficulty.allCases, [150, 200, 300, 440, 800]))
    func difficulty(_ difficulty: Difficulty, _ expected: Int) {
        #expect(Self.points(at: difficulty) == expected)
    }

    @Test(
        "presence counts in percent",
        arguments: [(-1, 0), (0, 0), (33, 66), (100, 200), (101, 200)])
    func presence(_ presence: Int, _ expected: Int) {
        #expect(Self.points(presence: presence) == expected)
    }

    @Test(
        "company counts", arguments: [(0, 200), (1, 200), (2, 210), (4, 230), (8, 270), (9, 270)])
    func company(_ company: Int, _ expected: Int) {
        #expect(Self.points(company: company) == expected)
    }

    @Test("the product is rounded down once")
    func rounding() {
        // 200 × 18% × 75% × 99% × 135% is 36.08; rounded at each factor it would be 35.
        let points = Self.points(.timeLimit, way: 36, at: .gentle, presence: 99, company: 8)
        #expect(points == 200 * 18 * 75 * 99 * 135 / 100_000_000)
        #expect(points == 36)
    }

    @Test("an adventure that a game master has changed counts nothing")
    func assisted() {
        #expect(Self.points(help: .assisted) == 0)
    }

    @Test(
        "a game master's command helps",
        arguments: [
            .summonBoss, .dropLoot(nil), .raiseStorm, .end, .arrange(.boss(.dragon)),
            .arrange(.item(.coin, for: nil)), .arrange(.potions(1, for: nil)),
            .arrange(.storm(strength: 100)), .arrange(.heal(nil, amount: 1, .none)),
            .arrange(.end(.timeLimit)), .arrange(.pause(minutes: 1, then: .timeLimit)),
        ] as [Command])
    func help(_ command: Command) {
        #expect(command.help == .assisted)
    }

    @Test(
        "a pause, its end and a message help nobody, and neither do players",
        arguments: [
            .arrange(.pause(minutes: 1, then: nil)), .arrange(.resume), .disband,
            .usePotion(by: Fixtures.panda.id, on: Fixtures.foxy.id), .leave(Fixtures.foxy.id),
        ] as [Command])
    func noHelp(_ command: Command) {
        #expect(command.help == .none)
    }

    @Test("an adventure that runs has no score")
    func running() throws {
        let adventure = try #require(try Rush.breath().adventure)
        #expect(Score(of: adventure, Score.Attendance(presence: 100, company: 4)) == nil)
    }

    @Test("a boss rush counts its bosses, and its speed")
    func rush() throws {
        var party = try Rush.party()
        _ = party.advance(to: .seconds(180))
        let adventure = try #require(party.adventure)
        // 3 + 6 + 9, and (1500 − 180) / 20.
        let score = Score(of: adventure, Score.Attendance(presence: 100, company: 1))
        #expect(score?.points == 18 + 66)
    }

    @Test("a boss rush that stops counts the bosses that have fallen")
    func stopped() throws {
        var party = try Rush.breath()
        let ask = try #require(party.adventure?.course.asks.first { $0.kind == .stop })
        for hero in Fixtures.four where party.isOnAdventure {
            _ = try party.apply(.answer(hero.id, ask: ask.id, yes: true), at: .seconds(60))
        }
        let adventure = try #require(party.adventure)
        #expect(adventure.outcome == .stopped)
        let score = Score(of: adventure, Score.Attendance(presence: 100, company: 1))
        #expect(score?.points == 3)
    }

    @Test("the way that a party has walked stays as it was after the end")
    func way() throws {
        var party = try Fixtures.adventurers()
        _ = party.advance(to: .minutes(2))
        let before = try #require(party.adventure).wayBehind
        #expect((1...99).contains(before))
        _ = try party.apply(.end, at: .minutes(2))
        #expect(party.adventure?.wayWalked == before)
    }
}
