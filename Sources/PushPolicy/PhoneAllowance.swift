package import GameLogic

/// A phone, as far as the server knows it: the device that the app named, else the player's only
/// one.
package struct PhoneKey: Hashable, Sendable {
    package let player: PlayerID
    package let device: DeviceID?

    package init(player: PlayerID, device: DeviceID?) {
        self.player = player
        self.device = device
    }

    package init(of registration: ActivityRegistration) {
        player = registration.player
        device = registration.device
    }
}

/// What a phone may still get, handed from its Live Activities to the next one.
///
/// Apple counts the pushes of an app, not of one activity. So an activity that has ended leaves what
/// it had, and those that live at the same time have parts of one budget.
package struct PhoneAllowance: Hashable, Sendable {
    /// A whole phone's share of the budget, in parts.
    package static let whole = 64
    /// After this time it no longer matters: the budget is full, and no alert counts.
    package static let worthSeconds: Int64 = 3600

    /// In parts of the whole.
    package let share: Int
    package let asOf: WallTime
    /// In pushes × milliseconds per hour.
    package let debt: Int64
    package let hourly: Int64
    /// The phone's alerts of the last hour, oldest first.
    package let alertsAt: [WallTime]
    package let lastActionAt: WallTime?

    package init(
        share: Int, debt: Int64, hourly: Int64, alertsAt: [WallTime], lastActionAt: WallTime?,
        asOf: WallTime
    ) {
        self.share = share
        self.debt = debt
        self.hourly = hourly
        self.alertsAt = alertsAt
        self.lastActionAt = lastActionAt
        self.asOf = asOf
    }

    /// Returns both together.
    package func merged(with other: PhoneAllowance) -> PhoneAllowance {
        let now = max(asOf, other.asOf)
        return PhoneAllowance(
            share: min(Self.whole, share + other.share),
            debt: debt(at: now) + other.debt(at: now), hourly: hourly + other.hourly,
            alertsAt: Restraint.latest(Set(alertsAt).union(other.alertsAt).sorted(), at: now),
            lastActionAt: [lastActionAt, other.lastActionAt].compactMap(\.self).max(), asOf: now)
    }

    package static func merged(
        _ one: PhoneAllowance?, _ other: PhoneAllowance?
    ) -> PhoneAllowance? {
        guard let one, let other else { return one ?? other }
        return one.merged(with: other)
    }

    /// Returns it with another share: that of a phone on which no other activity lives.
    package func with(share: Int) -> PhoneAllowance {
        PhoneAllowance(
            share: share, debt: debt, hourly: hourly, alertsAt: alertsAt,
            lastActionAt: lastActionAt, asOf: asOf)
    }

    /// Returns it with at most this share: the rest was promised to another activity.
    package func keeping(_ share: Int) -> PhoneAllowance {
        guard share < self.share else { return self }
        let (part, all) = (Int64(share), Int64(self.share))
        return PhoneAllowance(
            share: share, debt: debt * part / all, hourly: hourly * part / all, alertsAt: alertsAt,
            lastActionAt: lastActionAt, asOf: asOf)
    }

    /// Returns what is not refilled yet.
    func debt(at now: WallTime) -> Int64 {
        PushBudget(PushBudget.Snapshot(spent: debt, asOf: asOf)).debt(hourly: hourly, at: now)
    }
}

// MARK: Giving and taking

extension ActivityOutbox {
    /// The activity's share of the phone's budget, in parts of `PhoneAllowance.whole`.
    package var budgetShare: Int { restraint.share }

    /// What it keeps when the phone gets another activity: half, or nothing if it is ending.
    package var keptShare: Int {
        isEnding || isRollingOver ? 0 : restraint.share - restraint.share / 2
    }

    /// Gives away what the phone's next activity gets: all but the share that this one keeps.
    package mutating func giveAllowance(
        keeping kept: Int, for registration: ActivityRegistration, at now: WallTime
    ) -> PhoneAllowance {
        let size = budgetSize(for: registration)
        let share = max(0, restraint.share - kept)
        let (debt, hourly) = budget.give(share, of: restraint.share, size, at: now)
        restraintApart.value.share -= share
        return PhoneAllowance(
            share: share, debt: debt, hourly: hourly, alertsAt: restraint.alertsAt,
            lastActionAt: restraint.lastActionAt, asOf: now)
    }

    /// Takes what the phone's other activities give.
    package mutating func take(_ allowance: PhoneAllowance, at now: WallTime) {
        budget = PushBudget(PushBudget.Snapshot(spent: allowance.debt(at: now), asOf: now))
        restraintApart.value.take(allowance, at: now)
    }
}

extension LiveActivity {
    /// Gives away what a new activity of the phone gets, all but a share that it keeps, or the usual
    /// part. Returns `nil` if that is nothing.
    package mutating func giveAllowance(
        keeping kept: Int? = nil, at now: WallTime
    ) -> PhoneAllowance? {
        let kept = kept ?? outbox?.keptShare ?? 0
        let given = outbox?.giveAllowance(keeping: kept, for: registration, at: now)
        return given.flatMap { $0.share > 0 ? $0 : nil }
    }
}
