import APNsClient
import HTTP2
import HTTP2Server

@testable import APNsSimulator
import JSONReader

/// The simulated APNs under a clock of its own, and a sender that knows how to push.
struct Scene {
    static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"
    static let topic = bundleID + ".push-type.liveactivity"
    static let token = String(repeating: "0a1b", count: 40)
    /// Milliseconds since 1970.
    static let start: Int64 = 1_685_952_000_000
    static let body = """
        {"aps":{"timestamp":1685952000,"event":"update","content-state":\
        {"currentHealthLevel":0.941,"eventDescription":"Power Panda found a sword!"}}}
        """

    /// Of Apple's sample.
    static let schema = LiveActivitySchema(
        contentState: ContentSchema([
            .init("currentHealthLevel", .number(in: 0...1)), .init("eventDescription", .text),
        ]))

    let key: ES256PrivateKey
    /// The provider token of the beginning: signatures differ from each other, even of one moment.
    private let bearer: String
    private(set) var apns: SimulatedAPNs
    var now = start

    init(
        policy: TokenRegistry.Policy = .any,
        configure: (inout APNsSimulator.Settings) -> Void = { _ in }
    ) throws {
        key = try ES256PrivateKey(ES256PrivateKey.generate())
        bearer = try Self.bearer(
            keyID: "SIMULATOR1", teamID: "RANGERTEAM", issuedAt: Self.start / 1_000, key: key)
        var settings = APNsSimulator.Settings(
            bundleID: Self.bundleID, schema: Self.schema,
            providerKeys: [
                try Self.providerKey(of: key)
            ], identity: ServerIdentity(certificatePEM: "", privateKeyPEM: ""))
        settings.tokenPolicy = policy
        configure(&settings)
        apns = SimulatedAPNs(settings)
    }

    /// What Apple knows of a key.
    static func providerKey(
        of key: ES256PrivateKey, environment: APNsEnvironment? = nil
    ) throws -> ProviderKey {
        ProviderKey(
            keyID: "SIMULATOR1", teamID: "RANGERTEAM", publicKey: try ES256PublicKey(of: key),
            environment: environment)
    }

    /// An `authorization` header's value. `issuedAt` is in seconds since 1970.
    func bearer(
        keyID: String = "SIMULATOR1", teamID: String = "RANGERTEAM", issuedAt: Int64? = nil
    ) throws -> String {
        try Self.bearer(
            keyID: keyID, teamID: teamID, issuedAt: issuedAt ?? now / 1_000, key: key)
    }

    private static func bearer(
        keyID: String, teamID: String, issuedAt: Int64, key: ES256PrivateKey
    ) throws -> String {
        try ProviderToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt, key: key).authorization
    }

    /// A good push, but for what is changed; a header that is `nil` is left out.
    func request(
        _ changes: [String: String?] = [:], method: String = "POST",
        path: String = "/3/device/\(token)", body: String = body, extra: [HTTP2Header] = []
    ) -> HTTP2Request {
        var fields: [String: String?] = [
            "apns-topic": Self.topic, "apns-push-type": "liveactivity", "apns-priority": "10",
            "authorization": bearer,
        ]
        fields.merge(changes) { $1 }
        let headers = fields.compactMap { name, value in value.map { HTTP2Header(name, $0) } }
        return HTTP2Request(
            method: method, path: path, headers: headers + extra, body: Array(body.utf8))
    }

    mutating func send(_ request: HTTP2Request, on connection: Int = 1) -> SimulatedAPNs.Reaction {
        apns.receive(request, on: connection, at: now)
    }

    mutating func refusal(of request: HTTP2Request, on connection: Int = 1) -> Refusal? {
        guard case .refused(let refusal) = send(request, on: connection).record.outcome else {
            return nil
        }
        return refusal
    }

    mutating func change(_ body: (inout SimulatedAPNs) -> Void) { body(&apns) }

    /// What a device would complain about in this `aps` dictionary.
    mutating func warnings(_ aps: String, priority: String = "10") -> [String] {
        let request = request(["apns-priority": priority], body: #"{"aps":\#(aps)}"#)
        return send(request).record.accepted?.warnings ?? ["refused"]
    }
}

extension PushedAps {
    var health: Double? { contentState?["currentHealthLevel"]?.number }
    var words: String? { contentState?["eventDescription"]?.text }
}
