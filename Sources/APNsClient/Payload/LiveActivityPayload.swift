/// What a push tells a Live Activity, in the exact form that ActivityKit reads.
///
/// A payload is made by `update`, `end` or `start`, each of which takes the keys that its event
/// may have, so that an impossible combination does not compile. Dates are seconds since 1970.
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

    /// New content for a running activity.
    ///
    /// - Parameters:
    ///   - timestamp: Seconds since 1970; the device shows the newest, so it must increase.
    ///   - state: The activity's `ContentState`, as a default `JSONDecoder` reads it.
    ///   - alert: Only when the person must act now.
    ///   - staleDate: When the device should show the content as old.
    ///   - relevanceScore: The larger, the nearer to the top, among this app's activities.
    /// - Returns: The payload.
    public static func update(
        at timestamp: Int64, state: State, alert: LiveActivityAlert? = nil,
        staleDate: Int64? = nil, relevanceScore: Double? = nil
    ) -> Self {
        let freshness = LiveActivityFreshness(staleDate: staleDate, relevanceScore: relevanceScore)
        return Self(timestamp: timestamp, event: .update(state, alert, freshness))
    }

    /// The end of an activity.
    ///
    /// - Parameters:
    ///   - timestamp: Seconds since 1970; the device shows the newest, so it must increase.
    ///   - finalState: What stays on the Lock Screen; `nil`: what was there before.
    ///   - alert: Only when the person must act now.
    ///   - dismissalDate: When the card goes: at most four hours after the end; in the past: at
    ///     once; `nil`: the system decides.
    /// - Returns: The payload.
    public static func end(
        at timestamp: Int64, finalState: State?, alert: LiveActivityAlert? = nil,
        dismissalDate: Int64? = nil
    ) -> Self {
        Self(timestamp: timestamp, event: .end(finalState, alert, dismissalDate: dismissalDate))
    }

    /// Starts an activity on a device that has given a push-to-start token (iOS 17.2).
    ///
    /// - Parameters:
    ///   - timestamp: Seconds since 1970.
    ///   - attributesType: The Swift name of the attributes' type, such as "AdventureAttributes".
    ///   - attributes: What does not change for the activity's life.
    ///   - state: The first content.
    ///   - alert: Mandatory, so that a person is not surprised.
    ///   - staleDate: When the device should show the content as old.
    ///   - relevanceScore: The larger, the nearer to the top, among this app's activities.
    ///   - input: How updates will come; only for devices on iOS 18 or later, others would drop
    ///     the push.
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

/// What each event may say. Outside of the payload, because inside it would be generic too, and the
/// runtime would look up what that is for every push; its content is a `State` nevertheless.
enum LiveActivityEvent: Sendable {
    typealias Content = any Encodable & Sendable

    case start(Content, LiveActivityStart)
    case update(Content, LiveActivityAlert?, LiveActivityFreshness)
    case end(Content?, LiveActivityAlert?, dismissalDate: Int64?)
}

/// Until when and how much the content matters.
struct LiveActivityFreshness: Sendable {
    let staleDate: Int64?
    let relevanceScore: Double?
}

/// What only a start has.
struct LiveActivityStart: Sendable {
    let attributesType: String
    let attributes: LiveActivityEvent.Content
    let alert: LiveActivityAlert
    let freshness: LiveActivityFreshness
    let input: LiveActivityInput?
}

/// How a started activity gets its updates (iOS 18): by one way, never by both.
public enum LiveActivityInput: Hashable, Sendable {
    /// `input-push-token`: it asks for a push token of its own.
    case token
    /// `input-push-channel`: it listens to this broadcast channel.
    case channel(String)
}

/// How large a payload may be, by where it goes.
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
