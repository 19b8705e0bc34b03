internal import APNsClient
internal import PartyStore
internal import PushPolicy

/// What nodes do for each other beside their parties: one of them signs the provider tokens of all,
/// and deletes what nodes that are gone have left.
actor NodeDuties: BackgroundService {
    /// How often a node reads the newest provider token, in seconds.
    static let tokenSeconds: Int64 = 10
    /// How long outcomes of a node that is gone are kept after the leader has first seen that, in
    /// seconds. The nodes that took its parties have read them by then. Each takeover reads all that
    /// are kept.
    static let goneSeconds: Int64 = 60

    private let store: any NodeStore
    private let dependencies: Dependencies
    private let epoch: Epoch
    private let map: ShardMap
    private let rest: Sleeper
    private var isStopping = false
    /// The nodes that were gone at the leader's last look, and when that was.
    private var gone: Set<Epoch> = []
    private var lookedAt: WallTime?

    /// Returns `nil` if the server has the store for itself.
    init?(_ dependencies: Dependencies, epoch: Epoch, map: ShardMap) {
        guard map.isShared, let store = dependencies.store.shared else { return nil }
        self.store = store
        self.dependencies = dependencies
        self.epoch = epoch
        self.map = map
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            let leads = map.leads
            await dependencies.sender.refreshProviderTokens(leads ? .here : .elsewhere)
            if leads { await forgetOutcomes() } else { lookedAt = nil }
            guard !isStopping else { return }
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.tokenSeconds))
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    /// Deletes the outcomes of nodes that were gone at the last look already.
    private func forgetOutcomes() async {
        let now = dependencies.clock.now()
        if let lookedAt, now < lookedAt.adding(seconds: Self.goneSeconds) { return }
        do throws(StoreError) {
            let rows = try await store.outcomes()
            let living = Set(try await store.nodeTable().nodes.map(\.epoch))
            let found = Set(rows.map { Epoch(number: OutcomeRows.epoch(ofRow: $0.row)) })
                .subtracting(living)
            let old = lookedAt == nil ? [] : found.intersection(gone)
            if !old.isEmpty {
                try await store.forgetOutcomes(
                    ofNodes: old.sorted(), epoch: epoch)
            }
            (gone, lookedAt) = (found.subtracting(old), now)
        } catch {
            // It is tried again in the next round.
            dependencies.log.warning(
                "outcomes of nodes that are gone cannot be deleted yet", ["error": "\(error)"])
        }
    }
}
