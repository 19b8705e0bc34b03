package import HTTP2

/// One push to one device, complete except for the provider token.
///
/// `liveActivity`, `alert`, `background`, `widgets` and `controls` create the combinations that
/// APNs allows; others do not compile. The initialiser accepts any values, and `validate` checks
/// them.
public struct PushRequest: Hashable, Sendable {
    /// The device's (or the Live Activity's) token.
    public let token: DeviceToken
    /// `apns-push-type`.
    public let pushType: PushType
    /// The app's bundle id, without a suffix.
    public let bundleID: String
    /// `apns-priority`.
    public let priority: Priority
    /// `apns-expiration`: seconds since 1970; 0: one attempt; `nil`: APNs decides.
    public let expiration: Int64?
    /// `apns-id`: echoed by APNs.
    public let id: PushID
    /// `apns-collapse-id`: at most 64 bytes.
    public let collapseID: String?
    /// The JSON body.
    public let payload: [UInt8]

    /// Creates a request from its fields.
    public init(
        token: DeviceToken, pushType: PushType, bundleID: String, priority: Priority,
        expiration: Int64?, id: PushID, collapseID: String? = nil, payload: [UInt8]
    ) {
        self.token = token
        self.pushType = pushType
        self.bundleID = bundleID
        self.priority = priority
        self.expiration = expiration
        self.id = id
        self.collapseID = collapseID
        self.payload = payload
    }

    /// `apns-topic`: the bundle id with its push type's suffix.
    public var topic: String { pushType.topic(bundleID: bundleID) }
}

extension PushRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description without token and body, safe to log.
    public var description: String {
        "push \(id) (\(pushType.rawValue), priority \(priority.rawValue), \(payload.count) bytes)"
    }
    /// A description without token and body, safe to log.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows no fields.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PushRequest {
    /// Writes the request's head in Apple's order. Every push takes this path, so it creates no
    /// strings.
    package func write(to head: inout HTTP2RequestHead, with providerToken: ProviderToken) {
        writePlain(to: &head)
        head.add(.authorization, providerToken.authorization)
    }

    /// The header fields except for `authorization`, for display.
    package var plainHeaders: [HTTP2Header] {
        var head = HTTP2RequestHead(authority: "")
        writePlain(to: &head)
        return head.headers
    }

    private func writePlain(to head: inout HTTP2RequestHead) {
        head.begin("POST", path: "/3/device/", token.hex)
        head.add(.apnsPushType, pushType.rawValue)
        head.add(.apnsTopic, bundleID, pushType.topicSuffix)
        head.add(.apnsPriority, Int64(priority.rawValue))
        // These change with every push and would evict other fields from the table.
        head.add(.apnsID, count: UUIDText.count, indexing: .never) {
            UUIDText.write(id.bits, into: $0)
        }
        if let expiration { head.add(.apnsExpiration, expiration, indexing: .never) }
        if let collapseID { head.add(.apnsCollapseID, collapseID, indexing: .never) }
    }
}

extension FieldName {
    static let apnsPushType = FieldName("apns-push-type")
    static let apnsTopic = FieldName("apns-topic")
    static let apnsPriority = FieldName("apns-priority")
    static let apnsID = FieldName("apns-id")
    static let apnsRequestID = FieldName("apns-request-id")
    static let apnsExpiration = FieldName("apns-expiration")
    static let apnsCollapseID = FieldName("apns-collapse-id")
    static let apnsChannelID = FieldName("apns-channel-id")
    /// In responses of the sandbox.
    static let apnsUniqueID = FieldName("apns-unique-id")
}

extension PushRequest {
    /// Throws what APNs would refuse: many errors there make it disconnect a provider.
    public func validate() throws(PushRequestError) {
        guard token.isWellFormed else { throw .badToken }
        guard BundleID.isWellFormed(bundleID) else { throw .badTopic(topic) }
        guard pushType.allows(priority) else { throw .badPriority(priority, pushType) }
        if let expiration, expiration < 0 || expiration >= EpochSeconds.limit {
            throw .badExpiration(expiration)
        }
        if let collapseID,
            !(1...Self.collapseIDBytesMax).contains(collapseID.utf8.count)
                || !collapseID.utf8.allSatisfy(Self.isVisible)
        {
            throw .badCollapseID(bytes: collapseID.utf8.count)
        }
        guard !payload.isEmpty else { throw .payloadEmpty }
        guard payload.count <= PayloadLimit.device.bytes else {
            throw .payloadTooLarge(bytes: payload.count, limit: PayloadLimit.device.bytes)
        }
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    private static let collapseIDBytesMax = 64
}

/// Why APNs would refuse a request; each case has the status and reason that APNs would return.
public enum PushRequestError: Error, Hashable, Sendable {
    /// The token is not hex of whole bytes.
    case badToken
    /// The topic is not a bundle id followed by the push type's suffix.
    case badTopic(String)
    /// The push type does not allow this priority.
    case badPriority(PushRequest.Priority, PushRequest.PushType)
    /// The expiration is not in seconds since 1970.
    case badExpiration(Int64)
    /// The collapse id is empty, longer than 64 bytes, or not printable ASCII.
    case badCollapseID(bytes: Int)
    /// The payload is empty.
    case payloadEmpty
    /// The payload exceeds APNs' limit.
    case payloadTooLarge(bytes: Int, limit: Int)

    /// The refusal that APNs would return.
    public var refusal: APNsClient.Refusal {
        switch self {
        case .badToken: .certain(400, "BadDeviceToken")
        case .badTopic: .certain(400, "BadTopic")
        case .badPriority: .certain(400, "BadPriority")
        case .badExpiration: .certain(400, "BadExpirationDate")
        case .badCollapseID: .certain(400, "BadCollapseId")
        case .payloadEmpty: .certain(400, "PayloadEmpty")
        case .payloadTooLarge: .certain(413, "PayloadTooLarge")
        }
    }
}

extension PushRequestError: CustomStringConvertible {
    /// What is wrong, with the value unless it is secret.
    public var description: String {
        switch self {
        case .badToken: "the token is not hex of whole bytes: report it as \"%02x\" of each byte"
        case .badTopic(let topic):
            "the topic \"\(topic)\" is not a bundle ID followed by its push type's suffix"
        case .badPriority(let priority, let type):
            "a push of type \(type.rawValue) cannot have priority \(priority.rawValue)"
        case .badExpiration(let date): "the expiration \(date) is not in seconds since 1970"
        case .badCollapseID(let bytes):
            "the collapse id has \(bytes) bytes: it must have 1 to 64, printable ASCII"
        case .payloadEmpty: "the payload is empty"
        case .payloadTooLarge(let bytes, let limit):
            "the payload has \(bytes) bytes, APNs accepts \(limit): shorten the content state"
        }
    }
}

/// Dates on Apple's wire.
enum EpochSeconds {
    /// The year 5138: larger values are in milliseconds.
    static let limit: Int64 = 100_000_000_000
}
