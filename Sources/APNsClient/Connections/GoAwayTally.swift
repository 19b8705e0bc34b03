internal import HTTP2
internal import Isolation

/// How often connections were ended by GOAWAY, by Apple's reason.
final class GoAwayTally: Sendable {
    private let counts = Locked<[String: Int]>([:])

    /// What is counted where the reason is none of Apple's table: the number of names is bounded.
    static let other = "other"
    private static let known = Set(APNsReason.table.map(\.reason))

    /// Reads the JSON of the debug data; whatever comes, it never fails.
    func note(_ goAway: GoAway) {
        let reason = APNsAnswer(body: goAway.debugData).reason
        counts.withLock {
            $0[Self.known.contains(reason) ? reason : Self.other, default: 0] += 1
        }
    }

    /// By reason.
    var byReason: [String: Int] { counts.withLock { $0 } }
}
