import Testing

import RangersServer
@testable import Simulation

@Suite("A plan that fails becomes short")
struct MinimiserTests {
    private func plan() -> Plan {
        var plan = Plan.quiet(seed: 7, minutes: 20, parties: 6)
        plan.faults = (0..<20).map { index in
            index == 13
                ? TimedFault(
                    at: 13_000, .death(Death(.write(64), power: .lost, rest: 3000)),
                    moment: Moment(.alertLeaves, number: 3, delay: 10))
                : TimedFault(at: Int64(index) * 1000, .wallClock(step: 60_000))
        }
        plan.mode = .uniform
        plan.laneDelay = 100
        return plan
    }

    /// As a run that fails if some fault is a loss of power, while a person of party 4 plays.
    private func violations(_ plan: Plan) -> [Violation] {
        let isHit = plan.faults.contains {
            if case .death(let death) = $0.fault { death.power == .lost } else { false }
        }
        guard isHit, plan.parties.contains(where: { $0.number == 4 }) else { return [] }
        return [Violation(.IN6, at: Scheduler.start + 20_000, "lost")]
    }

    @Test("one party, one person and one fault are left")
    func shrinks() throws {
        let result = Minimiser.shrink(plan(), for: .IN6, until: { false }, violations)
        let short = try #require(result).plan
        #expect(short.minutes == 1)
        #expect(short.parties.map(\.number) == [4])
        #expect(short.people.count == 1)
        #expect(short.faults.map(\.fault) == [.death(Death(.jobs(1), power: .lost))])
        #expect(short.faults.map(\.moment) == [nil])
        #expect(short.mode == .fifo)
        #expect(short.laneDelay == 0)
    }

    @Test("a candidate counts only if the same invariant fails")
    func sameInvariant() {
        #expect(Minimiser.shrink(plan(), for: .IN1, until: { false }, violations) == nil)
    }

    @Test("it ends when its time is up")
    func limit() throws {
        var runs = 0
        let result = Minimiser.shrink(
            plan(), for: .IN6, until: { runs > 10 },
            { plan in
                runs += 1
                return violations(plan)
            })
        #expect(try #require(result).runs <= 12)
    }

    @Test("a story has at most ten lines, and says what was promised")
    func story() throws {
        try Scheduler.install()
        let plan = ControlCase(.errorLine).applied(
            to: .quiet(seed: 1, minutes: 1, parties: 1, heroes: 1))
        let story = try #require(RunStory(plan, .IN14))
        #expect(story.lines.count <= RunStory.linesMax)
        #expect(story.lines.first?.hasPrefix("Seed 1, 1 min, 1 party with 1 person") == true)
        #expect(story.lines.contains { $0.contains("an error without a reason") })
        #expect(story.lines.last?.hasPrefix("IN14: no error is logged") == true)
    }
}
