import RangersServer
import Testing

@testable import Simulation

@Suite("Faults on purpose, which the judge finds in a whole world")
struct ControlTests {
    /// The seeds of a small world that a control has.
    private static let seeds = 1...20 as ClosedRange<UInt64>
    private static let size = Swarm.Size(minutes: 3...3, parties: 2...2)

    /// Returns what is found, in the first seed that finds any of these.
    static func find(_ control: ControlCase) throws -> Violation? {
        try Scheduler.install()
        for seed in seeds {
            let plan = control.applied(to: Swarm.plan(seed: seed, size: size))
            let found = Run(plan).play().violations.first {
                control.invariants.contains($0.invariant)
            }
            if let found { return found }
        }
        return nil
    }

    @Test("IN10: a push before its commit is found")
    func earlyPush() throws {
        #expect(try Self.find(ControlCase(.earlyPush)) != nil)
    }

    @Test("IN18: a command that is not in the journal is found")
    func journal() throws {
        #expect(try Self.find(ControlCase(.incompleteJournal)) != nil)
    }

    @Test("IN19: a task that goes on after the server's end is found")
    func endlessTask() throws {
        #expect(try Self.find(ControlCase(.endlessTask)) != nil)
    }

    @Test("IN22: a real clock that is read is found")
    func realClock() throws {
        #expect(try Self.find(ControlCase(.realClock)) != nil)
    }

    @Test("IN21: two runs of a plan that differ are found")
    func unevenWorld() throws {
        try Scheduler.install()
        let plan = Plan.quiet(seed: 1, minutes: 1, parties: 1, heroes: 1)
        #expect(Run(plan).play().hash == Run(plan).play().hash)
        let uneven = ControlCase(.unevenWorld).applied(to: plan)
        #expect(Run(uneven).play().hash != Run(uneven).play().hash)
    }

    @Test("every fault on purpose has an invariant, and every invariant a fault")
    func complete() {
        let names = ControlCase.all.map(\.name)
        #expect(names.count == Set(names).count)
        #expect(Set(Sabotage.allCases.map(\.rawValue)).isSubset(of: names))
        let found = ControlCase.all.reduce(into: Set<Invariant>()) { $0.formUnion($1.invariants) }
        #expect(found == Set(Invariant.allCases))
    }
}
