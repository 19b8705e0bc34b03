import Testing

@testable import Simulation

@Suite("What the judge finds in responses and logs")
struct StoreJudgeTests {
    @Test("IN6: what was acknowledged does not go away")
    func acknowledged() {
        let sights = Sights()
        let events = [(kind: "heroJoined", at: Scheduler.start)]
        sights.exchange(
            "POST", "/v1/parties/party-1/actions", #"{"hero":"hero-1","action":"usePotion"}"#,
            response: sights.party(version: 3, events: events), key: "k")
        sights.see(.died(1, powerLost: true))
        sights.wait(5000)
        sights.exchange(
            "GET", "/v1/parties/party-1", response: sights.party(version: 2, events: events))
        #expect(sights.found == [.IN6])
    }

    @Test("IN6: a hero that has joined stays in its party")
    func membership() {
        let sights = Sights()
        sights.exchange(
            "POST", "/v1/parties", #"{"hero":"hero-1"}"#, status: 201,
            response: sights.party(version: 1))
        sights.wait(1000)
        sights.exchange(
            "GET", "/v1/parties/party-1", response: sights.party(version: 2, heroes: ["hero-2"]))
        sights.wait(180_000)
        sights.exchange(
            "GET", "/v1/parties/party-1", response: sights.party(version: 3, heroes: ["hero-2"]))
        #expect(sights.found == [.IN6])
    }

    @Test("IN6: the same key has the same result")
    func idempotency() {
        let sights = Sights()
        sights.exchange("POST", "/v1/heroes", status: 201, response: #"{"id":"hero-1"}"#, key: "k")
        sights.exchange("POST", "/v1/heroes", status: 201, response: #"{"id":"hero-1"}"#, key: "k")
        #expect(sights.found == [])
        sights.exchange("POST", "/v1/heroes", status: 201, response: #"{"id":"hero-2"}"#, key: "k")
        #expect(sights.found == [.IN6])
    }

    @Test("IN7: events have numbers without gaps, and none changes")
    func events() {
        let sights = Sights()
        let first = [(kind: "heroJoined", at: Scheduler.start)]
        sights.exchange(
            "GET", "/v1/parties/party-1", response: sights.party(version: 1, events: first))
        #expect(sights.found == [])
        let other = [(kind: "hurt", at: Scheduler.start)]
        sights.wait(1000)
        sights.exchange(
            "GET", "/v1/parties/party-1", response: sights.party(version: 2, events: other))
        #expect(sights.found == [.IN7])
    }

    @Test("IN8: what was shown does not go away")
    func shown() {
        let sights = Sights()
        sights.exchange("GET", "/v1/parties/party-1", response: sights.party(version: 3))
        sights.wait(1000)
        sights.exchange("GET", "/v1/parties/party-1", response: sights.party(version: 2))
        #expect(sights.found == [.IN8])
    }

    @Test("IN9: at most 64 changes wait for a party")
    func limits() {
        var world = Circumstances(plan: .quiet(seed: 1, minutes: 1, parties: 1))
        world.now += 1
        for (count, found) in [(60, []), (70, [Invariant.IN9])] {
            var violations = Violations()
            LimitRules().compare(
                metrics: "rangers_requests_under_way{loop=\"0\"} \(count)\n", in: world,
                &violations)
            #expect(violations.violations.map(\.invariant) == found)
        }
    }

    @Test("IN11: a 5xx is a 503 that says when to retry")
    func serverErrors() {
        let sights = Sights()
        sights.exchange("GET", "/v1/me", status: 503, headers: ["retry-after": "1"])
        #expect(sights.found == [])
        sights.exchange("GET", "/v1/me", status: 503)
        #expect(sights.found == [.IN11])
        let broken = Sights()
        broken.exchange("GET", "/v1/me", status: 500, headers: ["retry-after": "1"])
        #expect(broken.found == [.IN11])
    }

    @Test("IN13: an adventure does not run ahead of the clock")
    func pace() {
        let sights = Sights()
        let lobby = [(kind: "heroJoined", at: Scheduler.start)]
        sights.exchange(
            "GET", "/v1/parties/party-1", response: sights.party(version: 1, events: lobby))
        let events = lobby + [(kind: "adventureBegan", at: Scheduler.start)]
        sights.wait(10_000)
        sights.exchange(
            "GET", "/v1/parties/party-1",
            response: sights.party(version: 2, events: events, gameTime: 9000))
        #expect(sights.found == [])
        sights.wait(10_000)
        sights.exchange(
            "GET", "/v1/parties/party-1",
            response: sights.party(version: 3, events: events, gameTime: 40_000))
        #expect(sights.found == [.IN13])
    }

    @Test("IN14: an error in the log has a fault for its reason")
    func errors() {
        let line = Array(#"{"time":1,"level":"error","message":"a tick failed"}"#.utf8)
        let sights = Sights()
        sights.see(.logged(1, line))
        #expect(sights.found == [.IN14])
        let full = Sights()
        full.see(.fault(TimedFault(at: 0, .disk(effect: .full(room: 0), length: 1000))))
        full.see(.logged(1, line))
        #expect(full.found == [])
    }

    @Test("IN14: a start fails for a reason")
    func starts() {
        let sights = Sights()
        sights.see(.started(2, failure: "no"))
        #expect(sights.found == [.IN14])
    }
}
