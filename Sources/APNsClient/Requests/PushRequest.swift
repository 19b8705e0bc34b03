/// One request to APNs, complete but for the provider token.
public struct PushRequest: Hashable, Sendable {
    /// The device's (or the Live Activity's) token.
    public let token: DeviceToken
    /// `apns-push-type`.
    public let pushType: PushType
    /// `apns-topic`: a Live Activity's is the bundle id with `.push-type.liveactivity`.
    public let topic: String
    /// `apns-priority`.
    public let priority: Priority
    /// `apns-expiration`: seconds since 1970; 0: one attempt; `nil`: APNs decides.
    public let expiration: Int64?
    /// `apns-id`: a lower-case UUID, echoed by APNs.
    public let id: String
    /// `apns-collapse-id`: at most 64 bytes.
    public let collapseID: String?
    /// The JSON body.
    public let payload: [UInt8]

    /// `apns-push-type` values of this library.
    public enum PushType: String, Sendable, CaseIterable {
        /// A Live Activity's start, update or end.
        case liveactivity

        /// The topic for an app: its bundle id and this type's suffix.
        public func topic(bundleID: String) -> String {
            "\(bundleID).push-type.\(rawValue)"
        }
    }

    /// `apns-priority` values that Live Activities may use.
    public enum Priority: Int, Sendable, CaseIterable {
        /// Opportunistic: it does not count to the budget.
        case low = 5
        /// Immediate: it counts to the budget.
        case high = 10
    }

    /// A request with all of its fields.
    public init(
        token: DeviceToken, pushType: PushType, topic: String, priority: Priority,
        expiration: Int64?, id: String, collapseID: String? = nil, payload: [UInt8]
    ) {
        self.token = token
        self.pushType = pushType
        self.topic = topic
        self.priority = priority
        self.expiration = expiration
        self.id = id
        self.collapseID = collapseID
        self.payload = payload
    }

    /// A Live Activity's push, with its topic made from the bundle id.
    public static func liveActivity(
        _ payload: [UInt8], to token: DeviceToken, bundleID: String, priority: Priority,
        expiration: Int64? = nil, id: String = PushID.random(), collapseID: String? = nil
    ) -> PushRequest {
        PushRequest(
            token: token, pushType: .liveactivity,
            topic: PushType.liveactivity.topic(bundleID: bundleID), priority: priority,
            expiration: expiration, id: id, collapseID: collapseID, payload: payload)
    }
}

extension PushRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What a log may show: neither the token nor the body.
    public var description: String {
        "push \(id) (\(pushType.rawValue), priority \(priority.rawValue), \(payload.count) bytes)"
    }
    /// What a log may show: neither the token nor the body.
    public var debugDescription: String { description }
    /// What a log may show: `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
