internal import HTTP2Server
internal import HTTP2
internal import Isolation
internal import Testing

@testable internal import APNsClient

@Suite("The client answers every push with what is known of its fate")
struct APNsClientTests {
    private let clock = TestClock()
    private let configuration: APNsClient.Configuration
    private let keys: [ProviderTokens.Key]
    private let publicKey: ES256PublicKey

    init() throws {
        let pem = try ES256PrivateKey.generate()
        keys = [ProviderTokens.Key(id: Sample.keyID, teamID: Sample.teamID, pem: pem)]
        configuration = APNsClient.Configuration(host: "localhost", identity: .keys(keys))
        publicKey = try ES256PublicKey(of: ES256PrivateKey(pem))
    }

    private func client(_ transport: ScriptedTransport) throws -> APNsClient {
        try APNsClient(
            configuration, dependencies: clock.dependencies, transport: transport)
    }

    private func refused(_ status: Int, _ reason: String) -> HTTP2Response {
        HTTP2Response(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    @Test("A4: each push carries the one provider token, signed by our key")
    func token() async throws {
        let transport = ScriptedTransport { _, _ in .success(HTTP2Response(status: 200)) }
        let client = try client(transport)
        #expect(await client.send(Sample.request()) == .accepted(apnsUniqueID: nil))
        clock.advance(minutes: 44)
        #expect(await client.send(Sample.request()) == .accepted(apnsUniqueID: nil))
        let bearers = transport.requests.compactMap { $0.header("authorization") }
        #expect(Set(bearers).count == 1)
        let claims = try publicKey.verify(bearers[0].dropFirst("bearer ".count))
        #expect(claims.issuedAt == 1_685_952_000)
        #expect(client.counts.tokensSigned == 1)
    }

    @Test("what APNs would refuse does not leave; the others of its batch do")
    func invalid() async throws {
        let transport = ScriptedTransport { _, _ in .success(HTTP2Response(status: 200)) }
        let client = try client(transport)
        let outcomes = await withCheckedContinuation { continuation in
            let seen = Locked<[Int: APNsClient.Outcome]>([:])
            let batch = [Sample.request(), Sample.request(bundleID: "x y"), Sample.request()]
            client.send(batch) { index, outcome in
                let all = seen.withLock { seen in
                    seen[index] = outcome
                    return seen
                }
                if all.count == 3 { continuation.resume(returning: all) }
            }
        }
        let refusal = PushRequestError.badTopic("x y.push-type.liveactivity").refusal
        #expect(outcomes[0] == .accepted(apnsUniqueID: nil))
        #expect(outcomes[1] == .refused(refusal))
        #expect(outcomes[2] == .accepted(apnsUniqueID: nil))
        #expect(transport.requests.count == 2)
    }

    @Test("PR7: of 100 pushes with an expired token all are accepted, by exactly one new token")
    func expired() async throws {
        let first = Locked<String?>(nil)
        let transport = ScriptedTransport { request, _ in
            let bearer = request.header("authorization")
            let isOld = first.withLock { first in
                first = first ?? bearer
                return first == bearer
            }
            guard isOld else { return .success(HTTP2Response(status: 200)) }
            return .success(
                HTTP2Response(
                    status: 403, body: Array(#"{"reason":"ExpiredProviderToken"}"#.utf8)))
        }
        let client = try client(transport)
        _ = try client.providerToken()
        clock.advance(minutes: 30)
        let accepted = Locked(0)
        client.send(Array(repeating: Sample.request(), count: 100)) { _, outcome in
            if outcome == .accepted(apnsUniqueID: nil) { accepted.withLock { $0 += 1 } }
        }
        #expect(accepted.withLock { $0 } == 100)
        #expect(client.counts.tokensSigned == 2)
        #expect(transport.renewals == 1)
        // Only the first had to hear it: those behind it left with the new token.
        #expect(client.counts.repeated == 1)
    }

    @Test("PR8: a token that APNs refuses when it is new is reported, not signed anew")
    func refusedToken() async throws {
        let answer = refused(403, "InvalidProviderToken")
        let transport = ScriptedTransport { _, _ in .success(answer) }
        let client = try client(transport)
        let outcome = await client.send(Sample.request())
        #expect(
            outcome
                == .refused(
                    APNsClient.Refusal(
                        status: 403, reason: "InvalidProviderToken", timestamp: nil,
                        action: .renewProviderToken)))
        #expect(transport.requests.count == 1)
        #expect(client.counts.tokensSigned == 1)
    }

    @Test("PR8: after TooManyProviderTokenUpdates nothing is signed for 20 minutes")
    func tooManyUpdates() async throws {
        let answer = refused(429, "TooManyProviderTokenUpdates")
        let transport = ScriptedTransport { _, number in
            .success(number == 0 ? answer : HTTP2Response(status: 200))
        }
        let client = try client(transport)
        _ = try client.providerToken()
        clock.advance(minutes: 38)
        _ = await client.send(Sample.request())
        clock.advance(minutes: 19)
        _ = await client.send(Sample.request())
        #expect(client.counts.tokensSigned == 1)
        clock.advance(minutes: 1)
        _ = await client.send(Sample.request())
        #expect(client.counts.tokensSigned == 2)
    }

    @Test("a connection that is bound to another key is replaced once")
    func unrelatedKey() async throws {
        let answer = refused(403, "UnrelatedKeyIdInToken")
        let transport = ScriptedTransport { _, number in
            .success(number == 0 ? answer : HTTP2Response(status: 200))
        }
        let outcome = try await client(transport).send(Sample.request())
        #expect(outcome == .accepted(apnsUniqueID: nil))
        #expect(transport.renewals == 1)
    }

    @Test("two clients share one new token, and each renews its own connections")
    func shared() async throws {
        let tokens = try ProviderTokens(keys)
        var configuration = configuration
        configuration.identity = .shared(tokens)
        _ = try tokens.token(at: clock.dependencies.moment)
        clock.advance(minutes: 30)
        let old = try tokens.token(at: clock.dependencies.moment).token.authorization
        let isOver = Locked(false)
        let expired = refused(403, "ExpiredProviderToken")
        let transports = (0..<2).map { _ in
            ScriptedTransport { request, _ in
                let isOld = request.header("authorization") == old && isOver.withLock { $0 }
                return .success(isOld ? expired : HTTP2Response(status: 200))
            }
        }
        let clients = try transports.map {
            try APNsClient(configuration, dependencies: clock.dependencies, transport: $0)
        }
        for client in clients { _ = await client.send(Sample.request()) }
        isOver.withLock { $0 = true }
        for client in clients {
            #expect(await client.send(Sample.request()) == .accepted(apnsUniqueID: nil))
        }
        #expect(transports.map(\.renewals) == [1, 1])
        #expect(tokens.signed == 2)
    }

    @Test("PR7: what was refused by the peer is sent again, with the same id")
    func refusedStream() async throws {
        let transport = ScriptedTransport { _, number in
            number < 3 ? .failure(.refused("GOAWAY")) : .success(HTTP2Response(status: 200))
        }
        let outcome = try await client(transport).send(Sample.request())
        #expect(outcome == .accepted(apnsUniqueID: nil))
        #expect(clock.waits == [100, 200])
        #expect(Set(transport.requests.map { $0.header("apns-id") }) == ["\(Sample.id)"])
    }

    @Test("PR7: an unknown fate is reported and not sent again")
    func unknown() async throws {
        let transport = ScriptedTransport { _, _ in .failure(.unknown("reset by peer")) }
        let outcome = try await client(transport).send(Sample.request())
        #expect(outcome == .unknown("reset by peer"))
        #expect(transport.requests.count == 1)
    }

    @Test("after shutdown nothing is sent again")
    func closing() async throws {
        let transport = ScriptedTransport { _, _ in .failure(.neverSent("closed")) }
        let client = try client(transport)
        await client.shutdown(graceMilliseconds: 0)
        #expect(await client.send(Sample.request()) == .notSent("the client is shutting down"))
        #expect(transport.requests.count == 1)
    }

    @Test("a push that waits to be repeated is settled by the shutdown, once")
    func waitingAtShutdown() async throws {
        let transport = ScriptedTransport { _, _ in .failure(.refused("GOAWAY")) }
        let wait = Locked<[@Sendable () -> Void]>([])
        var dependencies = clock.dependencies
        dependencies.wait = { _, body in wait.withLock { $0.append(body) } }
        let client = try APNsClient(
            configuration, dependencies: dependencies, transport: transport)
        let outcomes = Locked<[APNsClient.Outcome]>([])
        client.send(Sample.request()) { outcome in outcomes.withLock { $0.append(outcome) } }
        #expect(outcomes.withLock { $0 } == [])
        #expect(wait.withLock { $0.count } == 1)
        await client.shutdown(graceMilliseconds: 0)
        #expect(outcomes.withLock { $0 } == [.notSent("the client is shutting down")])
        for body in wait.withLock({ $0 }) { body() }
        #expect(outcomes.withLock { $0.count } == 1)
        #expect(transport.requests.count == 2)
    }

    @Test("what the transport does not take is reported at once, and not tried again")
    func notTaken() async throws {
        let transport = ScriptedTransport { _, _ in .failure(.notTaken("bad path")) }
        #expect(
            try await client(transport).send(Sample.request()) == .notSent("bad path"))
        #expect(transport.requests.count == 1)
    }

    @Test("an answer with another push's apns-id is counted, the same in capitals is not")
    func strangeID() async throws {
        let transport = ScriptedTransport { _, number in
            let id = number == 0 ? "\(PushID.derived(from: "other"))" : "\(Sample.id)".uppercased()
            return .success(HTTP2Response(status: 200, headers: [HTTP2Header("apns-id", id)]))
        }
        let client = try client(transport)
        _ = await client.send(Sample.request())
        _ = await client.send(Sample.request())
        #expect(client.counts.strangeIDs == 1)
    }
}
