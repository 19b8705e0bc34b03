internal import HTTP2Server
internal import HTTP2
internal import Isolation
internal import Testing

@testable internal import APNsClient

@Suite("PR8: the client's manners towards Apple")
struct APNsClientMannersTests {
    private let clock = TestClock()
    private let keys: [ProviderTokens.Key]
    private let publicKeys: [ES256PublicKey]

    init() throws {
        let pems = try (0..<2).map { _ in try ES256PrivateKey.generate() }
        keys = zip(["AAAAAAAAAA", "BBBBBBBBBB"], pems).map {
            ProviderTokens.Key(id: $0, teamID: Sample.teamID, pem: $1)
        }
        publicKeys = try pems.map { try ES256PublicKey(of: ES256PrivateKey($0)) }
    }

    private func client(_ transport: ScriptedTransport, keys count: Int = 1) throws -> APNsClient {
        try APNsClient(
            APNsClient.Configuration(host: "localhost", identity: .keys(Array(keys[..<count]))),
            dependencies: clock.dependencies, transport: transport)
    }

    private func answer(_ status: Int, _ reason: String) -> HTTP2Response {
        HTTP2Response(status: status, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    /// Sends so many pushes and counts the outcomes that are of a kind.
    private func send(
        _ count: Int, by client: APNsClient, counting isOne: @escaping (APNsClient.Outcome) -> Bool
    ) -> Int {
        let outcomes = Locked<[APNsClient.Outcome]>([])
        client.send(Array(repeating: Sample.request(), count: count)) { _, outcome in
            outcomes.withLock { $0.append(outcome) }
        }
        return outcomes.withLock { $0 }.count { isOne($0) }
    }

    private func isAccepted(_ outcome: APNsClient.Outcome) -> Bool {
        outcome == .accepted(apnsUniqueID: nil)
    }

    // MARK: Two keys

    @Test(
        "of 100 pushes with a bad key all are accepted with the other, on fresh connections",
        arguments: [
            "InvalidProviderToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken",
            "SomethingNew",
        ])
    func badKey(reason: String) throws {
        let second = publicKeys[1]
        let invalid = answer(403, reason)
        let transport = ScriptedTransport { request, _ in
            let bearer = request.header("authorization") ?? ""
            let claims = try? second.verify(bearer.dropFirst("bearer ".count))
            return .success(claims == nil ? invalid : HTTP2Response(status: 200))
        }
        let client = try client(transport, keys: 2)
        #expect(send(100, by: client, counting: isAccepted) == 100)
        #expect(client.counts.keyPlace == 2)
        #expect(client.counts.tokensSigned == 2)
        #expect(transport.renewals == 1)
    }

    @Test("an unknown 403 that both keys get tries the second one once, and the first serves on")
    func notTheKey() throws {
        let strange = answer(403, "SomethingNew")
        let transport = ScriptedTransport { _, _ in .success(strange) }
        let client = try client(transport, keys: 2)
        for _ in 0..<20 { #expect(send(1, by: client, counting: isAccepted) == 0) }
        #expect(client.counts.keyPlace == 1)
        // The first push tries both keys, which shows that neither is to blame.
        #expect(transport.requests.count == 20 + 1)
        #expect(client.counts.tokensSigned == 2)
    }

    @Test("an unknown 403 of one device leaves the others their key")
    func oneDevice() throws {
        let strange = answer(403, "SomethingNew")
        let transport = ScriptedTransport { _, number in
            .success(number < 2 ? strange : HTTP2Response(status: 200))
        }
        let client = try client(transport, keys: 2)
        #expect(send(1, by: client, counting: isAccepted) == 0)
        #expect(send(1, by: client, counting: isAccepted) == 1)
        #expect(client.counts.keyPlace == 1)
    }

    @Test("with a single key an unknown 403 is one request")
    func oneKey() throws {
        let strange = answer(403, "SomethingNew")
        let transport = ScriptedTransport { _, _ in .success(strange) }
        let client = try client(transport)
        #expect(send(1, by: client, counting: isAccepted) == 0)
        #expect(transport.requests.count == 1)
        #expect(client.counts.tokensSigned == 1)
    }

    @Test("of 100 pushes that blame the connection all go once more, on connections renewed once")
    func unrelated() throws {
        let unrelated = answer(403, "UnrelatedKeyIdInToken")
        let tried = Locked(0)
        let transport = ScriptedTransport { _, _ in
            let number = tried.withLock { tried in
                tried += 1
                return tried
            }
            return .success(number % 2 == 1 ? unrelated : HTTP2Response(status: 200))
        }
        let client = try client(transport)
        #expect(send(100, by: client, counting: isAccepted) == 100)
        #expect(transport.renewals == 1)
    }

    @Test("a restarted client goes on with the token of the last run")
    func restart() async throws {
        let storage = MemoryTokenStorage()
        let bearers = Locked<Set<String?>>([])
        for _ in 0..<3 {
            let transport = ScriptedTransport { request, _ in
                bearers.withLock { _ = $0.insert(request.header("authorization")) }
                return .success(HTTP2Response(status: 200))
            }
            let client = try client(transport)
            await client.keepProviderTokens(in: storage)
            _ = await client.send(Sample.request())
            await client.shutdown(graceMilliseconds: 0)
            clock.advance(minutes: 10)
        }
        #expect(bearers.withLock { $0.count } == 1)
    }

    // MARK: A host in trouble

    @Test("PR6: while a host answers 503 pushes are held back, and one finds out when it is over")
    func outage() async throws {
        let isBroken = Locked(true)
        let broken = answer(503, "ServiceUnavailable")
        let transport = ScriptedTransport { _, _ in
            .success(isBroken.withLock { $0 } ? broken : HTTP2Response(status: 200))
        }
        let client = try client(transport)
        for _ in 0..<20 {
            _ = await client.send(Sample.request())
            clock.advance(milliseconds: 100)
        }
        #expect(client.counts.hostState == .inTrouble)
        let held = await client.send(Sample.request())
        guard case .heldBack(_, let wait) = held else {
            Issue.record("it must be held back, but was \(held)")
            return
        }
        #expect(transport.requests.count == 20)
        isBroken.withLock { $0 = false }
        clock.advance(milliseconds: wait)
        #expect(send(10, by: client, counting: isAccepted) == 1)
        #expect(send(10, by: client, counting: isAccepted) == 10)
        #expect(client.counts.hostState == .working)
        #expect(client.counts.heldBack == 10)
        #expect(client.counts.pauses == 1)
    }

    @Test("a batch of which APNs would refuse all does not use up the try")
    func invalidProbe() async throws {
        let transport = ScriptedTransport { _, number in
            number < 20 ? .failure(.unknown("no answer")) : .success(HTTP2Response(status: 200))
        }
        let client = try client(transport)
        for _ in 0..<20 {
            _ = await client.send(Sample.request())
            clock.advance(milliseconds: 100)
        }
        clock.advance(minutes: 1)
        _ = await client.send(Sample.request(bundleID: "x y"))
        #expect(await client.send(Sample.request()) == .accepted(apnsUniqueID: nil))
    }

    @Test("when too many answers are errors, 200 pushes a second leave and the others wait")
    func slowed() throws {
        let bad = answer(400, "BadPriority")
        let transport = ScriptedTransport { _, _ in .success(bad) }
        let client = try client(transport)
        let isRefused: (APNsClient.Outcome) -> Bool = { outcome in
            if case .refused = outcome { true } else { false }
        }
        #expect(send(100, by: client, counting: isRefused) == 100)
        #expect(send(1_000, by: client, counting: isRefused) == 200)
        #expect(client.counts.hostState == .slowed)
        #expect(client.counts.heldBack == 800)
    }

    // MARK: Bad tokens

    @Test(
        "a token that is called bad is refused here until it is registered again",
        arguments: [
            (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"), (410, "Unregistered"),
            (410, "ExpiredToken"),
        ])
    func quarantine(status: Int, reason: String) async throws {
        let bad = answer(status, reason)
        let transport = ScriptedTransport { _, _ in .success(bad) }
        let client = try client(transport)
        let first = await client.send(Sample.request())
        #expect(await client.send(Sample.request()) == first)
        #expect(transport.requests.count == 1)
        #expect(client.counts.tokensQuarantined == 1)
        #expect(client.counts.quarantineRefusals == 1)
        client.liftQuarantine(of: Sample.token)
        #expect(client.counts.tokensQuarantined == 0)
        _ = await client.send(Sample.request())
        #expect(transport.requests.count == 2)
    }

    @Test("a push that APNs refuses for itself says nothing of its token")
    func notTheToken() async throws {
        let bad = answer(413, "PayloadTooLarge")
        let transport = ScriptedTransport { _, _ in .success(bad) }
        let client = try client(transport)
        _ = await client.send(Sample.request())
        _ = await client.send(Sample.request())
        #expect(transport.requests.count == 2)
    }
}
