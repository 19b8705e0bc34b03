/// When a connection slot may connect again. Pure: time and dice are parameters.
///
/// Two connects of a slot are never closer than the minimum. From failure to failure the pause
/// doubles up to the maximum; half of it is rolled, so that clients that fell together do not
/// come back together.
package struct ReconnectBackoff: Sendable {
    package struct Limits: Hashable, Sendable {
        package var minMilliseconds: Int64 = 1_000
        /// With the host's pause behind it (10 s) and a connect that takes its time (15 s), all is
        /// current within a minute after an outage.
        package var maxMilliseconds: Int64 = 30_000
        /// A connection that lived this long was no failure, even if it answered nothing.
        package var provenAfterMilliseconds: Int64 = 60_000

        package init() {}
    }

    private let limits: Limits
    private var failures = 0
    private var lastConnect: Int64?
    private var lastEnd = Int64.min

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Notes a connect that begins now.
    package mutating func connects(at now: Int64) {
        lastConnect = now
    }

    /// The connection of the last `connects` is over.
    package mutating func ended(at now: Int64, usefulness: Usefulness) {
        lastEnd = now
        let lived = now - (lastConnect ?? now)
        switch usefulness {
        case .answered: failures = 0
        case .opened where lived >= limits.provenAfterMilliseconds: failures = 0
        case .opened, .failed: failures = min(failures + 1, 63)
        }
    }

    /// What a connection was good for.
    package enum Usefulness: Sendable {
        case failed
        /// The handshake went well, but no request was answered.
        case opened
        case answered
    }

    /// The earliest time of the next connect. `dice` is any random number.
    package func nextConnect(dice: UInt64) -> Int64 {
        guard let lastConnect else { return .min }
        let earliest = lastConnect + limits.minMilliseconds
        guard failures > 0 else { return earliest }
        let doubled = limits.minMilliseconds << min(failures - 1, 40)
        let pause = min(doubled, limits.maxMilliseconds)
        let half = pause / 2
        let rolled = half + Int64(dice % UInt64(max(1, pause - half + 1)))
        return max(earliest, lastEnd + rolled)
    }
}
