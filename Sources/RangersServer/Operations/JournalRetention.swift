internal import PartyStore
internal import PushPolicy

/// Deletes old rows in small steps. Journal rows older than their setting are folded into
/// snapshots, from which replay still verifies the rest; rows of the audit log have a setting of
/// their own; requests may be repeated for a day. What the deletion of an account has left undone
/// is done first.
package actor JournalRetention {
    /// The pause between two rounds, in seconds.
    static let restSeconds: Int64 = 60 * 60
    /// Rows folded in one step, so that no commit waits long.
    package static let rowsPerStep = 256
    /// The pause between two steps, in milliseconds.
    static let pauseMilliseconds: Int64 = 10

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let journalSeconds: Int64
    private let auditSeconds: Int64
    private let snapshots: PartySnapshots
    private let deletion: AccountDeletion
    private let rest: Sleeper
    private var isStopping = false

    init(
        _ dependencies: Dependencies, epoch: Epoch, _ settings: Server.Settings,
        snapshots: PartySnapshots, deletion: AccountDeletion
    ) {
        self.dependencies = dependencies
        self.epoch = epoch
        journalSeconds = Int64(settings.journalDays) * 24 * 60 * 60
        auditSeconds = Int64(settings.auditDays) * 24 * 60 * 60
        self.snapshots = snapshots
        self.deletion = deletion
        rest = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            await deletion.finishAll()
            if deletion.shards.map.leads {
                await foldJournal()
                await trimAudit()
                await forgetRequests()
            }
            guard !isStopping else { return }
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.restSeconds))
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    private func foldJournal() async {
        var folded = 0
        defer {
            // Snapshots contain the number of the first event that the journal keeps.
            if folded > 0 { snapshots.forgetAll() }
        }
        await inSteps("cannot fold the journal yet") { now throws(StoreError) in
            let rows = try await dependencies.store.foldJournal(
                before: now.adding(seconds: -journalSeconds), rows: Self.rowsPerStep, epoch: epoch)
            folded += rows
            dependencies.metrics.add(.journalRowsFolded, Double(rows))
            return rows
        }
    }

    private func trimAudit() async {
        await inSteps("cannot trim the audit log yet") { now throws(StoreError) in
            try await dependencies.store.trimAudit(
                before: now.adding(seconds: -auditSeconds), rows: Self.rowsPerStep, epoch: epoch)
        }
    }

    private func forgetRequests() async {
        await inSteps("cannot delete old requests yet") { now throws(StoreError) in
            try await dependencies.store.forgetRequests(
                upTo: KeptRequest.keptSince(now), rows: Self.rowsPerStep, epoch: epoch)
        }
    }

    /// Takes steps, with pauses between, until one finds fewer rows than it might.
    private func inSteps(
        _ failure: StaticString, _ step: (WallTime) async throws(StoreError) -> Int
    ) async {
        while !isStopping {
            let now = dependencies.clock.now()
            do throws(StoreError) {
                guard try await step(now) >= Self.rowsPerStep else { return }
            } catch {
                dependencies.log.warning(failure, ["error": "\(error)"])
                return
            }
            await rest.sleep(until: now.adding(milliseconds: Self.pauseMilliseconds))
        }
    }
}
