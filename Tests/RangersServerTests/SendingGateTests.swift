import APNsClient
import GameLogic
import PushPolicy
import Testing

@testable import RangersServer

/// Whether pushes are sent to a host at all, and in which order what waited leaves.
@Suite("The sending gate", .timeLimit(.minutes(1)))
struct SendingGateTests {
    private let now = WallTime(milliseconds: 100_000)

    private func parties(_ count: Int) -> [LiveParty] {
        (1...count).map { LiveParty(PartyID("p\($0)")) }
    }

    private func later(_ milliseconds: Int64) -> WallTime { now.adding(milliseconds: milliseconds) }

    private func drained(_ gate: inout SendingGate) -> [String] {
        var left: [String] = []
        while let party = gate.takeOwed() { left.append(party.id.rawValue) }
        return left
    }

    @Test("PR6: while a host takes nothing one party tries, and its success opens the gate for all")
    func opens() {
        let parties = parties(3)
        var gate = SendingGate(.main)
        #expect(gate.allows(parties[0]))
        gate.close(until: later(10))
        #expect(gate.holds(later(10), at: now) && !gate.holds(later(11), at: now))
        #expect(gate.holds(later(99), at: later(99)), "whatever is due now waits")
        #expect(gate.probeAt == nil, "nobody is owed anything")
        for party in parties + parties { gate.owe(party, .lowPriority) }
        #expect(parties.filter(gate.allows).isEmpty)
        #expect(gate.probeAt == later(10) && !gate.wantsProbe(at: now))
        #expect(gate.wantsProbe(at: later(10)))
        let probe = gate.probe(at: later(10))
        #expect(probe === parties[0])
        #expect(parties.filter(gate.allows).count == 1)
        #expect(gate.takeOwed() == nil)
        gate.open()
        #expect(gate.isDraining && parties.allSatisfy(gate.allows))
        #expect(drained(&gate) == ["p2", "p3"])
        #expect(!gate.isDraining && parties.allSatisfy(\.owed.isEmpty))
    }

    @Test("PR6: what waited leaves by priority: knock-downs before loot, in the order of waiting")
    func urgentFirst() {
        let parties = parties(5)
        var gate = SendingGate(.main)
        gate.close(until: later(10))
        for party in parties { gate.owe(party, .lowPriority) }
        // A hero is knocked down while the party waits; a later event does not put it back.
        gate.owe(parties[3], .highPriority)
        gate.owe(parties[3], .lowPriority)
        gate.owe(parties[1], .highPriority)
        gate.open()
        #expect(drained(&gate) == ["p4", "p2", "p1", "p3", "p5"])
    }

    @Test("the party that tries is owed loot, if there is one: a failed try may cost it 15 minutes")
    func lootTries() {
        let parties = parties(2)
        var gate = SendingGate(.main)
        gate.close(until: now)
        gate.owe(parties[0], .highPriority)
        gate.owe(parties[1], .lowPriority)
        #expect(gate.probe(at: now) === parties[1])
        gate.close(until: now)
        #expect(gate.probe(at: later(1000)) === parties[0])
    }

    @Test("a party that has nothing to send lets the next one try")
    func nothingToSend() {
        let parties = parties(2)
        var gate = SendingGate(.main)
        gate.close(until: now)
        for party in parties { gate.owe(party, .lowPriority) }
        #expect(gate.probe(at: now) === parties[0])
        #expect(gate.sentNothing(parties[1], at: now) == false)
        #expect(gate.sentNothing(parties[0], at: now) == true)
        #expect(gate.probe(at: now) === parties[1])
        #expect(gate.sentNothing(parties[1], at: now) == true)
        #expect(gate.probe(at: now) == nil)
        #expect(!gate.isOpen, "nothing has shown that the host takes pushes")
    }

    @Test("PR6: tries keep a second's distance, and one without an outcome has a successor after 8")
    func distance() {
        let parties = parties(3)
        var gate = SendingGate(.main)
        gate.close(until: now)
        for party in parties { gate.owe(party, .lowPriority) }
        _ = gate.probe(at: now)
        gate.close(until: later(1))
        #expect(gate.probeAt == later(SendingGate.probeDistance))
        _ = gate.probe(at: later(1000))
        #expect(!gate.wantsProbe(at: later(8_999)) && gate.wantsProbe(at: later(9_000)))
    }

    @Test("PR6, PR22: a try that did not leave the server lets the next party try at once")
    func notTried() {
        let parties = parties(2)
        let watch = watch(FakeAPNs())
        var host = GatedHost(.main, of: nil, watch)
        host.gate.close(until: watch.refuses(at: now))
        for party in parties { host.gate.owe(party, .lowPriority) }
        #expect(host.probe(at: later(2_000)) === parties[0])
        _ = host.note(.notTried, in: suspect(0), of: parties[0], at: later(2_000))
        #expect(host.probe(at: later(2_000)) === parties[1])
    }

    @Test("PR6: the party that tries sends nothing more until the outcome of its push is known")
    func oneTry() {
        let parties = parties(2)
        let watch = watch(FakeAPNs())
        var host = GatedHost(.main, of: nil, watch)
        host.gate.close(until: watch.refuses(at: now))
        for party in parties { host.gate.owe(party, .lowPriority) }
        #expect(host.probe(at: later(2_000)) === parties[0])
        #expect(host.sending(of: parties[0]) == .probe(nil))
        host.gate.sentTry(parties[1])
        #expect(host.sending(of: parties[0]) == .probe(nil), "another one sent something")
        host.gate.sentTry(parties[0])
        #expect(parties.map(host.sending(of:)) == [.paused, .paused])
        #expect(host.gate.isProbe(parties[0]), "its outcome counts")
        _ = host.note(.accepted, in: suspect(0), of: parties[0], at: later(2_050))
        #expect(parties.map(host.sending(of:)) == [.allowed, .allowed])
    }

    @Test("PR6: while nothing gets through, one loop has the try, also before the client has it")
    func oneLoopTries() {
        let parties = parties(2)
        let apns = FakeAPNs()
        let watch = watch(apns)
        var loops = [GatedHost(.main, of: nil, watch), GatedHost(.main, of: nil, watch)]
        apns.pause(forMilliseconds: 0)
        for index in loops.indices {
            loops[index].gate.close(until: now)
            loops[index].gate.owe(parties[index], .lowPriority)
        }
        #expect(loops[0].probe(at: now) === parties[0])
        #expect(loops[1].probe(at: now) == nil)
        // The client has it now, and then its outcome.
        apns.pause(forMilliseconds: 1_000)
        #expect(loops[1].probe(at: later(1_000)) == nil)
        apns.pause(forMilliseconds: 0)
        #expect(loops[1].probe(at: later(2_000)) === parties[1])
    }

    @Test("PR6: a try that never reaches the client has a successor after 8 seconds")
    func lostTry() {
        let apns = FakeAPNs()
        let watch = watch(apns)
        apns.pause(forMilliseconds: 0)
        #expect(watch.permission(at: now) == .probe)
        #expect(watch.permission(at: later(7_500)) == .wait(until: later(8_000)))
        #expect(watch.permission(at: later(8_000)) == .probe)
        watch.didNotProbe(at: later(8_100))
        #expect(watch.permission(at: later(8_100)) == .probe)
    }

    private func watch(_ apns: FakeAPNs) -> HostWatch {
        let now = now
        return HostWatch(
            .main, apns, log: Log(level: .error, now: { now }, write: { _ in }), dice: { 0 })
    }

    @Test("while all pushes are paused nothing tries or leaves, whatever the host does")
    func shut() {
        let parties = parties(2)
        var gate = SendingGate(.main)
        gate.shut()
        for party in parties { gate.owe(party, .lowPriority) }
        #expect(gate.holds(later(1_000_000), at: now))
        gate.close(until: now)
        #expect(!gate.wantsProbe(at: later(5_000)))
        gate.open()
        #expect(gate.takeOwed() == nil && !gate.allows(parties[0]))
        gate.unshut(at: now)
        #expect(drained(&gate) == ["p1", "p2"])
    }

    // MARK: Refusals that may concern all

    private func suspect(_ party: Int) -> SuspectRefusals.Suspect {
        SuspectRefusals.Suspect(
            party: PartyID("p\(party)"),
            outcome: ActivityOutcome(
                activity: ActivityID("a\(party)"), timestamp: 1, outcome: .rejected))
    }

    @Test("PR6: refusals of five parties in turn concern every push, not those of one party")
    func fiveParties() {
        var suspects = SuspectRefusals()
        for party in [1, 1, 1, 1, 1, 2, 3, 4] {
            let verdict = suspects.note(.rate, suspect(party), at: now)
            guard case .unknown = verdict else {
                Issue.record("\(party) decided too early")
                return
            }
        }
        guard case .all(let others) = suspects.note(.rate, suspect(5), at: now) else {
            Issue.record("five parties were refused")
            return
        }
        #expect(others.count == 8 && suspects.isEmpty)
    }

    @Test("PR6: an accepted push in between clears all: each refusal is its device's own")
    func acceptedBetween() {
        var suspects = SuspectRefusals()
        for party in 1...4 { _ = suspects.note(.rate, suspect(party), at: now) }
        #expect(suspects.clear().count == 4)
        guard case .unknown = suspects.note(.rate, suspect(5), at: now) else {
            Issue.record("the count begins anew")
            return
        }
    }

    @Test(
        "PR6: when no other push tells, a 429 is its device's own, a wrong key concerns all",
        arguments: [(RefusalKind.rate, 10_000 as Int64, false), (.settings, 2_000, true)])
    func noOthers(kind: RefusalKind, wait: Int64, isHostWide: Bool) {
        var suspects = SuspectRefusals()
        _ = suspects.note(kind, suspect(1), at: now)
        #expect(suspects.decideAt == later(wait))
        #expect(suspects.decide(at: later(wait - 1)) == nil)
        let decided = suspects.decide(at: later(wait))
        #expect(decided?.suspects.count == 1 && decided?.isHostWide == isHostWide)
        #expect(suspects.decideAt == nil)
    }

    @Test("the outcomes that wait are few, and none waits once the server stops")
    func bounded() {
        var suspects = SuspectRefusals()
        for _ in 0..<SuspectRefusals.outcomesMax {
            _ = suspects.note(.rate, suspect(1), at: now)
        }
        guard case .own = suspects.note(.rate, suspect(1), at: now) else {
            Issue.record("too many wait")
            return
        }
        #expect(suspects.end().count == SuspectRefusals.outcomesMax)
        guard case .own = suspects.note(.rate, suspect(1), at: now) else {
            Issue.record("one waits although the server stops")
            return
        }
    }

    // MARK: The log

    @Test("PR6: of an outage's failures one a minute is logged, with the number of the others")
    func log() {
        var log = OutageLog()
        #expect(log.failed(at: now) == 0)
        log.begin(at: later(1000))
        for second in 1..<60 as Range<Int64> {
            #expect(log.failed(at: later(second * 1000)) == nil)
        }
        log.begin(at: later(59_000))
        #expect(log.failed(at: later(60_000)) == 59)
        #expect(log.failed(at: later(60_001)) == nil)
        #expect(log.end(at: later(61_000)) == OutageLog.Outage(seconds: 60, failures: 61))
        #expect(log.end(at: later(62_000)) == nil)
    }
}
