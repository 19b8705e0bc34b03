internal import Isolation

/// Watches from outside: how long shards have no owner, how many pushes APNs accepts, which ticks
/// the nodes count as late, and how much memory they take.
final class ClusterWatch: Sendable {
    private struct State {
        var owners: ClusterOwners?
        var ownerlessSince: ContinuousClock.Instant?
        /// When shards got an owner whose node was gone.
        var ownedAgainAt: ContinuousClock.Instant?
        /// The longest time, since it was last taken.
        var ownerless = Duration.zero
        /// By node, as last read.
        var lateTicksOfNodes: [Int]
        /// By node, since they were last taken.
        var lateTicks: [Int]
        var memory: ClusterMemory
        /// How many pushes were accepted at the last looks, the newest at the end.
        var accepted: [Int] = []
    }

    private static let interval = Duration.milliseconds(200)
    private static let metricsInterval = Duration.seconds(1)
    /// Ticks that are later count as late: a bound of the histogram, in seconds.
    static let latenessMax = 10
    /// Looks that a fault may let arrive twice: a push is in flight, and then its answer waits up to
    /// 250 ms to be written.
    private static let looksInFlight = 3

    private let cluster: Cluster
    private let state: Locked<State>

    init(_ cluster: Cluster) {
        self.cluster = cluster
        state = Locked(
            State(
                lateTicksOfNodes: cluster.nodes.map { _ in 0 },
                lateTicks: cluster.nodes.map { _ in 0 },
                memory: ClusterMemory(nodes: cluster.nodes.count)))
    }

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

    /// Returns how many ticks of each node were late since the last call.
    func takeLateTicks() -> [Int] {
        state.withLock { state in
            defer { state.lateTicks = state.lateTicks.map { _ in 0 } }
            return state.lateTicks
        }
    }

    /// Returns by how many bytes a node's memory has grown since the last call.
    func takeMemoryGrowth() -> Int { state.withLock { $0.memory.takeGrowth() } }

    /// Reads the nodes' metrics until it is cancelled. No node waits for the answer of another one,
    /// which may be paused.
    func readMetrics() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for (number, node) in cluster.direct.enumerated() {
                group.addTask { try await self.readMetrics(of: node, number: number) }
            }
        }
    }

    private func readMetrics(of node: GameAPI, number: Int) async throws {
        while true {
            if let text = try? await node.metrics() {
                let metrics = ServerMetrics(text: text)
                note(Self.lateTicks(in: metrics), of: number)
                let bytes = Int(metrics.count("process_resident_memory_bytes"))
                state.withLock { $0.memory.note(bytes, of: number) }
            }
            try await Task.sleep(for: Self.metricsInterval)
        }
    }

    static func lateTicks(in metrics: ServerMetrics) -> Int {
        let buckets = "rangers_tick_lateness_seconds_bucket"
        return Int(
            metrics.count(buckets, with: "le=\"+Inf\"")
                - metrics.count(buckets, with: "le=\"\(latenessMax)\""))
    }

    private func note(_ count: Int, of node: Int) {
        state.withLock { state in
            let before = state.lateTicksOfNodes[node]
            // A node that was started again counts from zero.
            state.lateTicks[node] += count >= before ? count - before : count
            state.lateTicksOfNodes[node] = count
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
            // Others may take over between two looks.
            let hasLost = state.owners.map { owners.lacksOwner(of: $0) } ?? false
            state.owners = owners
            guard owners.shardsWithoutOwner > 0 else {
                if state.ownerlessSince != nil || hasLost { state.ownedAgainAt = now }
                state.ownerlessSince = nil
                return
            }
            let since = state.ownerlessSince ?? now
            state.ownerlessSince = since
            state.ownerless = max(state.ownerless, now - since)
        }
    }
}
