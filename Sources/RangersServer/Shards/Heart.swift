package import GameLogic
package import PartyStore
internal import PushPolicy

/// The shards with what they need and nothing around them: no API, no sweeping, no retention. The
/// server's own parts, for those who measure them. It runs from `init` on, until `stop`.
package final class Heart: Sendable {
    package let metrics = Metrics()
    private let shards: Shards
    private let running: Task<Void, Never>

    /// - Parameters:
    ///   - store: Owned already, by `epoch`.
    ///   - epoch: The owner's.
    ///   - clock: Wakes the timer.
    ///   - sender: Takes the pushes.
    ///   - changesPerBatch: At most.
    ///   - batchesOut: Batches that the writer may have at a time.
    /// - Throws: When the String Catalog cannot be used.
    package init(
        store: any Store, epoch: Epoch, clock: ServerClock, sender: any PushSender,
        changesPerBatch: Int = ShardSettings.batchMaxDefault,
        batchesOut: Int = ShardSettings.batchesOutMaxDefault
    ) throws {
        let log = Log(level: .error, now: clock.now, write: StandardError.write)
        let dependencies = Dependencies(
            store: store, clock: clock, adventureSeed: { 0 }, sender: sender, log: log,
            metrics: metrics)
        var settings = ShardSettings()
        settings.batchMax = changesPerBatch
        settings.batchesOutMax = batchesOut
        let shards = Shards(
            settings, dependencies: dependencies, epoch: epoch,
            pushes: PushService(
                encoding: PushEncoding(bundleID: "com.example.bench", words: try .embedded()),
                sender: sender, channels: nil, clock: clock, metrics: metrics, log: log),
            snapshots: PartySnapshots())
        self.shards = shards
        // `stop` waits for it.
        running = Task { await shards.run() }
    }

    /// As `Shards.change`.
    package func change<Value: Sendable>(
        _ party: PartyID, _ body: @escaping @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        try await shards.change(party, body)
    }

    /// Pushes that were accepted.
    package var pushes: Double {
        [PushPriority.high, .low].reduce(0) {
            $0 + metrics.value(.pushes, labels: Metrics.pushLabels($1, status: "200", reason: ""))
        }
    }

    /// Writes what is under way, and ends.
    package func stop() async {
        await shards.stop()
        await shards.finish()
        await running.value
    }
}
