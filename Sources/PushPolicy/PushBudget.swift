/// The high-priority pushes that an activity may still cost its device (rules Q4, Q6, Q8).
///
/// A token bucket. Apple's own budget is unpublished and strictly enforced, so this one is meant to
/// stay below it. It uses whole numbers only: the bucket is the same after one long wait and after
/// a thousand short ones.
package struct PushBudget: Hashable, Sendable {
    /// The size of a budget: an hour never has more than `burst + hourly` high-priority pushes.
    package struct Size: Hashable, Sendable {
        package let burst: Int64
        package let hourly: Int64

        package static let regular = Size(burst: 10, hourly: 20)
        /// With frequent updates allowed in Settings (rule Q7).
        package static let frequent = Size(burst: 40, hourly: 80)

        /// What commands for many parties leave to an activity: 40% of the burst.
        package var reserve: Int64 { burst * 2 / 5 }

        package static func of(_ registration: ActivityRegistration) -> Size {
            registration.frequentPushesEnabled ? .frequent : .regular
        }

        /// Returns a part of it, for one of several activities of a phone.
        func part(_ share: Int) -> Size {
            let (share, whole) = (Int64(share), Int64(PhoneAllowance.whole))
            return Size(burst: burst * share / whole, hourly: hourly * share / whole)
        }
    }

    /// The whole pushes left before and after a push, for the ledger.
    package struct Payment: Hashable, Sendable {
        package let before: Int
        package let after: Int

        package init(before: Int, after: Int) {
            self.before = before
            self.after = after
        }
    }

    private static let millisecondsPerHour: Int64 = 3_600_000
    /// Any budget is full after two days.
    private static let elapsedMax = 48 * millisecondsPerHour

    /// In pushes × milliseconds per hour.
    private var spent: Int64 = 0
    private var asOf: WallTime

    package init(at now: WallTime) { asOf = now }

    /// The stored form.
    package struct Snapshot: Hashable, Sendable {
        package let spent: Int64
        package let asOf: WallTime

        package init(spent: Int64, asOf: WallTime) {
            self.spent = spent
            self.asOf = asOf
        }
    }

    /// Restores a snapshot.
    package init(_ snapshot: Snapshot) {
        spent = snapshot.spent
        asOf = snapshot.asOf
    }

    package var snapshot: Snapshot { Snapshot(spent: spent, asOf: asOf) }

    /// Returns the whole pushes left.
    package func left(_ size: Size, at now: WallTime) -> Int64 {
        max(
            0,
            size.burst - (debt(size, at: now) + Self.millisecondsPerHour - 1)
                / Self.millisecondsPerHour)
    }

    /// Returns when it is full again; `nil`: it is full.
    package func fullAt(_ size: Size, at now: WallTime) -> WallTime? {
        let debt = debt(size, at: now)
        guard debt > 0 else { return nil }
        return now.adding(milliseconds: (debt + size.hourly - 1) / max(1, size.hourly))
    }

    /// Returns when one push more is left than now; `nil`: it is full.
    package func nextAt(_ size: Size, at now: WallTime) -> WallTime? {
        let debt = debt(size, at: now)
        guard debt > 0, size.hourly > 0 else { return nil }
        let over = (debt - 1) % Self.millisecondsPerHour + 1
        return now.adding(milliseconds: (over + size.hourly - 1) / size.hourly)
    }

    /// Returns the budget of which so many pushes were left at a time.
    package static func with(_ left: Int, of size: Size, at time: WallTime) -> PushBudget {
        let spent = max(0, size.burst - Int64(left)) * millisecondsPerHour
        return PushBudget(Snapshot(spent: spent, asOf: time))
    }

    /// Takes one push if one is left. Returns whether it was.
    package mutating func spend(_ size: Size, at now: WallTime) -> Bool {
        let hasOne = left(size, at: now) > 0
        if hasOne { overspend(size, at: now) }
        return hasOne
    }

    /// Takes one push even from an empty bucket, which stays empty: alerts and ends are always
    /// sent.
    package mutating func overspend(_ size: Size, at now: WallTime) {
        let full = size.burst * Self.millisecondsPerHour
        spent = min(debt(size, at: now) + Self.millisecondsPerHour, full)
        asOf = now
    }

    /// Gives away a part of what was spent. Returns it, in pushes × milliseconds per hour, and how
    /// many of these pushes refill per hour.
    mutating func give(
        _ part: Int, of share: Int, _ size: Size, at now: WallTime
    ) -> (debt: Int64, hourly: Int64) {
        let (part, share) = (Int64(part), Int64(max(1, share)))
        let debt = debt(size, at: now)
        spent = debt - debt * part / share
        asOf = now
        return (debt - spent, size.hourly * part / share)
    }

    private func debt(_ size: Size, at now: WallTime) -> Int64 {
        min(debt(hourly: size.hourly, at: now), size.burst * Self.millisecondsPerHour)
    }

    /// Returns what was spent and has not refilled yet. A clock that was set back refills nothing.
    func debt(hourly: Int64, at now: WallTime) -> Int64 {
        let elapsed = min(
            max(0, now.milliseconds - asOf.milliseconds), Self.elapsedMax)
        return max(0, spent - elapsed * hourly)
    }
}
