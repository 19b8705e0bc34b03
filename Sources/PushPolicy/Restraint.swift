internal import GameLogic

/// What keeps an activity quiet: the time of its last push of low priority, and the alerts that its
/// player has had.
package struct Restraint: Hashable, Sendable, Usual {
    package static let usual = Restraint()
    /// The most alerts in ten minutes, and in an hour.
    package static let alertsInTenMinutes = 2
    package static let alertsInHour = 6
    /// After this many alerts in a row without an action of the player, only a last stand alerts.
    package static let ignoredMax = 2
    /// How long a player counts as awake after an action, in seconds.
    package static let awakeSeconds: Int64 = 15 * 60

    /// When the next push of low priority may go.
    package internal(set) var gapEndsAt: WallTime?
    package internal(set) var lastActionAt: WallTime?
    /// The alerts since the player's last action in the party.
    @Compact<UInt8> package internal(set) var ignored = 0
    /// The activity's share of the phone's budget, in parts of `PhoneAllowance.whole`.
    @Compact<UInt8> package internal(set) var share = PhoneAllowance.whole
    /// Of the last hour, oldest first.
    package internal(set) var alertsAt: [WallTime] = []

    package init() {}

    /// Restores what is stored; `nil` where no activity can be like that.
    package init?(
        gapEndsAt: WallTime?, alertsAt: [WallTime], ignored: Int, lastActionAt: WallTime?,
        share: Int = PhoneAllowance.whole
    ) {
        guard alertsAt.count <= Self.alertsInHour, (0...Self.ignoredMax + 1).contains(ignored),
            (0...PhoneAllowance.whole).contains(share)
        else { return nil }
        self.share = share
        self.gapEndsAt = gapEndsAt
        self.alertsAt = alertsAt
        self.ignored = ignored
        self.lastActionAt = lastActionAt
    }
}

extension Restraint {
    /// Returns why the player is not alerted now; empty: nothing keeps it back. `quiet` are the
    /// hours in which the phone stays silent, `wallOffset` the wall clock minus `now`, in
    /// milliseconds.
    func reasonToMute(
        _ alert: HeroAlert, in quiet: QuietHours?, at now: WallTime, wallOffset: Int64
    ) -> Decision.Notes {
        let patience = if case .lastStand = alert { Self.ignoredMax + 1 } else { Self.ignoredMax }
        if ignored >= patience { return .mutedAsIgnored }
        if alerts(within: 600, at: now) >= Self.alertsInTenMinutes
            || alerts(within: 3600, at: now) >= Self.alertsInHour
        {
            return .mutedByAlertLimit
        }
        let isAwake = lastActionAt.map { $0.adding(seconds: Self.awakeSeconds) > now } ?? false
        let wall = now.adding(milliseconds: wallOffset)
        return quiet?.contains(wall) == true && !isAwake ? .mutedInQuietHours : []
    }

    mutating func noteAlert(at now: WallTime) {
        alertsAt = Self.latest(alertsAt + [now], at: now)
        ignored = min(ignored + 1, Self.ignoredMax + 1)
    }

    /// Takes over what is known of the phone.
    mutating func take(_ allowance: PhoneAllowance, at now: WallTime) {
        share = allowance.share
        alertsAt = Self.latest(allowance.alertsAt, at: now)
        lastActionAt = allowance.lastActionAt
    }

    /// Notes that the player has acted in the party.
    mutating func noteAction(at now: WallTime) {
        ignored = 0
        lastActionAt = now
    }

    /// Returns those that still count, as many as are kept. `times`: oldest first.
    static func latest(_ times: [WallTime], at now: WallTime) -> [WallTime] {
        times.filter { isRecent($0, within: 3600, at: now) }.suffix(alertsInHour)
    }

    private func alerts(within seconds: Int64, at now: WallTime) -> Int {
        alertsAt.count { Self.isRecent($0, within: seconds, at: now) }
    }

    private static func isRecent(_ time: WallTime, within seconds: Int64, at now: WallTime) -> Bool
    {
        time.adding(seconds: seconds) > now
    }
}

/// The hours of a player's night, in which a phone stays silent.
package struct QuietHours: Hashable, Sendable {
    /// UTC−12:00 to UTC+14:00.
    package static let offsets = -12 * 60...14 * 60
    /// From 23:00 to 07:00, unless the player chooses others.
    package static let usual = (from: 23, to: 7)

    // Small numbers: each activity has them.
    private let offset: Int16
    private let fromHour: UInt8
    private let toHour: UInt8

    /// The phone's time zone, in minutes ahead of UTC.
    package var utcOffsetMinutes: Int { Int(offset) }
    /// Hours of the day, 0…23. The same hour twice: there is no quiet hour.
    package var from: Int { Int(fromHour) }
    package var to: Int { Int(toHour) }

    /// `nil` for values outside their ranges.
    package init?(utcOffsetMinutes: Int, from: Int = usual.from, to: Int = usual.to) {
        guard Self.offsets.contains(utcOffsetMinutes), (0...23).contains(from),
            (0...23).contains(to)
        else { return nil }
        offset = Int16(utcOffsetMinutes)
        fromHour = UInt8(from)
        toHour = UInt8(to)
    }

    /// Returns whether it is quiet at this time of the wall clock.
    func contains(_ wall: WallTime) -> Bool {
        let day: Int64 = 24 * 3600
        let local = wall.seconds + Int64(utcOffsetMinutes) * 60
        let hour = Int((local % day + day) % day / 3600)
        return from <= to ? (from..<to).contains(hour) : hour >= from || hour < to
    }
}
