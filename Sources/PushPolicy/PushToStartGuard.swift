/// Counts the activities started by push on one device, so that it never gets more than a few.
///
/// The device has its own budget for starts: about ten, observed on devices, in a time that Apple
/// does not publish. Beyond it a start is silently discarded, although APNs responds with 200. The
/// server therefore stays below it; the player can still open the app.
package struct PushToStartGuard: Hashable, Sendable {
    /// The limits of a device; 0 means never.
    package struct Limits: Hashable, Sendable {
        package let anHour: Int
        package let aDay: Int

        package static let standard = Limits(anHour: 3, aDay: 8)

        package init(anHour: Int, aDay: Int) {
            self.anHour = anHour
            self.aDay = aDay
        }
    }

    /// The limit that has been reached.
    package enum Limit: Hashable, Sendable {
        case anHour(Int)
        case aDay(Int)
    }

    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * 3_600_000

    /// The times of the last day's starts, in order.
    package private(set) var times: [WallTime]

    /// - Parameter times: The times of the remembered starts.
    package init(times: [WallTime] = []) { self.times = times }

    /// Returns the limit that prevents a start now; `nil` when one may go.
    package func limit(_ limits: Limits, at now: WallTime) -> Limit? {
        if count(within: Self.hour, of: now) >= limits.anHour { return .anHour(limits.anHour) }
        if count(within: Self.day, of: now) >= limits.aDay { return .aDay(limits.aDay) }
        return nil
    }

    /// Notes a start.
    package mutating func spend(at now: WallTime) {
        times.removeAll { $0 <= now.adding(milliseconds: -Self.day) }
        times.append(now)
    }

    /// Moves starts from the future to now: a clock that was set back must neither free the device
    /// nor block it for longer than a day.
    package mutating func followClock(to now: WallTime) { times = times.map { min($0, now) } }

    /// Removes a start that never reached the device.
    package mutating func refund(startAt time: WallTime) {
        guard let index = times.lastIndex(of: time) else { return }
        times.remove(at: index)
    }

    /// Returns the combined starts of one device with two names.
    package func merged(with other: Self) -> Self {
        var both = self
        both.times = (times + other.times).sorted()
        return both
    }

    private func count(within milliseconds: Int64, of now: WallTime) -> Int {
        times.count { $0 > now.adding(milliseconds: -milliseconds) }
    }
}

extension PushToStartGuard.Limit: CustomStringConvertible {
    package var description: String {
        switch self {
        case .anHour(let count): "the guard allows \(count) starts an hour on a device"
        case .aDay(let count): "the guard allows \(count) starts a day on a device"
        }
    }
}
