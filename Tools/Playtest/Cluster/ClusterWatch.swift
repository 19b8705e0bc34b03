internal import Isolation

/// Watches from outside: how long shards have no owner, and how many pushes APNs accepts.
final class ClusterWatch: Sendable {
    private struct State {
        var owners: ClusterOwners?
        var ownerlessSince: ContinuousClock.Instant?
        /// When a shard that had no owner got one.
        var ownedAgainAt: ContinuousClock.Instant?
        /// The longest time, since it was last taken.
        var ownerless = Duration.zero
        /// How many pushes were accepted at the last looks, the newest at the end.
        var accepted: [Int] = []
    }

    private static let interval = Duration.milliseconds(200)
    /// Looks that a fault may let arrive twice: a push is in flight, and then its answer waits up to
    /// 250 ms to be written.
    private static let looksInFlight = 3

    private let cluster: Cluster
    private let state = Locked(State())

    init(_ cluster: Cluster) { self.cluster = cluster }

    var owners: ClusterOwners? { state.withLock { $0.owners } }

    /// How many pushes were accepted shortly before now.
    var inFlight: Int {
        state.withLock { ($0.accepted.last ?? 0) - ($0.accepted.first ?? 0) }
    }

    /// Whether every shard had an owner at the last look.
    var isOwned: Bool { state.withLock { $0.ownerlessSince == nil } }

    /// Returns the longest time that a shard had no owner, since the last call; from the moment
    /// when its owner died, if there is one.
    func takeOwnerless(since death: ContinuousClock.Instant? = nil) -> Duration {
        state.withLock { state in
            defer { state.ownerless = .zero }
            guard let death, let end = state.ownedAgainAt, end > death else {
                return state.ownerless
            }
            return end - death
        }
    }

    /// Looks until it is cancelled.
    func run() async throws {
        while true {
            let accepted = cluster.apns.accepted
            state.withLock { state in
                state.accepted = state.accepted.suffix(Self.looksInFlight) + [accepted]
            }
            if cluster.nodes.count > 1 { await look() }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func look() async {
        // A database that is away has no owners either, and the fault says so itself.
        guard let lines = try? await cluster.database.query(ClusterOwners.query) else { return }
        let owners = ClusterOwners(lines)
        let now = ContinuousClock.now
        state.withLock { state in
            state.owners = owners
            guard owners.shardsWithoutOwner > 0 else {
                if state.ownerlessSince != nil { state.ownedAgainAt = now }
                state.ownerlessSince = nil
                return
            }
            let since = state.ownerlessSince ?? now
            state.ownerlessSince = since
            state.ownerless = max(state.ownerless, now - since)
        }
    }
}
