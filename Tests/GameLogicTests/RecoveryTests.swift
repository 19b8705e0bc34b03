@testable import GameLogic
import Testing

/// Rest: health comes back by the hour, exact to the last remainder.
struct RecoveryTests {
    @Test("a hero recovers by the hour, as fast as its class")
    func hour() {
        for (heroClass, health) in [(HeroClass.wanderer, 350), (.striker, 320), (.healer, 690)] {
            var member = member(heroClass, health: 100)
            member.rest(for: .minutes(60))
            #expect(member.health.thousandths == health)
        }
    }

    @Test("many short rests heal as much as one long one", arguments: HeroClass.allCases)
    func remainders(_ heroClass: HeroClass) {
        var once = member(heroClass, health: 100)
        var often = once
        once.rest(for: .seconds(1000))
        for _ in 0..<1000 { often.rest(for: .seconds(1)) }
        #expect(once == often)
    }

    @Test("rest heals no further than full health, and saves nothing up")
    func full() {
        var member = member(.healer, health: 999)
        member.rest(for: .minutes(30))
        #expect(member.health == .full)
        #expect(member.restRemainder == 0)
    }

    @Test("nobody recovers while knocked down")
    func knockedDown() {
        var member = member(.healer, health: 500)
        member.knockOut()
        member.rest(for: .minutes(60))
        #expect(member.health == .none)
    }

    private func member(_ heroClass: HeroClass, health: Int) -> Member {
        var member = Member(Fixtures.hero("rester", "Rester", "🐻"))
        member.outing = Outing(of: heroClass, level: 1, gear: Gear(), orders: StandingOrders())
        member.health = Health(thousandths: health)
        return member
    }
}
