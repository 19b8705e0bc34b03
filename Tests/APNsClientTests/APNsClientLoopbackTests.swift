internal import HTTP2
internal import HTTP2Server
internal import Isolation
internal import Testing

@testable internal import APNsClient

@Suite("Over real TLS and HTTP/2", .timeLimit(.minutes(1)))
struct APNsClientLoopbackTests {
    private static func refused(_ status: Int, _ reason: String) -> HTTP2Server.Action {
        .respond(HTTP2Response(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8)))
    }

    @Test("R1 to R6: the server sees Apple's headers, a token that it can verify, and the body")
    func accepted() async throws {
        let apple = try Loopback { request, _, _ in
            let id = HTTP2Header("apns-id", request.header("apns-id") ?? "")
            let unique = HTTP2Header("apns-unique-id", "unique")
            return .respond(HTTP2Response(status: 200, headers: [id, unique]))
        }
        #expect(await apple.client.send(Sample.request()) == .accepted(apnsUniqueID: "unique"))
        await apple.stop()

        let seen = try #require(apple.requests.first).request
        let expected = Sample.request()
        #expect(seen.method == "POST")
        #expect(seen.path == "/3/device/\(expected.token.hex)")
        #expect(seen.body == expected.payload)
        for header in expected.plainHeaders {
            #expect(seen.header(header.name) == header.value)
        }
        let bearer = try #require(seen.header("authorization"))
        let claims = try apple.publicKey.verify(bearer.dropFirst("bearer ".count))
        #expect(claims.teamID == Sample.teamID)
        #expect(apple.client.counts.strangeIDs == 0)
    }

    @Test("a refusal comes through with its reason, its time and its action")
    func gone() async throws {
        let apple = try Loopback { _, _, _ in
            .respond(
                HTTP2Response(
                    status: 410, body: Array(#"{"reason":"Unregistered","timestamp":5}"#.utf8)))
        }
        let outcome = await apple.client.send(Sample.request())
        let refusal = APNsClient.Refusal(
            status: 410, reason: "Unregistered", timestamp: 5, action: .dropToken)
        #expect(outcome == .refused(refusal))
        await apple.stop()
    }

    /// After the first push the token that it carried has expired.
    private static func expire(
        _ request: HTTP2Request, _ number: Int, first: Locked<String?>
    ) -> HTTP2Server.Action {
        let bearer = request.header("authorization")
        let isFirst = first.withLock { first in
            first = first ?? bearer
            return first == bearer
        }
        return number > 0 && isFirst
            ? refused(403, "ExpiredProviderToken") : .respond(HTTP2Response(status: 200))
    }

    @Test("PR7: an expired token is replaced once, on connections that never saw it")
    func expired() async throws {
        let old = Locked<String?>(nil)
        let apple = try Loopback(connections: 2) { request, _, number in
            Self.expire(request, number, first: old)
        }
        #expect(await apple.send(1) == [.accepted(apnsUniqueID: nil)])
        apple.clock.advance(minutes: 30)
        let outcomes = await apple.send(100)
        await apple.stop()

        #expect(outcomes == Array(repeating: .accepted(apnsUniqueID: nil), count: 100))
        #expect(apple.client.counts.tokensSigned == 2)
        let bearers = Dictionary(grouping: apple.requests) { $0.connection }
            .mapValues { Set($0.map { $0.request.header("authorization") }) }
        #expect(!bearers.isEmpty && bearers.values.allSatisfy { $0.count == 1 })
    }

    @Test("PR7: pushes that still wait when their token is refused leave with the new one")
    func expiredBacklog() async throws {
        let old = Locked<String?>(nil)
        let apple = try Loopback(connections: 1) { request, _, number in
            Self.expire(request, number, first: old)
        }
        _ = await apple.send(1)
        apple.clock.advance(minutes: 30)
        let streams = Int(
            HTTP2Server.Settings(
                ServerIdentity(certificatePEM: "", privateKeyPEM: "")
            ).maxConcurrentStreams)
        let outcomes = await apple.send(streams * 5)
        await apple.stop()

        #expect(
            outcomes == Array(repeating: .accepted(apnsUniqueID: nil), count: streams * 5))
        let stale = apple.requests.count { seen in
            seen.request.header("authorization") == old.withLock { $0 }
        }
        // The first push was accepted; as many as fit the connection may have been on their way.
        #expect(stale <= 1 + streams)
    }

    @Test("PR7: cut in mid-flight, a push's fate is unknown, and it is not sent twice")
    func cut() async throws {
        let apple = try Loopback { _, _, number in
            number == 1 ? .dropConnection : .respond(HTTP2Response(status: 200))
        }
        #expect(await apple.send(1) == [.accepted(apnsUniqueID: nil)])
        let outcome = await apple.client.send(Sample.request())
        guard case .unknown = outcome else {
            Issue.record("the fate is unknown, not \(outcome)")
            return
        }
        #expect(await apple.send(1) == [.accepted(apnsUniqueID: nil)])
        await apple.stop()
        #expect(apple.requests.count == 3)
    }

    @Test("PR7: a refused stream is sent again and accepted")
    func refusedStream() async throws {
        let apple = try Loopback { _, _, number in
            number == 0 ? .resetStream(errorCode: 7) : .respond(HTTP2Response(status: 200))
        }
        #expect(await apple.send(1) == [.accepted(apnsUniqueID: nil)])
        await apple.stop()
        #expect(apple.requests.count == 2)
    }

    @Test("PR7: with a GOAWAY after every 20 pushes none of 60 is lost or doubled")
    func goAway() async throws {
        let apple = try Loopback(connections: 3) { _, _, number in
            let answer = HTTP2Response(status: 200)
            let reason = Array(#"{"reason":"Shutdown"}"#.utf8)
            return number % 20 == 19 ? .goAway(answer, debugData: reason) : .respond(answer)
        }
        var accepted = 0
        for _ in 0..<3 {
            accepted += await apple.send(20).count { $0 == .accepted(apnsUniqueID: nil) }
        }
        await apple.stop()
        #expect(accepted == 60)
        #expect(apple.requests.count == 60)
    }

    @Test("PR7: over TLS that cannot be verified nothing is sent")
    func unverified() async throws {
        let apple = try Loopback(trust: .somebodyElse) { _, _, _ in
            .respond(HTTP2Response(status: 200))
        }
        let outcome = await apple.client.send(Sample.request())
        guard case .notSent = outcome else {
            Issue.record("it must not be sent, but was \(outcome)")
            return
        }
        await apple.stop()
        #expect(apple.requests.isEmpty)
    }
}
