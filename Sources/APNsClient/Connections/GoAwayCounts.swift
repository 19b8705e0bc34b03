internal import HTTP2
internal import Isolation

/// Counts connections ended by GOAWAY, by Apple's reason; the number of reasons is bounded.
final class GoAwayCounts: Sendable {
    private let counts = Locked<[String: Int]>([:])

    /// Counts a GOAWAY by the JSON of its debug data. It never fails.
    func note(_ goAway: GoAway) {
        let reason = RefusalBody(body: goAway.debugData).reason
        counts.withLock { $0[APNsReason.label(of: reason), default: 0] += 1 }
    }

    /// The counts by reason.
    var byReason: [String: Int] { counts.withLock { $0 } }
}
