/// `apns-expiration`: how long APNs may store a push for an unreachable device.
///
/// A Live Activity push from a typed payload defaults to `suited`:
///
/// | push | stored |
/// |---|---|
/// | start | 10 minutes: later the activity would surprise |
/// | update with an alert | 10 minutes: later the sound would only annoy |
/// | update, low | 15 minutes: the next one replaces it |
/// | update, high | 1 hour: through a tunnel |
/// | end | 4 hours: no activity stays longer after its end |
///
/// A start and an update are never stored beyond their stale date.
public enum PushExpiration: Hashable, Sendable {
    /// 0: one attempt, nothing is stored.
    case oneAttempt
    /// Stored until this time, in seconds since 1970.
    case until(Int64)
    /// No header: APNs stores the newest push for each app, at most 30 days.
    case storagePolicy

    /// The header's value; `nil`: no header.
    public var seconds: Int64? {
        switch self {
        case .oneAttempt: 0
        case .until(let date): date
        case .storagePolicy: nil
        }
    }

    /// How long a push of each kind is worth delivering, in seconds.
    public enum Lifetime {
        /// A start.
        public static let start: Int64 = 10 * 60
        /// Any push with an alert, except for an end.
        public static let alert: Int64 = 10 * 60
        /// An update at priority 5.
        public static let lowUpdate: Int64 = 15 * 60
        /// An update at priority 10.
        public static let highUpdate: Int64 = 60 * 60
        /// An end.
        public static let end: Int64 = 4 * 60 * 60
    }

    /// Returns what suits a payload: the table above, counted from the payload's timestamp.
    public static func suited<State>(
        to payload: LiveActivityPayload<State>, priority: PushRequest.LiveActivityPriority
    ) -> PushExpiration {
        switch payload.event {
        case .start(_, let start):
            capped(payload.timestamp + Lifetime.start, by: start.freshness.staleDate)
        case .update(_, .some, let freshness):
            capped(payload.timestamp + Lifetime.alert, by: freshness.staleDate)
        case .update(_, nil, let freshness):
            switch priority {
            case .low: capped(payload.timestamp + Lifetime.lowUpdate, by: freshness.staleDate)
            case .high: capped(payload.timestamp + Lifetime.highUpdate, by: freshness.staleDate)
            }
        case .end: .until(payload.timestamp + Lifetime.end)
        }
    }

    private static func capped(_ date: Int64, by staleDate: Int64?) -> PushExpiration {
        .until(min(date, staleDate ?? date))
    }
}
