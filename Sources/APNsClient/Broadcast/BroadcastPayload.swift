/// An update or an end for a channel. A broadcast cannot start an activity, and this type cannot
/// express a start.
///
/// ```swift
/// let payload = BroadcastPayload.update(
///     at: 1_685_952_000, state: BossState(health: 0.4, words: "The dragon stumbles!"))
/// ```
public struct BroadcastPayload<State: Encodable & Sendable>: Sendable {
    /// The same payload as for one device.
    let liveActivity: LiveActivityPayload<State>

    /// Updates every activity on the channel; takes the parameters of `LiveActivityPayload.update`.
    public static func update(
        at timestamp: Int64, state: State, alert: LiveActivityAlert? = nil,
        staleDate: Int64? = nil, relevanceScore: Double? = nil
    ) -> Self {
        Self(
            liveActivity: .update(
                at: timestamp, state: state, alert: alert, staleDate: staleDate,
                relevanceScore: relevanceScore))
    }

    /// Ends every activity on the channel; takes the parameters of `LiveActivityPayload.end`.
    public static func end(
        at timestamp: Int64, finalState: State?, alert: LiveActivityAlert? = nil,
        dismissalDate: Int64? = nil
    ) -> Self {
        Self(
            liveActivity: .end(
                at: timestamp, finalState: finalState, alert: alert, dismissalDate: dismissalDate))
    }

    /// Returns the JSON body: at most 5,120 bytes.
    public func encoded() throws(PayloadError) -> [UInt8] {
        try liveActivity.encoded(limit: .broadcast)
    }
}
