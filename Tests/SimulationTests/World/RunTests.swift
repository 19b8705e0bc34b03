import Isolation
import Testing

@testable import Simulation

@Suite("A run of a whole world")
struct RunTests {
    @Test("a quiet plan ends, with all cards pushed")
    func quiet() throws {
        let outcome = try Self.play(.quiet(seed: 1, minutes: 20, parties: 1))
        #expect(outcome.isOver)
        #expect(outcome.starts == 1)
        #expect(outcome.accepted > 20)
        #expect(outcome.violations == [])
    }

    @Test("IN19: a run leaves nothing in memory, though servers die in it")
    func memory() throws {
        var plan = Plan.quiet(seed: 1, minutes: 2, parties: 1)
        plan.faults = [30_000, 60_000].map {
            TimedFault(at: $0, .death(Death(.jobs(7))))
        }
        let outcome = try Self.play(plan)
        #expect(outcome.deaths == 2)
        #expect(outcome.violations == [])
    }

    /// Plays on a thread of its own.
    static func play(_ plan: Plan, tells: Bool = false) throws -> RunOutcome {
        try Scheduler.install()
        SimulatedDisk.register()
        return Run(plan).play(tells: tells)
    }
}
