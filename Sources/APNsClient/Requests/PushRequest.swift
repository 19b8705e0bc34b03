/// One push to one device, complete but for the provider token.
///
/// `liveActivity`, `alert`, `background`, `widgets` and `controls` make the combinations that APNs
/// takes; others do not compile. The initialiser takes everything, and `validate` judges it.
public struct PushRequest: Hashable, Sendable {
    /// The device's (or the Live Activity's) token.
    public let token: DeviceToken
    /// `apns-push-type`.
    public let pushType: PushType
    /// The app's, without a suffix.
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

    /// A request with all of its fields.
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
    /// What a log may show: neither the token nor the body.
    public var description: String {
        "push \(id) (\(pushType.rawValue), priority \(priority.rawValue), \(payload.count) bytes)"
    }
    /// What a log may show: neither the token nor the body.
    public var debugDescription: String { description }
    /// What a log may show: `dump` shows no more.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
