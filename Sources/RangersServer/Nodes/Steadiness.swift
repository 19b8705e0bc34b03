internal import PartyStore

/// Since when a node has renewed its lease without a gap as long as a lease, so that a lease which
/// has ended says something of its owner. All times are in milliseconds.
struct Steadiness {
    /// A larger step of the database's clock may end leases of nodes that renew them.
    private static let stepMax = ServerNode.leaseMilliseconds / 2

    /// By the machine's time since its start.
    private var since: Int64?
    private var newest: Renewal?

    /// A renewal that succeeded.
    struct Renewal {
        /// By the machine's time since its start.
        let began: Int64
        let ended: Int64
        /// What the database's clock showed.
        let clock: Int64
    }

    /// Notes a renewal. Returns for how long all have succeeded when it began.
    ///
    /// It begins anew after one that took longer than a lease, or came so late because the process
    /// was paused: the others may have lived through the same. So it does after the database's clock
    /// was set forward, which ends the leases of nodes that live.
    mutating func note(_ renewal: Renewal) -> Int64 {
        if let newest {
            // The largest step that the time which both renewals took allows for.
            let step = renewal.clock - newest.clock - (renewal.began - newest.ended)
            if renewal.ended - newest.ended > ServerNode.leaseMilliseconds || step > Self.stepMax {
                since = renewal.ended
            }
        }
        newest = renewal
        let steady = since ?? renewal.began
        since = steady
        return renewal.began - steady
    }

    /// Notes that a renewal has failed.
    mutating func noteFailure() { since = nil }
}
