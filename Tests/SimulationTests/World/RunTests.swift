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

    /// Plays on a thread of its own.
    static func play(_ plan: Plan, tells: Bool = false) throws -> RunOutcome {
        try Scheduler.install()
        SimulatedDisk.register()
        return Run(plan).play(tells: tells)
    }
}
