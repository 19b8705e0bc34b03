/// When the leaderboard's widget of a device is reloaded by push: its player's rank among friends
/// has changed, or a season has ended. The times are those of the wall clock.
package struct WidgetState: Hashable, Sendable {
    /// The least time between two pushes to a widget, in seconds.
    package static let intervalSeconds: Int64 = 30 * 60
    /// The most pushes to a widget on one UTC day.
    package static let dayMax = 20

    private static let dayMilliseconds: Int64 = 86_400_000

    /// What the widget shows at most: its player's rank among friends, 0 without points.
    package struct Shown: Hashable, Sendable {
        package let season: Int64
        package let rank: Int

        package init(season: Int64, rank: Int) {
            self.season = season
            self.rank = rank
        }
    }

    /// What to do for a widget.
    package enum Decision: Hashable, Sendable {
        /// It shows what is so.
        case nothing
        /// It is out of date, and the limits allow the next push then.
        case wait(until: WallTime)
        case send
    }

    /// `nil`: unknown, so the first look only notes it.
    package private(set) var shown: Shown?
    /// When it was pushed to last.
    package private(set) var sentAt: WallTime?
    /// How many pushes there were on the UTC day of `sentAt`.
    package private(set) var sentOfDay: Int
    /// Whether the newest push has failed: what the widget shows is then out of date.
    package private(set) var hasFailed: Bool
    /// How often in a row APNs has refused a push for itself.
    package private(set) var refusals: Int

    package init(
        shown: Shown? = nil, sentAt: WallTime? = nil, sentOfDay: Int = 0, hasFailed: Bool = false,
        refusals: Int = 0
    ) {
        self.shown = shown
        self.sentAt = sentAt
        self.sentOfDay = sentOfDay
        self.hasFailed = hasFailed
        self.refusals = refusals
    }

    /// Decides what to do, and notes it: a push counts before it is sent.
    package mutating func look(at current: Shown, now: WallTime) -> Decision {
        guard let shown else {
            self.shown = current
            return .nothing
        }
        guard shown != current || hasFailed else { return .nothing }
        let time = nextPushAt(now)
        guard time <= now else { return .wait(until: time) }
        let isSameDay = sentAt.map { Self.day(of: $0) == Self.day(of: now) } ?? false
        sentOfDay = isSameDay ? sentOfDay + 1 : 1
        sentAt = now
        hasFailed = false
        self.shown = current
        return .send
    }

    /// Notes that the newest push has not arrived. The limits, which have counted it, are the pause
    /// before the next one. Returns whether to give up the token: APNs refuses whatever it is sent.
    @discardableResult
    package mutating func noteFailure(_ refusal: OwnRefusal? = nil) -> Bool {
        hasFailed = true
        if refusal != nil { refusals += 1 }
        return refusals >= (refusal == .forGood ? OwnRefusals.sameMax : OwnRefusals.lifeMax)
    }

    /// Notes that APNs has accepted the newest push.
    package mutating func noteAcceptance() { refusals = 0 }

    /// Counts also the pushes that went to the same device or token before: neither gets more than
    /// the limits allow.
    package mutating func count(sentAt other: WallTime, sentOfDay otherCount: Int) {
        guard let own = sentAt else {
            (sentAt, sentOfDay) = (other, otherCount)
            return
        }
        if Self.day(of: own) == Self.day(of: other) {
            sentOfDay = max(sentOfDay, otherCount)
        } else if own < other {
            sentOfDay = otherCount
        }
        sentAt = max(own, other)
    }

    /// When the limits allow the next push; `now` or before: at once.
    package func nextPushAt(_ now: WallTime) -> WallTime {
        // After the clock was set back, no wait is longer than the pause.
        guard let sentAt = sentAt.map({ min($0, now) }) else { return now }
        let rested = sentAt.adding(seconds: Self.intervalSeconds)
        let day = Self.day(of: sentAt)
        guard sentOfDay >= Self.dayMax, day == Self.day(of: now) else { return rested }
        return max(rested, WallTime(milliseconds: (day + 1) * Self.dayMilliseconds))
    }

    private static func day(of time: WallTime) -> Int64 {
        let (day, rest) = time.milliseconds.quotientAndRemainder(dividingBy: dayMilliseconds)
        return rest < 0 ? day - 1 : day
    }
}
