internal import PartyStore
internal import PushPolicy

/// Forgets what happened long ago, a little at a time: rows of the journal that are older than the
/// setting are folded into snapshots, from which replay still proves the rest.
actor JournalRetention {
    /// How long it rests between two rounds, in seconds.
    static let restSeconds: Int64 = 60 * 60
    /// Rows folded in one step, so that no commit waits for long.
    static let rowsPerStep = 256
    /// How long it pauses between two steps, in milliseconds.
    static let pauseMilliseconds: Int64 = 10

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let keptSeconds: Int64
    private let snapshots: PartySnapshots
    private let rest: Sleeper
    private var isStopping = false

    init(
        _ dependencies: Dependencies, epoch: Epoch, keptDays: Int, snapshots: PartySnapshots
    ) {
        self.dependencies = dependencies
        self.epoch = epoch
        keptSeconds = Int64(keptDays) * 24 * 60 * 60
        self.snapshots = snapshots
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await fold()
            guard !isStopping else { return }
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.restSeconds))
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    private func fold() async {
        var folded = 0
        defer {
            // They say from which event on the journal is kept.
            if folded > 0 { snapshots.forgetAll() }
        }
        while !isStopping {
            let now = dependencies.clock.now()
            do throws(StoreError) {
                let rows = try await dependencies.store.foldJournal(
                    before: now.adding(seconds: -keptSeconds), rows: Self.rowsPerStep, epoch: epoch)
                guard rows > 0 else { return }
                folded += rows
                dependencies.metrics.add(.journalRowsFolded, Double(rows))
            } catch {
                dependencies.log.warning("cannot fold the journal yet", ["error": "\(error)"])
                return
            }
            await rest.sleep(until: now.adding(milliseconds: Self.pauseMilliseconds))
        }
    }
}
