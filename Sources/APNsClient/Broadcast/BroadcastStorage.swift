/// What APNs should keep of one broadcast. It must fit the channel's policy: a channel without
/// storage takes `noStorage` only.
public enum BroadcastStorage: Hashable, Sendable {
    /// `apns-expiration: 0`: one attempt, nothing is kept.
    case noStorage
    /// On a channel that keeps the newest message: until then, in seconds since 1970. APNs keeps
    /// it for at most 8 hours, whatever is asked.
    case mostRecent(until: Int64)

    /// The longest time for which APNs keeps a message, in seconds.
    public static let secondsMax: Int64 = 8 * 60 * 60

    /// The value of `apns-expiration`.
    public var expiration: Int64 {
        switch self {
        case .noStorage: 0
        case .mostRecent(let date): date
        }
    }

    /// What a channel of this policy can keep of a payload, as long as its event is worth it
    /// (`PushExpiration`).
    public static func suited<State>(
        to payload: BroadcastPayload<State>, on policy: ChannelPolicy,
        priority: PushRequest.Priority
    ) -> BroadcastStorage {
        switch policy {
        case .noStorage: return .noStorage
        case .mostRecent:
            let urgency: PushRequest.LiveActivityPriority = priority == .high ? .high : .low
            let suited = PushExpiration.suited(to: payload.liveActivity, priority: urgency)
            let latest = payload.liveActivity.timestamp + secondsMax
            return .mostRecent(until: min(suited.seconds ?? latest, latest))
        }
    }
}
