package import HTTP2
internal import JSONReader

/// One broadcast to a channel, complete except for the provider token ("Sending broadcast push
/// notification requests to APNs"). It has no topic: the path contains the bundle id.
public struct BroadcastRequest: Hashable, Sendable {
    /// The target channel.
    public let channel: ChannelID
    /// The app's bundle id, without a suffix.
    public let bundleID: String
    /// `apns-priority`: broadcasts also allow 1.
    public let priority: PushRequest.Priority
    /// What APNs stores of it.
    public let storage: BroadcastStorage
    /// `apns-request-id`: echoed by APNs.
    public let id: PushID
    /// The JSON body.
    public let payload: [UInt8]

    /// Creates a broadcast from a typed payload.
    ///
    /// - Parameters:
    ///   - payload: An update or an end.
    ///   - channel: A channel with its policy.
    ///   - bundleID: The app's bundle id, without a suffix.
    ///   - priority: High-priority pushes count against each activity's budget.
    ///   - storage: `nil`: what suits the event and the channel. A channel without storage takes
    ///     `noStorage` only.
    ///   - id: The broadcast's id.
    /// - Throws: When the payload cannot be encoded or is too large.
    public init<State>(
        _ payload: BroadcastPayload<State>, on channel: BroadcastChannel, bundleID: String,
        priority: PushRequest.Priority, storage: BroadcastStorage? = nil,
        id: PushID = .random()
    ) throws(PayloadError) {
        self.init(
            payload: try payload.encoded(), channel: channel.id, bundleID: bundleID,
            priority: priority,
            storage: storage ?? .suited(to: payload, on: channel.policy, priority: priority),
            id: id)
    }

    /// Creates a broadcast from unchecked bytes; see `validate`.
    package init(
        payload: [UInt8], channel: ChannelID, bundleID: String, priority: PushRequest.Priority,
        storage: BroadcastStorage, id: PushID = .random()
    ) {
        self.channel = channel
        self.bundleID = bundleID
        self.priority = priority
        self.storage = storage
        self.id = id
        self.payload = payload
    }

    /// Throws what APNs would refuse.
    public func validate() throws(BroadcastError) {
        guard BundleID.isWellFormed(bundleID) else { throw .badBundleID(bundleID) }
        guard channel.isWellFormed else { throw .badChannelID }
        guard (0..<EpochSeconds.limit).contains(storage.expiration) else {
            throw .badExpiration(storage.expiration)
        }
        guard !payload.isEmpty else { throw .payloadEmpty }
        let limit = PayloadLimit.broadcast.bytes
        guard payload.count <= limit else {
            throw .payloadTooLarge(bytes: payload.count, limit: limit)
        }
        guard let json = JSONValue(payload), let event = json["aps"]?["event"]?.text else {
            throw .badPayload
        }
        guard event == "update" || event == "end" else { throw .badEvent(event) }
    }

    /// Writes the request's head in its wire form.
    package func write(to head: inout HTTP2RequestHead, with providerToken: ProviderToken) {
        parts.write(to: &head, with: providerToken)
    }

    /// The parts, for the wire and for display.
    package var parts: RequestParts {
        RequestParts(
            method: "POST", path: "/4/broadcasts/apps/\(bundleID)",
            headers: [
                HTTP2Header("apns-push-type", "liveactivity"),
                HTTP2Header("apns-channel-id", channel.base64),
                HTTP2Header("apns-priority", String(priority.rawValue)),
                HTTP2Header("apns-expiration", String(storage.expiration), indexing: .never),
                HTTP2Header("apns-request-id", "\(id)", indexing: .never),
            ], body: payload)
    }
}

extension BroadcastRequest: CustomStringConvertible, CustomReflectable {
    /// A description without the body, safe to log.
    public var description: String {
        "broadcast \(id) (priority \(priority.rawValue), \(payload.count) bytes)"
    }
    /// An empty mirror: `dump` shows no fields.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
