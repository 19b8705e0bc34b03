/// The payload of a Live Activity push, in the exact form that ActivityKit reads.
///
/// `update`, `end` and `start` create a payload. Each takes only the keys that its event allows, so
/// an invalid combination does not compile. Dates are seconds since 1970.
///
/// ```swift
/// let payload = try LiveActivityPayload.update(
///     at: 1_685_952_000,
///     state: ContentState(currentHealthLevel: 0.941, eventDescription: "A sword!")
/// ).encoded()
/// ```
public struct LiveActivityPayload<State: Encodable & Sendable>: Sendable {
    let timestamp: Int64
    let event: LiveActivityEvent

    /// Updates a running activity.
    ///
    /// - Parameters:
    ///   - timestamp: Seconds since 1970. It must increase, because the device shows the newest.
    ///   - state: The activity's `ContentState`, as a default `JSONDecoder` reads it.
    ///   - alert: Only when the person must act now.
    ///   - staleDate: When the device should mark the content as outdated.
    ///   - relevanceScore: The higher, the nearer to the top among this app's activities.
    /// - Returns: The payload.
    public static func update(
        at timestamp: Int64, state: State, alert: LiveActivityAlert? = nil,
        staleDate: Int64? = nil, relevanceScore: Double? = nil
    ) -> Self {
        let freshness = LiveActivityFreshness(staleDate: staleDate, relevanceScore: relevanceScore)
        return Self(timestamp: timestamp, event: .update(state, alert, freshness))
    }

    /// Ends an activity.
    ///
    /// - Parameters:
    ///   - timestamp: Seconds since 1970. It must increase, because the device shows the newest.
    ///   - finalState: The state left on the Lock Screen; `nil`: the previous one.
    ///   - alert: Only when the person must act now.
    ///   - dismissalDate: When the activity disappears, at most four hours after the end; in the
    ///     past: at once; `nil`: the system decides.
    /// - Returns: The payload.
    public static func end(
        at timestamp: Int64, finalState: State?, alert: LiveActivityAlert? = nil,
        dismissalDate: Int64? = nil
    ) -> Self {
        Self(timestamp: timestamp, event: .end(finalState, alert, dismissalDate: dismissalDate))
    }

    /// Starts an activity on a device that has provided a push-to-start token (iOS 17.2).
    ///
    /// - Parameters:
    ///   - timestamp: Seconds since 1970.
    ///   - attributesType: The Swift name of the attributes' type, such as "AdventureAttributes".
    ///   - attributes: The values that are fixed for the activity's life.
    ///   - state: The first content.
    ///   - alert: Mandatory, so that a person is not surprised.
    ///   - staleDate: When the device should mark the content as outdated.
    ///   - relevanceScore: The higher, the nearer to the top among this app's activities.
    ///   - input: How updates arrive. For devices on iOS 18 or later only; others would drop the
    ///     push.
    /// - Returns: The payload.
    public static func start(
        at timestamp: Int64, attributesType: String, attributes: some Encodable & Sendable,
        state: State, alert: LiveActivityAlert, staleDate: Int64? = nil,
        relevanceScore: Double? = nil, input: LiveActivityInput? = nil
    ) -> Self {
        let start = LiveActivityStart(
            attributesType: attributesType, attributes: attributes, alert: alert,
            freshness: LiveActivityFreshness(staleDate: staleDate, relevanceScore: relevanceScore),
            input: input)
        return Self(timestamp: timestamp, event: .start(state, start))
    }
}

/// The fields of each event. It is not nested in the payload, where it would be generic and need a
/// runtime lookup for every push; its content is a `State` nevertheless.
enum LiveActivityEvent: Sendable {
    typealias Content = any Encodable & Sendable

    case start(Content, LiveActivityStart)
    case update(Content, LiveActivityAlert?, LiveActivityFreshness)
    case end(Content?, LiveActivityAlert?, dismissalDate: Int64?)
}

/// The content's stale date and relevance score.
struct LiveActivityFreshness: Sendable {
    let staleDate: Int64?
    let relevanceScore: Double?
}

/// The fields of a start only.
struct LiveActivityStart: Sendable {
    let attributesType: String
    let attributes: LiveActivityEvent.Content
    let alert: LiveActivityAlert
    let freshness: LiveActivityFreshness
    let input: LiveActivityInput?
}

/// How a started activity receives updates (iOS 18): one way, never both.
public enum LiveActivityInput: Hashable, Sendable {
    /// `input-push-token`: the activity requests its own push token.
    case token
    /// `input-push-channel`: the activity subscribes to this broadcast channel.
    case channel(String)
}

/// The size limit of a payload, by destination.
public enum PayloadLimit: Hashable, Sendable {
    /// To one device: 4,096 bytes.
    case device
    /// To a broadcast channel: 5,120 bytes.
    case broadcast

    /// The limit in bytes.
    public var bytes: Int {
        switch self {
        case .device: 4096
        case .broadcast: 5120
        }
    }
}
