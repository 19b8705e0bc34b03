import Testing

@testable import Simulation

@Suite("What the judge finds in pushes")
struct PushJudgeTests {
    @Test("IN1: timestamps rise and lead by at most five seconds")
    func timestamps() {
        let sound = Sights()
        sound.deliver(sound.push(timestamp: Scheduler.start / 1000))
        sound.deliver(sound.push("more", timestamp: Scheduler.start / 1000 + 5))
        #expect(sound.found == [])

        let stuck = Sights()
        stuck.deliver(stuck.push(timestamp: Scheduler.start / 1000))
        stuck.deliver(stuck.push("more", timestamp: Scheduler.start / 1000))
        #expect(stuck.found.contains(.IN1))

        let ahead = Sights()
        ahead.deliver(ahead.push(timestamp: Scheduler.start / 1000 + 8))
        #expect(ahead.found == [.IN1])
    }

    @Test("IN1: a clock that was set back may be led by that much")
    func setBack() {
        let sights = Sights()
        sights.see(.fault(TimedFault(at: 0, .wallClock(step: -60_000))))
        sights.deliver(sights.push(timestamp: Scheduler.start / 1000 + 1))
        #expect(sights.found == [])
    }

    @Test("IN2: a token has one push in flight")
    func flight() {
        let sights = Sights()
        sights.see(.sent(sights.push()))
        sights.see(.sent(sights.push(to: "b7c3")))
        #expect(sights.found == [])
        sights.wait(2000)
        sights.see(.sent(sights.push("more")))
        #expect(sights.found == [.IN2])
    }

    @Test("IN2: what was in flight at a death is not in the way of the next server")
    func flightOfTheDead() {
        let sights = Sights()
        sights.see(.sent(sights.push()))
        sights.see(.died(1, powerLost: false))
        sights.wait(2000)
        sights.see(.started(2, failure: nil))
        sights.see(.sent(sights.push("more", life: 2)))
        #expect(sights.found == [])
    }

    @Test("IN3: nothing follows an end but the same end")
    func end() {
        let sights = Sights()
        let end = sights.end()
        sights.see(.sent(end))
        sights.see(.reached(end, status: 200, reason: nil))
        sights.see(.died(1, powerLost: false))
        sights.wait(2000)
        sights.deliver(sights.end(life: 2))
        #expect(sights.found == [])
        sights.wait(2000)
        sights.deliver(sights.push("after all", life: 2))
        #expect(sights.found == [.IN3])
    }

    @Test("IN4: a replaced token gets at most one push more")
    func replacedToken() {
        let sights = Sights()
        sights.register("a7c3")
        sights.register("b7c3", revision: 2)
        sights.wait(1000)
        sights.deliver(sights.push())
        #expect(sights.found == [])
        sights.wait(1000)
        sights.deliver(sights.push("more"))
        sights.wait(121_000)
        sights.deliver(sights.push(to: "b7c3"))
        #expect(sights.found == [.IN4])
    }

    @Test("IN4: a retired token that the app registers again gets pushes, even before the response")
    func registeredAgain() {
        let sights = Sights()
        sights.register("a7c3")
        sights.register("b7c3", revision: 2)
        sights.wait(61_000)
        sights.deliver(sights.push())
        sights.wait(10)
        sights.exchange(
            "PUT", "/v1/activities/card-1", #"{"pushToken":"a7c3","revision":3}"#, status: 204,
            response: "", took: 20)
        sights.wait(121_000)
        sights.deliver(sights.push("more"))
        #expect(sights.found == [])
    }

    @Test("IN5: an alert has high priority and is one of four")
    func alert() {
        let sights = Sights()
        sights.deliver(sights.push(priority: 10, alert: "%@ is knocked down!"))
        #expect(sights.found == [])
        sights.wait(2000)
        sights.deliver(sights.push("more", priority: 10, alert: "Buy gems!"))
        #expect(sights.found == [.IN5])
    }

    @Test("IN5: three alerts in ten minutes are too many")
    func alerts() {
        let sights = Sights()
        for count in 1...3 {
            sights.wait(60_000)
            sights.deliver(sights.push("fall \(count)", priority: 10, alert: "%@ is knocked down!"))
            #expect(sights.found == (count == 3 ? [.IN5] : []))
        }
    }

    @Test("IN5: a phone's budget of high-priority pushes is bounded")
    func budget() {
        let sights = Sights()
        sights.exchange(
            "PUT", "/v1/activities/card-1",
            #"{"hero":"hero-1","pushToken":"a7c3","frequentPushesEnabled":false}"#, status: 204,
            response: "")
        for count in 1...13 {
            sights.wait(1000)
            sights.deliver(sights.push("\(count)", priority: 10))
        }
        #expect(sights.found == [.IN5])
    }

    @Test("IN12: content that failed waits for a quarter of an hour")
    func failedContent() {
        for (isReplaced, found) in [(true, [] as Set<Invariant>), (false, [.IN12])] {
            let sights = Sights()
            sights.deliver(sights.push(), status: 503, reason: "ServiceUnavailable")
            sights.wait(2000)
            if isReplaced { sights.deliver(sights.push("other")) }
            #expect(sights.found == [])
            sights.wait(60_000)
            sights.deliver(sights.push())
            // Until then a registration may explain it.
            sights.wait(121_000)
            sights.deliver(sights.push("later"))
            #expect(sights.found == found)
        }
    }

    @Test("IN12: a device rests for a minute after a 429")
    func tooMany() {
        let sights = Sights()
        sights.deliver(sights.push(), status: 429, reason: "TooManyRequests")
        sights.wait(61_000)
        sights.deliver(sights.push("other"), status: 429, reason: "TooManyRequests")
        #expect(sights.found == [])
        sights.wait(30_000)
        sights.deliver(sights.push("more"))
        #expect(sights.found == [.IN12])
    }

    @Test("IN12: provider tokens are made twenty minutes apart, and used for an hour")
    func providerTokens() {
        let sights = Sights()
        sights.deliver(sights.push())
        sights.wait(21 * 60_000)
        let second = Sights.providerToken(issuedAt: sights.now / 1000)
        sights.deliver(sights.push("more", provider: second))
        #expect(sights.found == [])
        sights.wait(5 * 60_000)
        let third = Sights.providerToken(issuedAt: sights.now / 1000)
        sights.deliver(sights.push("and more", provider: third))
        #expect(sights.found == [.IN12])

        let old = Sights()
        old.deliver(old.push())
        old.wait(61 * 60_000)
        old.deliver(old.push("more"))
        #expect(old.found == [.IN12])
    }

    @Test("IN13: an end dismisses its card by the wall clock")
    func dates() {
        let sights = Sights()
        sights.deliver(sights.end())
        #expect(sights.found == [])
        sights.wait(20_000)
        let late = sights.push(
            to: "b7c3", event: "end", priority: 10,
            more: #","dismissal-date":\#(sights.now / 1000 + 4000)"#)
        sights.deliver(late)
        #expect(sights.found == [.IN13])
    }

    @Test("IN20: a push comes twice only after a death")
    func doubled() {
        let sights = Sights()
        let push = sights.push()
        sights.see(.sent(push))
        sights.see(.reached(push, status: 200, reason: nil))
        sights.see(.reached(push, status: 200, reason: nil))
        #expect(sights.found == [.IN20])
    }

    @Test("IN20: what was in flight at a death may come again")
    func doubledByDeath() {
        let sights = Sights()
        let push = sights.push(timestamp: Scheduler.start / 1000)
        sights.see(.sent(push))
        sights.see(.reached(push, status: 200, reason: nil))
        sights.see(.died(1, powerLost: false))
        sights.wait(1000)
        sights.deliver(sights.push(timestamp: Scheduler.start / 1000, life: 2))
        #expect(sights.found == [])
    }
}
