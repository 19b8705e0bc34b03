/// What APNs stores of one broadcast. It must match the channel's policy: a channel without storage
/// takes `noStorage` only.
public enum BroadcastStorage: Hashable, Sendable {
    /// `apns-expiration: 0`: one attempt, stores nothing.
    case noStorage
    /// Stored until this time, in seconds since 1970, on a channel that stores the newest message.
    /// APNs caps it at 8 hours.
    case mostRecent(until: Int64)

    /// The longest time that APNs stores a message, in seconds.
    public static let secondsMax: Int64 = 8 * 60 * 60

    /// The value of `apns-expiration`.
    public var expiration: Int64 {
        switch self {
        case .noStorage: 0
        case .mostRecent(let date): date
        }
    }

    /// Returns what a channel of this policy can store of a payload, for as long as its event is
    /// useful (`PushExpiration`).
    public static func suited<State>(
        to payload: BroadcastPayload<State>, on policy: ChannelPolicy,
        priority: PushRequest.Priority
    ) -> BroadcastStorage {
        switch policy {
        case .noStorage: return .noStorage
        case .mostRecent:
            let suited = PushExpiration.suited(
                to: payload.liveActivity, priority: priority == .high ? .high : .low)
            let latest = payload.liveActivity.timestamp + secondsMax
            return .mostRecent(until: min(suited.seconds ?? latest, latest))
        }
    }
}
