/// Decides when a connection slot may connect again. Pure: time and random numbers are parameters.
///
/// Two connects of a slot are never closer than the minimum. With each failure the pause doubles up
/// to the maximum. Half of it is random, so that clients that lost their connections together do
/// not reconnect together.
package struct ReconnectBackoff: Sendable {
    package struct Limits: Hashable, Sendable {
        package var minMilliseconds: Int64 = 1_000
        /// With the host's pause after it (8 s) and a slow connect (15 s), everything is current
        /// within a minute after an outage.
        package var maxMilliseconds: Int64 = 30_000
        /// A connection that lived this long did not fail, even without a response.
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

    /// Records a connect that begins now.
    package mutating func connects(at now: Int64) {
        lastConnect = now
    }

    /// Records the end of the connection of the last `connects`.
    package mutating func ended(at now: Int64, usefulness: Usefulness) {
        lastEnd = now
        let lived = now - (lastConnect ?? now)
        switch usefulness {
        case .responded: failures = 0
        case .opened where lived >= limits.provenAfterMilliseconds: failures = 0
        case .opened, .failed: failures = min(failures + 1, 63)
        }
    }

    /// What a connection has achieved.
    package enum Usefulness: Sendable {
        case failed
        /// The handshake succeeded, but no request got a response.
        case opened
        case responded
    }

    /// Returns the earliest time of the next connect. `dice` is any random number.
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
