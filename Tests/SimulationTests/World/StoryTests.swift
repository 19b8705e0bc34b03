import Testing

@testable import Simulation

@Suite("What people and game masters do")
struct StoryTests {
    @Test("spectators follow a party by its channel")
    func channel() throws {
        var plan = Plan.quiet(seed: 2, minutes: 10, parties: 1, heroes: 2)
        plan.channels = true
        plan.parties[0].people[0].habits = [.sharesChannel]
        plan.parties[0].people[0].temper = .eager
        let outcome = try RunTests.play(plan)
        #expect(outcome.violations == [])
        #expect(outcome.probes.probes.isSuperset(of: [.broadcastSent, .broadcastEnded]))
    }

    @Test("parties fight the world boss of a game master")
    func worldBoss() throws {
        var plan = Plan.quiet(seed: 2, minutes: 20, parties: 3, heroes: 2)
        for index in plan.parties.indices {
            plan.parties[index].pack = PartyPlan.worldBossPack
            plan.parties[index].arrives = 30_000
        }
        plan.masters = [MasterPlan(number: 0, every: 20_000, deeds: [.worldBoss])]
        plan.channels = true
        let outcome = try RunTests.play(plan)
        #expect(outcome.violations == [])
        #expect(outcome.probes.probes.isSuperset(of: [.worldBossHit, .broadcastSent]))
    }

    @Test("many invented push tokens slow new ones")
    func inventedTokens() throws {
        var plan = Plan.quiet(seed: 2, minutes: 4, parties: 1, heroes: 1)
        plan.faults = [TimedFault(at: 30_000, .crowd(people: 50, badTokens: 3))]
        let outcome = try RunTests.play(plan)
        #expect(outcome.violations == [])
        #expect(outcome.probes.probes.contains(.newTokensSlowed))
    }
}
