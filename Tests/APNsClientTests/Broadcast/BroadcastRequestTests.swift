import HTTP2Server
import Testing

@testable import APNsClient

@Suite("Broadcasts have Apple's form")
struct BroadcastRequestTests {
    private let stored = BroadcastChannel(id: Sample.channel, policy: .mostRecent)
    private let unstored = BroadcastChannel(id: Sample.channel, policy: .noStorage)

    @Test("a broadcast equals the golden file, and has no topic")
    func golden() throws {
        let request = try BroadcastRequest(
            .update(at: 1_685_952_000, state: Sample.sword), on: stored, bundleID: Sample.appID,
            priority: .high, id: Sample.id)
        try request.validate()
        let wire = request.http2Request(providerToken: ProviderToken(jwt: "jwt", issuedAt: 1))
        #expect(WireText.of(wire) == (try WireText.golden("broadcast")))
        #expect(wire.header("apns-topic") == nil)
    }

    @Test("a channel without storage gets expiration 0 by itself")
    func noStorage() throws {
        let request = try BroadcastRequest(
            .update(at: 1_685_952_000, state: Sample.sword), on: unstored, bundleID: Sample.appID,
            priority: .high)
        #expect(request.storage == .noStorage)
        #expect(request.storage.expiration == 0)
    }

    @Test(
        "a stored broadcast is kept as long as its event is worth it",
        arguments: [
            (BroadcastPayload.update(at: 1_000, state: ["": 1]), .lowest, 1_000 + 900),
            (.update(at: 1_000, state: ["": 1]), .low, 1_000 + 900),
            (.update(at: 1_000, state: ["": 1], staleDate: 1_200), .high, 1_200),
            (.end(at: 1_000, finalState: nil), .high, 1_000 + 14_400),
        ] as [(BroadcastPayload<[String: Int]>, PushRequest.Priority, Int64)])
    func kept(
        payload: BroadcastPayload<[String: Int]>, priority: PushRequest.Priority, until: Int64
    ) throws {
        let request = try BroadcastRequest(
            payload, on: stored, bundleID: Sample.appID, priority: priority)
        #expect(request.storage == .mostRecent(until: until))
    }

    @Test("a broadcast may have 5,120 bytes and no more")
    func size() throws {
        func request(_ count: Int) throws -> BroadcastRequest {
            let words = String(repeating: "x", count: count)
            let state = PlainState(currentHealthLevel: 1, eventDescription: words)
            return try BroadcastRequest(
                .update(at: 1, state: state), on: unstored, bundleID: Sample.appID, priority: .low)
        }
        let frame = try request(0).payload.count
        try request(5_120 - frame).validate()
        #expect(throws: PayloadError.tooLarge(bytes: 5_121, limit: 5_120)) {
            try request(5_121 - frame)
        }
    }

    @Test(
        "what is built raw and APNs would refuse is found, with Apple's own reason",
        arguments: [
            (Sample.broadcast(bundleID: "a.push-type.liveactivity"), 400, "TopicDisallowed"),
            (Sample.broadcast(bundleID: ""), 400, "TopicDisallowed"),
            (Sample.broadcast(channel: ChannelID(base64: "no")), 400, "BadChannelId"),
            (Sample.broadcast(storage: .mostRecent(until: -1)), 400, "BadExpirationDate"),
            (
                Sample.broadcast(storage: .mostRecent(until: 1_685_952_000_000)), 400,
                "BadExpirationDate"
            ),
            (Sample.broadcast(payload: []), 400, "PayloadEmpty"),
            (Sample.broadcast(payload: Array(repeating: 32, count: 5_121)), 413, "PayloadTooLarge"),
            (Sample.broadcast(payload: Array("{".utf8)), 400, "BadRequestPayload"),
            (Sample.broadcast(payload: Array(#"{"aps":{}}"#.utf8)), 400, "BadRequestPayload"),
            (
                Sample.broadcast(payload: Array(#"{"aps":{"event":"start"}}"#.utf8)), 400,
                "BadRequestPayload"
            ),
        ])
    func invalid(request: BroadcastRequest, status: Int, reason: String) {
        let error = #expect(throws: BroadcastError.self) { try request.validate() }
        #expect(error?.refusal.status == status)
        #expect(error?.refusal.reason == reason)
    }

    @Test("PR17: what a log may show of a broadcast is not its body")
    func redacted() {
        let request = Sample.broadcast(payload: Array(#"{"aps":{"event":"secret"}}"#.utf8))
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!"\(request) \(dumped)".contains("secret"))
    }
}
