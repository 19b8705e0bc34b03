/// Decides when a connection gets nowhere although its peer answers PINGs. Pure; times in
/// milliseconds.
///
/// Nothing would ever end such a connection, and requests would go on dying on it: it is given up,
/// and a fresh one takes its place.
package struct Stagnation: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Looks that found requests timed out, without an answer in between. Requests that time
        /// out together count once: one silence takes thousands along.
        package var timeoutsMax = 3
        /// How long the peer's flow-control window may be shut without an answer.
        package var shutMillisecondsMax: Int64 = 15_000

        package init() {}
    }

    /// Whether there is room for a byte of a body.
    package enum Window: Hashable, Sendable {
        case open, shut
    }

    package enum Verdict: Hashable, Sendable {
        case goOn, giveUp
    }

    private let limits: Limits
    private var timeouts = 0
    private var shutSince: Int64?

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// An answer came: the connection works.
    package mutating func answered() {
        timeouts = 0
        shutSince = nil
    }

    /// Requests that had left were not answered in time.
    package mutating func timedOut() { timeouts += 1 }

    /// Looks at the window now and then.
    package mutating func look(at window: Window, now: Int64) -> Verdict {
        switch window {
        case .open: shutSince = nil
        case .shut: shutSince = shutSince ?? now
        }
        let shut = shutSince.map { now - $0 } ?? 0
        return timeouts >= limits.timeoutsMax || shut >= limits.shutMillisecondsMax
            ? .giveUp : .goOn
    }
}
