internal import APNsClient
internal import Foundation
internal import JSONReader

/// The broadcast capability at developer.apple.com.
package enum BroadcastFeature: String, CaseIterable, Hashable, Sendable {
    case on, off
}

/// The simulator's broadcast channels: pure, so that a table test can cover every reason.
///
/// From "Sending channel management requests to APNs", "Sending broadcast push notification
/// requests to APNs" and "Handling error responses from APNs". Apple does not document the order of
/// its checks; here it is app, headers, channel, body.
struct SimulatedChannels: Sendable {
    private let bundleID: String
    private let channelsMax: Int
    private let warnings: DeviceWarnings
    private var dice: FaultDice
    private(set) var feature: BroadcastFeature
    private var channels: [String: Channel] = [:]

    private enum Limit {
        static let payloadBytes = 5_120
        /// Longer ids are invalid.
        static let idBytes = 512
        /// The size of a channel id. Apple specifies none, so it varies here.
        static let randomBytes = 16...24
    }

    init(_ settings: APNsSimulator.Settings) {
        bundleID = settings.bundleID
        channelsMax = settings.channelsMax
        feature = settings.broadcastFeature
        warnings = DeviceWarnings(schema: settings.schema)
        // Ids of one environment are invalid in the other, even under the same seed.
        let salt: UInt64 =
            switch settings.environment {
            case .sandbox: 0x5A4D_B0C5
            case .production: 0x9120_D0C7
            }
        dice = FaultDice(seed: settings.seed ^ salt)
    }

    /// The channels, ordered by id.
    var all: [Channel] { channels.values.sorted { $0.id < $1.id } }

    subscript(_ id: String) -> Channel? { channels[id] }

    /// Switches the capability; off permanently deletes every channel.
    mutating func set(_ feature: BroadcastFeature) {
        self.feature = feature
        if feature == .off { channels.removeAll() }
    }

    /// Checks and performs a request; `requestID` is the id for the response.
    mutating func perform(
        _ request: ChannelRequest, requestID: String, at now: Int64
    ) throws(Refusal) -> ChannelResult {
        try checkApp(request)
        switch request.operation {
        case .create: return .created(id: try create(request, at: now))
        case .read: return .described(try channel(of: request).policy)
        case .delete:
            let id = try channel(of: request).id
            channels[id] = nil
            return .deleted(id: id)
        case .list: return .listed(all.map(\.id))
        case .publish: return .published(try publish(request, requestID, at: now))
        }
    }

    // MARK: App and channel

    private func checkApp(_ request: ChannelRequest) throws(Refusal) {
        // Without a suffix: push types belong to topics, and broadcasts have none.
        guard request.bundleID == bundleID else {
            let isOwn = request.bundleID.hasPrefix(bundleID + ".")
            throw Refusal(isOwn ? .topicDisallowed : .topicMismatch)
        }
        guard request.topic == nil else { throw Refusal(.topicDisallowed) }
        guard feature == .on else { throw Refusal(.featureNotEnabled) }
        if let id = request.requestID, !PushRules.isUUID(id) { throw Refusal(.badMessageID) }
    }

    private func channel(of request: ChannelRequest) throws(Refusal) -> Channel {
        guard let id = request.channelID, !id.isEmpty else { throw Refusal(.missingChannelID) }
        guard id.utf8.count <= Limit.idBytes, Data(base64Encoded: id) != nil else {
            throw Refusal(.badChannelID)
        }
        guard let channel = channels[id] else { throw Refusal(.channelNotRegistered) }
        return channel
    }

    // MARK: Creating

    private mutating func create(
        _ request: ChannelRequest, at now: Int64
    ) throws(Refusal) -> String {
        guard !request.body.isEmpty else { throw Refusal(.payloadEmpty) }
        guard request.body.count <= Limit.payloadBytes else { throw Refusal(.payloadTooLarge) }
        guard let json = JSONValue(request.body), json.fields != nil else {
            throw Refusal(.badRequestPayload)
        }
        guard let type = json["push-type"] else { throw Refusal(.missingPushType) }
        guard Self.isLiveActivity(type.text) else { throw Refusal(.invalidPushType) }
        guard let number = json["message-storage-policy"]?.integer.flatMap(Int.init(exactly:)),
            let policy = Channel.StoragePolicy(rawValue: number)
        else { throw Refusal(.badRequestPayload) }
        guard channels.count < channelsMax else { throw Refusal(.cannotCreateChannelConfig) }
        let id = makeID()
        channels[id] = Channel(id: id, policy: policy, createdAt: now)
        return id
    }

    /// Generates ids until one is new: random values may repeat.
    private mutating func makeID() -> String {
        while true {
            let extra = Int(dice.next() % UInt64(Limit.randomBytes.count))
            let count = Limit.randomBytes.lowerBound + extra
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            let id = Data(bytes).base64EncodedString()
            if channels[id] == nil { return id }
        }
    }

    // MARK: Publishing

    private mutating func publish(
        _ request: ChannelRequest, _ requestID: String, at now: Int64
    ) throws(Refusal) -> AcceptedBroadcast {
        var channel = try channel(of: request)
        guard let type = request.pushType else { throw Refusal(.missingPushType) }
        guard Self.isLiveActivity(type) else { throw Refusal(.invalidPushType) }
        let priority = try priority(of: request)
        let expiration = try expiration(of: request, channel.policy)
        let aps = PushedAps(try payload(of: request))
        let broadcast = AcceptedBroadcast(
            channelID: channel.id, requestID: requestID, priority: priority,
            expiration: expiration, receivedAt: now, payload: request.body, aps: aps,
            warnings: warnings.about(
                request.body, aps, priority: priority, to: .broadcast,
                activity: &channel.activity, now: now))
        channel.take(broadcast)
        channels[channel.id] = channel
        return broadcast
    }

    private func priority(of request: ChannelRequest) throws(Refusal) -> Int {
        guard let text = request.priority else { return 10 }
        guard ["1", "5", "10"].contains(text), let priority = Int(text) else {
            throw Refusal(.badPriority)
        }
        return priority
    }

    private func expiration(
        of request: ChannelRequest, _ policy: Channel.StoragePolicy
    ) throws(Refusal) -> Int64? {
        let number = try request.expiration.map { text throws(Refusal) in
            try PushRules.expiration(text)
        }
        switch policy {
        case .newest: return number
        case .none:
            guard number == 0 else { throw Refusal(.badExpirationDate) }
            return number
        }
    }

    private func payload(of request: ChannelRequest) throws(Refusal) -> JSONValue {
        guard !request.body.isEmpty else { throw Refusal(.payloadEmpty) }
        guard request.body.count <= Limit.payloadBytes else { throw Refusal(.payloadTooLarge) }
        guard let aps = JSONValue(request.body)?["aps"], aps.fields?.isEmpty == false else {
            throw Refusal(.payloadEmpty)
        }
        // A broadcast cannot start a Live Activity.
        guard ["update", "end"].contains(aps["event"]?.text) else {
            throw Refusal(.badRequestPayload)
        }
        return aps
    }

    /// Apple's page has `Liveactivity`, its samples `liveactivity`, its bodies `LiveActivity`.
    private static func isLiveActivity(_ text: String?) -> Bool {
        text?.lowercased() == "liveactivity"
    }
}
