/// What is published on a channel: an update or an end, since a broadcast cannot start an
/// activity. A start has no way into this type.
///
/// ```swift
/// let payload = BroadcastPayload.update(
///     at: 1_685_952_000, state: BossState(health: 0.4, words: "The dragon stumbles!"))
/// ```
public struct BroadcastPayload<State: Encodable & Sendable>: Sendable {
    /// The same as for one device.
    let liveActivity: LiveActivityPayload<State>

    /// New content for every activity on the channel; the parameters are those of
    /// `LiveActivityPayload.update`.
    public static func update(
        at timestamp: Int64, state: State, alert: LiveActivityAlert? = nil,
        staleDate: Int64? = nil, relevanceScore: Double? = nil
    ) -> Self {
        Self(
            liveActivity: .update(
                at: timestamp, state: state, alert: alert, staleDate: staleDate,
                relevanceScore: relevanceScore))
    }

    /// The end of every activity on the channel; the parameters are those of
    /// `LiveActivityPayload.end`.
    public static func end(
        at timestamp: Int64, finalState: State?, alert: LiveActivityAlert? = nil,
        dismissalDate: Int64? = nil
    ) -> Self {
        Self(
            liveActivity: .end(
                at: timestamp, finalState: finalState, alert: alert, dismissalDate: dismissalDate))
    }

    /// The JSON body: at most 5,120 bytes.
    public func encoded() throws(PayloadError) -> [UInt8] {
        try liveActivity.encoded(limit: .broadcast)
    }
}
