extension PushRequest {
    /// Creates a Live Activity push, with the topic derived from the bundle id.
    public static func liveActivity(
        _ payload: [UInt8], to token: DeviceToken, bundleID: String,
        priority: LiveActivityPriority, expiration: Int64? = nil, id: PushID = .random(),
        collapseID: String? = nil
    ) -> PushRequest {
        PushRequest(
            token: token, pushType: .liveactivity,
            bundleID: bundleID, priority: priority.priority,
            expiration: expiration, id: id, collapseID: collapseID, payload: payload)
    }

    /// Creates a Live Activity push from a typed payload.
    ///
    /// - Parameters:
    ///   - payload: A start, update or end.
    ///   - token: The activity's push token; for a start the device's push-to-start token.
    ///   - bundleID: The app's bundle id, without a suffix.
    ///   - priority: High-priority pushes count against the activity's budget.
    ///   - expiration: `nil`: what suits the event (`PushExpiration.suited`).
    ///   - id: The push's id. Repeated content may keep its id to be recognised.
    /// - Returns: The request.
    /// - Throws: When the payload cannot be encoded or is too large.
    public static func liveActivity<State>(
        _ payload: LiveActivityPayload<State>, to token: DeviceToken, bundleID: String,
        priority: LiveActivityPriority, expiration: PushExpiration? = nil,
        id: PushID = .random()
    ) throws(PayloadError) -> PushRequest {
        let expiration = expiration ?? .suited(to: payload, priority: priority)
        return .liveActivity(
            try payload.encoded(), to: token, bundleID: bundleID, priority: priority,
            expiration: expiration.seconds, id: id)
    }

    /// Creates an ordinary notification, for players without Live Activities.
    ///
    /// - Parameters:
    ///   - notification: The notification's content.
    ///   - token: The device's token.
    ///   - bundleID: The app's bundle id, which is the topic.
    ///   - priority: 10 at once, 5 when convenient, 1 without waking the device.
    ///   - expiration: By default APNs stores the newest for an unreachable device.
    ///   - id: The push's id.
    ///   - collapseID: Notifications with the same id replace each other on the device.
    /// - Returns: The request.
    /// - Throws: When the notification cannot be encoded or is too large.
    public static func alert(
        _ notification: NotificationPayload, to token: DeviceToken, bundleID: String,
        priority: Priority = .high, expiration: PushExpiration = .storagePolicy,
        id: PushID = .random(), collapseID: String? = nil
    ) throws(PayloadError) -> PushRequest {
        PushRequest(
            token: token, pushType: .alert, bundleID: bundleID, priority: priority,
            expiration: expiration.seconds, id: id, collapseID: collapseID,
            payload: try notification.encoded())
    }

    /// Creates a push that wakes the app in the background. APNs allows only priority 5.
    ///
    /// - Parameters:
    ///   - payload: `content-available` alone, or bytes with custom keys.
    ///   - token: The device's token.
    ///   - bundleID: The app's bundle id, which is the topic.
    ///   - expiration: By default APNs stores the newest for an unreachable device.
    ///   - id: The push's id.
    /// - Returns: The request.
    public static func background(
        _ payload: [UInt8] = SignalPayload.contentAvailable, to token: DeviceToken,
        bundleID: String, expiration: PushExpiration = .storagePolicy,
        id: PushID = .random()
    ) -> PushRequest {
        PushRequest(
            token: token, pushType: .background, bundleID: bundleID, priority: .low,
            expiration: expiration.seconds, id: id, payload: payload)
    }

    /// Creates a push that reloads the app's widgets; `token` is from their push handler.
    public static func widgets(
        to token: DeviceToken, bundleID: String, priority: Priority = .low,
        expiration: PushExpiration = .storagePolicy, id: PushID = .random()
    ) -> PushRequest {
        reload(.widgets, to: token, bundleID, priority, expiration, id)
    }

    /// Creates a push that reloads a control of the app; `token` is the control's own.
    public static func controls(
        to token: DeviceToken, bundleID: String, priority: Priority = .low,
        expiration: PushExpiration = .storagePolicy, id: PushID = .random()
    ) -> PushRequest {
        reload(.controls, to: token, bundleID, priority, expiration, id)
    }

    private static func reload(
        _ type: PushType, to token: DeviceToken, _ bundleID: String, _ priority: Priority,
        _ expiration: PushExpiration, _ id: PushID
    ) -> PushRequest {
        PushRequest(
            token: token, pushType: type, bundleID: bundleID,
            priority: priority, expiration: expiration.seconds, id: id,
            payload: SignalPayload.contentChanged)
    }
}
