internal import PartyStore
internal import PushPolicy

/// Deletes old rows in small steps. Journal rows older than the setting are folded into snapshots,
/// from which replay still verifies the rest; requests may be repeated for a day.
package actor JournalRetention {
    /// The pause between two rounds, in seconds.
    static let restSeconds: Int64 = 60 * 60
    /// Rows folded in one step, so that no commit waits long.
    package static let rowsPerStep = 256
    /// The pause between two steps, in milliseconds.
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
            await forgetRequests()
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
            // Snapshots contain the number of the first event that the journal keeps.
            if folded > 0 { snapshots.forgetAll() }
        }
        while !isStopping {
            let now = dependencies.clock.now()
            do throws(StoreError) {
                let rows = try await dependencies.store.foldJournal(
                    before: now.adding(seconds: -keptSeconds), rows: Self.rowsPerStep, epoch: epoch)
                folded += rows
                dependencies.metrics.add(.journalRowsFolded, Double(rows))
                guard rows >= Self.rowsPerStep else { return }
            } catch {
                dependencies.log.warning("cannot fold the journal yet", ["error": "\(error)"])
                return
            }
            await rest.sleep(until: now.adding(milliseconds: Self.pauseMilliseconds))
        }
    }

    private func forgetRequests() async {
        while !isStopping {
            let now = dependencies.clock.now()
            do throws(StoreError) {
                let rows = try await dependencies.store.forgetRequests(
                    upTo: KeptRequest.keptSince(now), rows: Self.rowsPerStep, epoch: epoch)
                guard rows >= Self.rowsPerStep else { return }
            } catch {
                dependencies.log.warning("cannot delete old requests yet", ["error": "\(error)"])
                return
            }
            await rest.sleep(until: now.adding(milliseconds: Self.pauseMilliseconds))
        }
    }
}
