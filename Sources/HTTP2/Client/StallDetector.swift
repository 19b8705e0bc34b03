/// Detects a connection that makes no progress although its peer responds to PINGs. Pure; times in
/// milliseconds.
///
/// Nothing else would end such a connection, and requests would keep failing on it, so a fresh one
/// replaces it.
package struct StallDetector: Sendable {
    package struct Limits: Hashable, Sendable {
        /// The limit of checks that found timed-out requests, without a response in between.
        /// Requests that time out together count once, because one silence affects thousands.
        package var timeoutsMax = 3
        /// How long the peer's flow-control window may be shut without a response.
        package var shutMillisecondsMax: Int64 = 15_000

        package init() {}
    }

    /// Whether the window has room for at least one byte of a body.
    package enum Window: Hashable, Sendable {
        case open, shut
    }

    package enum Action: Hashable, Sendable {
        case goOn, giveUp
    }

    private let limits: Limits
    private var timeouts = 0
    private var shutSince: Int64?

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Records a response: the connection works.
    package mutating func responded() {
        timeouts = 0
        shutSince = nil
    }

    /// Records that sent requests timed out.
    package mutating func timedOut() { timeouts += 1 }

    /// Checks the window; called periodically.
    package mutating func look(at window: Window, now: Int64) -> Action {
        switch window {
        case .open: shutSince = nil
        case .shut: shutSince = shutSince ?? now
        }
        let shut = shutSince.map { now - $0 } ?? 0
        return timeouts >= limits.timeoutsMax || shut >= limits.shutMillisecondsMax
            ? .giveUp : .goOn
    }
}
