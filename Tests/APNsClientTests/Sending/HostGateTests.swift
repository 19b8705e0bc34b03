internal import Testing

@testable internal import APNsClient

@Suite("A host that fails at everything is given a pause")
struct HostBreakerTests {
    /// Half a second a character. Above: `f` a failure, `F` twenty at once, `s` a success, `-`
    /// nothing. Below, what may leave then: `.` all, `1` one, `|` none.
    private func story(_ events: String, dice: Double = 0.999) -> String {
        var breaker = HostBreaker()
        var now: Int64 = 70_000
        var permissions = ""
        for event in events {
            switch event {
            case "f": breaker.record(.trouble, at: now, dice: dice)
            case "F": for _ in 0..<20 { breaker.record(.trouble, at: now, dice: dice) }
            case "s": breaker.record(.alive, at: now, dice: dice)
            default: break
            }
            switch breaker.permission(at: now) {
            case .all: permissions += "."
            case .one: permissions += "1"
            case .none: permissions += "|"
            }
            now += 500
        }
        return "\(events)\n\(permissions)"
    }

    @Test("twenty failures in a row over a second open it; then one may try, alone")
    func opens() {
        #expect(
            story("FFF-----") == """
                FFF-----
                ..||||1|
                """)
    }

    @Test("an answer to the one that tries lets all pass")
    func closes() {
        #expect(
            story("FFF---s--") == """
                FFF---s--
                ..||||...
                """)
    }

    @Test("PR6: pauses grow from 1 or 2 seconds to 4 or 8, by the dice, and no further")
    func grows() {
        #expect(
            story("FFF----f-------f---------------f---------------f----------") == """
                FFF----f-------f---------------f---------------f----------
                ..||||1|||||||1|||||||||||||||1|||||||||||||||1|||||||||||
                """)
        #expect(
            story("FFF--f---f-------f-------f----", dice: 0) == """
                FFF--f---f-------f-------f----
                ..||1|||1|||||||1|||||||1|||||
                """)
    }

    @Test("PR6: a probe without an outcome has a successor after 8 seconds")
    func silentProbe() {
        #expect(
            story("FFF-------------------------") == """
                FFF-------------------------
                ..||||1|||||||||||||||1|||||
                """)
    }

    @Test("PR6: the next probe keeps its distance from the last one, however late that failed")
    func lateFailure() {
        var pauses = ProbePauses(at: 0, dice: 0)
        #expect(pauses.nextAt == 1_000)
        pauses.probe(at: 1_000)
        #expect(pauses.nextAt == 9_000)
        pauses.failed(at: 2_500, dice: 0)
        #expect(pauses.nextAt == 3_000)
        pauses.probe(at: 3_000)
        pauses.failed(at: 10_500, dice: 0)
        #expect(pauses.nextAt == 10_500)
    }

    @Test("failures that were few or came all at once are no outage")
    func fewOrTogether() {
        #expect(
            story("FF--s-fffffffffffffffffff") == """
                FF--s-fffffffffffffffffff
                .........................
                """)
    }

    @Test("the twentieth failure opens it, not the nineteenth")
    func twentieth() {
        #expect(
            story("ffffffffffffffffffff-") == """
                ffffffffffffffffffff-
                ...................||
                """)
    }

    @Test("a success in between begins the count anew")
    func interrupted() {
        #expect(
            story("FFsFFsFF") == """
                FFsFFsFF
                ........
                """)
    }

    @Test("what left before the pause and fails in it does not prolong it")
    func stragglers() {
        #expect(
            story("FFFFFF--") == """
                FFFFFF--
                ..||||1|
                """)
    }

    @Test("an answer to what left before the pause ends it")
    func lateAnswer() {
        #expect(
            story("FFF-s-") == """
                FFF-s-
                ..||..
                """)
    }

    @Test("a batch of which nothing leaves gives the try to the next one")
    func probeWasNotSent() {
        var breaker = HostBreaker()
        for time in stride(from: Int64(0), to: 2_000, by: 100) {
            breaker.record(.trouble, at: time, dice: 0.5)
        }
        #expect(breaker.permission(at: 60_000) == .one(waitMilliseconds: 1_000))
        breaker.probeWasNotSent(at: 60_000)
        #expect(breaker.permission(at: 60_000) == .one(waitMilliseconds: 1_000))
    }
}

@Suite("What is not taken says nothing of the host")
struct HostGateTests {
    private func troubled() -> HostGate {
        var gate = HostGate()
        for time in stride(from: Int64(0), to: 2_000, by: 100) {
            gate.record(.failure(.notSent("no connection")), at: time, dice: 0.5)
        }
        return gate
    }

    @Test("twenty requests that are not taken give no host a pause")
    func noTrouble() {
        var gate = HostGate()
        for time in stride(from: Int64(0), to: 4_000, by: 100) {
            gate.record(.failure(.notTaken("the path is not allowed")), at: time, dice: 0.5)
        }
        #expect(gate.hostState == .working)
        #expect(troubled().hostState == .inTrouble)
    }

    @Test("when the one that tries is not taken, the next one tries")
    func probe() {
        var gate = troubled()
        #expect(gate.admit(1, at: 60_000).count == 1)
        #expect(gate.admit(1, at: 60_000).count == 0)
        gate.record(.failure(.notTaken("the path is not allowed")), at: 60_000, dice: 0.5)
        #expect(gate.admit(1, at: 60_000).count == 1)
    }

    @Test("a queue that stays full for a second without an answer gives the host a pause")
    func fullQueue() {
        var gate = HostGate()
        let full = RequestResult.failure(
            .heldBack("10 requests are already waiting", retryAfterMilliseconds: 1_000))
        for _ in 0..<100 { gate.record(full, at: 0, dice: 0.5) }
        #expect(gate.hostState == .working)
        gate.recordSuccess(at: 500)
        for _ in 0..<100 { gate.record(full, at: 1_000, dice: 0.5) }
        #expect(gate.hostState == .working)
        gate.record(full, at: 2_000, dice: 0.5)
        #expect(gate.hostState == .inTrouble)
    }
}

@Suite("Too many errors of our own slow sending down")
struct ErrorGuardTests {
    private func guarded(errors: Int, of answers: Int) -> ErrorGuard {
        var errorGuard = ErrorGuard()
        for index in 0..<answers {
            errorGuard.record(status: index < errors ? 400 : 200, at: 100_000)
        }
        return errorGuard
    }

    @Test(
        "a tenth of the answers, and a hundred of them, are too many",
        arguments: [
            (100, 1_000, 200), (100, 1_001, 1_000), (99, 99, 1_000), (1_000, 1_000, 200),
            (0, 0, 1_000),
        ])
    func limits(errors: Int, answers: Int, allowed: Int) {
        var errorGuard = guarded(errors: errors, of: answers)
        #expect(errorGuard.allowance(of: 1_000, at: 100_000) == allowed)
    }

    @Test("slowed, 200 a second leave")
    func slowed() {
        var errorGuard = guarded(errors: 100, of: 100)
        let allowed = [100_000, 100_500, 100_999, 101_000, 101_500].map {
            errorGuard.allowance(of: 150, at: $0)
        }
        #expect(allowed == [150, 50, 0, 150, 50])
    }

    @Test("ten seconds later it is forgotten")
    func forgotten() {
        var errorGuard = guarded(errors: 100, of: 100)
        #expect(errorGuard.allowance(of: 1_000, at: 104_999) == 200)
        #expect(errorGuard.allowance(of: 1_000, at: 110_000) == 1_000)
        #expect(!errorGuard.isSlowing)
    }

    @Test(
        "a 410, a 429, a 5xx and a success are no errors of ours",
        arguments: [
            (200, false), (400, true), (403, true), (410, false), (413, true),
            (429, false), (500, false), (503, false),
        ])
    func kinds(status: Int, isError: Bool) {
        #expect(ErrorGuard.isError(status: status) == isError)
    }
}
