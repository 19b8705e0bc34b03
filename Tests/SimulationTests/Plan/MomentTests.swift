import Testing

@testable import Simulation

@Suite("Faults that wait for a moment")
struct MomentTests {
    private let sights = Sights()

    /// Which of the faults begin with each sight, by their places.
    private func begun(_ faults: [TimedFault], _ sights: [Sight]) -> [[Int]] {
        var awaited = AwaitedFaults()
        for (place, fault) in faults.enumerated() {
            if let moment = fault.moment { awaited.wait(for: moment, fault, at: place) }
        }
        return sights.map { sight in
            awaited.see(sight, token: { "token-\($0)" }).map(\.place)
        }
    }

    private func death(_ event: Moment.Event, number: Int = 1) -> TimedFault {
        TimedFault(at: 0, .death(Death(.jobs(1))), moment: Moment(event, number: number))
    }

    @Test("each waits for its own event, so many times")
    func numbers() {
        let alert = Sight.sent(sights.push(alert: "a"))
        let quiet = Sight.sent(sights.push())
        let begun = begun(
            [death(.alertLeaves, number: 2), death(.pushLeaves)], [quiet, alert, quiet, alert])
        #expect(begun == [[1], [], [], [0]])
    }

    @Test("an alert that starts a card is no alert of a card")
    func kinds() {
        let start = Sight.sent(sights.push(event: "start", alert: "a"))
        let begun = begun(
            [death(.alertLeaves), death(.startLeaves), death(.endLeaves)],
            [start, .sent(sights.end())])
        #expect(begun == [[1], [2]])
    }

    @Test("a new token waits for pushes to its own card")
    func token() {
        let fault = TimedFault(
            at: 0, .newToken(person: 3, reportedAfter: 1, old: .accepted),
            moment: Moment(.pushLeaves))
        let begun = begun(
            [fault], [.sent(sights.push(to: "a7c3")), .sent(sights.push(to: "token-3"))])
        #expect(begun == [[], [0]])
    }

    @Test("servers and other faults are moments too")
    func servers() {
        let lasting = TimedFault(at: 0, .pushPause(length: 1000))
        let stop = TimedFault(at: 0, .stop(rest: 1000))
        let begun = begun(
            [
                death(.serverStarts), death(.serverServes), death(.serverStops),
                death(.faultBegins),
            ],
            [
                .starting(2), .started(2, failure: "no"), .started(3, failure: nil), .fault(stop),
                .fault(lasting),
            ])
        #expect(begun == [[0], [], [1], [2], [3]])
    }

    @Test("every moment has words of its own")
    func words() {
        let words = Moment.Event.allCases.map { Moment($0).words }
        #expect(Set(words).count == words.count)
        #expect(
            Moment(.alertLeaves, number: 2, delay: 5).words
                == "5 ms after an alert has left 2 times")
    }

    @Test("two hundred seeds have every moment")
    func drawn() {
        let plans = (1...200 as ClosedRange<UInt64>).map { Swarm.plan(seed: $0, size: .usual) }
        let drawn = Set(plans.flatMap(\.faults).compactMap { $0.moment?.event })
        #expect(drawn == Set(Moment.Event.allCases))
    }

    @Test(
        "a server dies at its moment",
        arguments: [
            (Moment.Event.alertLeaves, Probe.deathWithAlertInFlight),
            (.endLeaves, .deathWithEndInFlight), (.serverStarts, .deathOfAStart),
        ])
    func dies(event: Moment.Event, probe: Probe) throws {
        var plan = Plan.quiet(seed: 5, minutes: 10, parties: 2, heroes: 3)
        plan.speed = 4000
        plan.faults = [
            TimedFault(at: 60_000, .stop(rest: 1000)), death(event, number: 1),
        ]
        plan.faults[1].at = 30_000
        let outcome = try RunTests.play(plan)
        #expect(outcome.deaths == 1)
        #expect(outcome.probes.probes.contains(probe))
        #expect(outcome.violations == [])
    }
}
