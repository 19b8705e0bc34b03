internal import HTTP2
internal import Testing

@testable internal import APNsClient

@Suite("A push is sent again only where nothing can have arrived")
struct DeliveryTests {
    private func answer(_ status: Int, _ reason: String) -> HTTP2Response {
        HTTP2Response(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    private func refusal(_ status: Int, _ reason: String) -> APNsClient.Refusal {
        APNsClient.Refusal(
            status: status, reason: reason, timestamp: nil,
            action: APNsReason.action(status: status, reason: reason))
    }

    @Test("200 is accepted, and the answer comes through")
    func accepted() {
        var delivery = Delivery()
        let answer = HTTP2Response(status: 200, headers: [HTTP2Header("apns-unique-id", "u")])
        #expect(delivery.received(answer) == .succeed(answer))
    }

    @Test("PR7: a connection lost after sending is unknown, and not sent again")
    func unknown() {
        var delivery = Delivery()
        #expect(
            delivery.failed(.unknown("reset"), afterMilliseconds: 0, dice: 0)
                == .fail(.unknown("reset")))
    }

    @Test(
        "PR7: what did not leave goes again at once, then with doubling pauses, then is given up",
        arguments: [HTTP2Failure.neverSent("no connection"), .refused("no connection")])
    func notSent(failure: HTTP2Failure) {
        var delivery = Delivery()
        #expect(
            delivery.failed(failure, afterMilliseconds: 0, dice: 0)
                == .sendAgain(afterMilliseconds: 0))
        #expect(
            delivery.failed(failure, afterMilliseconds: 0, dice: 0)
                == .sendAgain(afterMilliseconds: 100))
        #expect(
            delivery.failed(failure, afterMilliseconds: 0, dice: 0)
                == .sendAgain(afterMilliseconds: 200))
        #expect(
            delivery.failed(failure, afterMilliseconds: 0, dice: 0)
                == .fail(.notSent("no connection (attempt 4)")))
    }

    @Test("what was not taken here ends at once: another try would end alike")
    func notTaken() {
        var delivery = Delivery()
        #expect(
            delivery.failed(.notTaken("bad path"), afterMilliseconds: 0, dice: 0)
                == .fail(.notTaken("bad path")))
    }

    @Test("what finds the queue full waits for one to two seconds")
    func queueFull() {
        var delivery = Delivery()
        for (dice, wait) in [(0.0, Int64(1_000)), (0.5, 1_500)] {
            #expect(
                delivery.failed(.queueFull("10 wait already"), afterMilliseconds: 0, dice: dice)
                    == .fail(.heldBack("10 wait already", retryAfterMilliseconds: wait)))
        }
    }

    @Test("what the connections have tried for five seconds is not tried further")
    func patience() {
        var delivery = Delivery()
        #expect(
            delivery.failed(.neverSent("no connection"), afterMilliseconds: 5_000, dice: 0)
                == .fail(.notSent("no connection (attempt 1)")))
    }

    @Test(
        "the dice spread the pause over its upper half",
        arguments: [(0.0, 100), (0.5, 150), (0.999, 199), (7, 200), (-1, 100)])
    func jitter(dice: Double, pause: Int) {
        var delivery = Delivery()
        _ = delivery.failed(.neverSent(""), afterMilliseconds: 0, dice: 0)
        #expect(
            delivery.failed(.neverSent(""), afterMilliseconds: 0, dice: dice)
                == .sendAgain(afterMilliseconds: pause))
    }

    @Test(
        "a refused provider token is replaced once",
        arguments: [
            "ExpiredProviderToken", "InvalidProviderToken", "BadEnvironmentKeyIdInToken",
            "BadEnvironmentKeyInToken",
        ])
    func providerToken(reason: String) {
        var delivery = Delivery()
        let refusal = refusal(403, reason)
        #expect(delivery.received(answer(403, reason)) == .sendWithNewToken(otherwise: refusal))
        #expect(delivery.received(answer(403, reason)) == .fail(.refused(refusal)))
    }

    @Test(
        "a 403 with an unknown reason asks for another key once",
        arguments: ["SomethingNew", "badenvironmentkeyintoken", "Unregistered"])
    func unknownReason(reason: String) {
        var delivery = Delivery()
        let refusal = refusal(403, reason)
        #expect(delivery.received(answer(403, reason)) == .sendWithNewToken(otherwise: refusal))
        #expect(delivery.received(answer(403, reason)) == .fail(.refused(refusal)))
    }

    @Test("a 403 without a reason asks for another key once")
    func noReason() {
        var delivery = Delivery()
        let refusal = refusal(403, "(no reason)")
        let answer = HTTP2Response(status: 403)
        #expect(delivery.received(answer) == .sendWithNewToken(otherwise: refusal))
        #expect(delivery.received(answer) == .fail(.refused(refusal)))
    }

    @Test(
        "a connection that is bound to something else is replaced once",
        arguments: [(403, "UnrelatedKeyIdInToken"), (400, "IdleTimeout"), (421, "Misdirected")])
    func connection(status: Int, reason: String) {
        var delivery = Delivery()
        let refusal = refusal(status, reason)
        #expect(
            delivery.received(answer(status, reason)) == .sendOnFreshConnection(otherwise: refusal))
        #expect(delivery.received(answer(status, reason)) == .fail(.refused(refusal)))
    }

    @Test(
        "PR8: every other refusal is reported, never repeated here",
        arguments: APNsReasonTests.documented.filter {
            ![.renewProviderToken, .changeProviderKey, .newConnection].contains($0.2)
        })
    func reported(status: Int, reason: String, action: APNsAction) {
        var delivery = Delivery()
        #expect(
            delivery.received(answer(status, reason)) == .fail(.refused(refusal(status, reason))))
    }

    @Test("T5: a 410's time comes through")
    func gone() {
        var delivery = Delivery()
        let answer = HTTP2Response(
            status: 410, body: Array(#"{"reason":"Unregistered","timestamp":5}"#.utf8))
        let refusal = APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: 5, action: .dropToken)
        #expect(delivery.received(answer) == .fail(.refused(refusal)))
    }

    @Test("an answer without a body is judged by its status")
    func noBody() {
        var delivery = Delivery()
        let refusal = APNsClient.Refusal(
            status: 502, reason: "(no reason)", timestamp: nil, action: .backOffHost)
        #expect(delivery.received(HTTP2Response(status: 502)) == .fail(.refused(refusal)))
    }

    @Test("a replaced token does not use up the attempts of what did not leave")
    func both() {
        var delivery = Delivery()
        _ = delivery.received(answer(403, "ExpiredProviderToken"))
        #expect(
            delivery.failed(.refused("GOAWAY"), afterMilliseconds: 0, dice: 0)
                == .sendAgain(afterMilliseconds: 0))
        #expect(
            delivery.received(HTTP2Response(status: 200))
                == .succeed(HTTP2Response(status: 200)))
    }
}
