import Testing

@testable import Simulation

@Suite("Places that most runs do not reach")
struct ProbeTests {
    private func probes(_ sights: [Sight]) -> Set<Probe> {
        var watch = ProbeWatch { 0 }
        var world = Circumstances(plan: .quiet(seed: 1, minutes: 1, parties: 1))
        var hit: Set<Probe> = []
        for sight in sights {
            world.see(sight, at: Scheduler.start)
            let scene: JudgedSight =
                switch sight {
                case .sent(let push): .sent(JudgedPush(push))
                case .reached(let push, let status, let reason):
                    .reached(JudgedPush(push), status: status, reason: reason)
                case .answered(let push, let status, let reason):
                    .answered(JudgedPush(push), status: status, reason: reason)
                case .exchange(let exchange): .exchange(JudgedExchange(exchange))
                default: .other(sight)
                }
            watch.see(scene, in: world) { hit.insert($0) }
        }
        return hit
    }

    @Test("a death with an end in flight, between its acceptance and its answer")
    func deathWithEnd() {
        let end = Sights().end()
        let hit = probes([
            .starting(1), .started(1, failure: nil), .sent(end),
            .reached(end, status: 200, reason: nil), .died(1, powerLost: false),
        ])
        #expect(
            hit == [
                .deathWithEndInFlight, .deathBetweenAcceptanceAndAnswer, .deathSoonAfterAStart,
            ])
    }

    @Test("a death before the server serves")
    func deathOfAStart() {
        #expect(probes([.starting(1), .died(1, powerLost: true)]) == [.deathOfAStart])
    }

    @Test("lines of the log")
    func log() {
        let line = Array(#"{"level":"warning","message":"the wall clock was stepped: …"}"#.utf8)
        #expect(probes([.logged(1, line)]) == [.stepSeen])
    }

    @Test("a run counts what it reaches")
    func counts() {
        var counts = ProbeCounts()
        counts.hit(.deathInWrite)
        counts.hit(.deathInWrite)
        #expect(counts.counts == [.deathInWrite: 2])
        #expect(counts.probes == [.deathInWrite])
    }
}
