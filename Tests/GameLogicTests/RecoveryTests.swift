@testable import GameLogic
import Testing

/// Rest: health comes back by the hour, exact to the last remainder.
struct RecoveryTests {
    @Test("a rested hero recovers by the hour")
    func hour() {
        var member = member(rate: 300, health: 100)
        member.rest(for: .minutes(60))
        #expect(member.health.thousandths == 400)
    }

    @Test("many short rests heal as much as one long one", arguments: [1, 7, 299, 300, 1000])
    func remainders(_ rate: Int) {
        var once = member(rate: rate, health: 100)
        var often = once
        once.rest(for: .seconds(1000))
        for _ in 0..<1000 { often.rest(for: .seconds(1)) }
        #expect(once == often)
    }

    @Test("rest heals no further than full health, and saves nothing up")
    func full() {
        var member = member(rate: 1000, health: 999)
        member.rest(for: .minutes(30))
        #expect(member.health == .full)
        #expect(member.restRemainder == 0)
    }

    @Test("nobody recovers while knocked down")
    func knockedDown() {
        var member = member(rate: 1000, health: 500)
        member.knockOut()
        member.rest(for: .minutes(60))
        #expect(member.health == .none)
    }

    @Test("a rate out of bounds is bounded", arguments: [(-5, 100), (Int.max, 600)])
    func bounds(_ rate: Int, _ expected: Int) {
        var member = member(rate: rate, health: 100)
        member.rest(for: .minutes(30))
        #expect(member.health.thousandths == expected)
    }

    private func member(rate: Int, health: Int) -> Member {
        var member = Member(Fixtures.hero("rester", "Rester", "🐻", rate: rate))
        member.health = Health(thousandths: health)
        return member
    }
}
