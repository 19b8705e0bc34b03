internal import HTTP2
internal import Isolation

/// How often connections were ended by GOAWAY, by Apple's reason; the number of names is bounded.
final class GoAwayTally: Sendable {
    private let counts = Locked<[String: Int]>([:])

    /// Reads the JSON of the debug data; whatever comes, it never fails.
    func note(_ goAway: GoAway) {
        let reason = APNsAnswer(body: goAway.debugData).reason
        counts.withLock { $0[APNsReason.label(of: reason), default: 0] += 1 }
    }

    /// By reason.
    var byReason: [String: Int] { counts.withLock { $0 } }
}
