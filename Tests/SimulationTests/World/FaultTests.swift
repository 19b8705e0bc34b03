import Testing

@testable import Simulation

@Suite("Each fault, once in a run of its own")
struct FaultTests {
    @Test("the server comes up again, and the story ends", arguments: SampleFaults.all)
    func alone(fault: PlannedFault) throws {
        var plan = Plan.quiet(seed: 5, minutes: 4, parties: 1, heroes: 3)
        plan.faults = [TimedFault(at: 60_000, fault)]
        let outcome = try RunTests.play(plan)
        #expect(outcome.isOver)
        #expect(outcome.accepted > 5)
        #expect(outcome.violations == [], "\(fault.words)")
    }

    @Test("a plan with faults gives the same hash again", arguments: [3, 4] as [UInt64])
    func again(seed: UInt64) throws {
        let plan = Swarm.plan(seed: seed, size: Swarm.Size(minutes: 3...3, parties: 2...2))
        let (first, second) = (try RunTests.play(plan), try RunTests.play(plan))
        #expect(first == second)
    }
}
