package import GameLogic
internal import OptionParsing
package import PartyStore
internal import PushPolicy

/// The shards with only what they depend on: no API, channel sweeping or retention. Benchmarks
/// measure it. It runs from `init` until `stop`.
package final class StandaloneShards: Sendable {
    package let metrics = Metrics()
    private let shards: Shards
    private let running: Task<Void, Never>

    /// Who has the store.
    package enum Place: Sendable {
        case alone
        /// One of several nodes. Somebody else keeps its lease.
        case amongNodes
    }

    /// - Parameters:
    ///   - store: A store that `epoch` already owns.
    ///   - epoch: The owner's epoch.
    ///   - clock: The clock that wakes the timer.
    ///   - sender: The sender that takes the pushes.
    ///   - changesPerBatch: The most changes in one batch.
    ///   - batchesOut: The most batches that the writer may have at a time.
    ///   - place: Whether other nodes have some of the shards: then `take` says which are here.
    /// - Throws: An error when the String Catalog is unusable.
    package init(
        store: any Store, epoch: Epoch, clock: ServerClock, sender: any PushSender,
        changesPerBatch: Int = ShardSettings.batchMaxDefault,
        batchesOut: Int = ShardSettings.batchesOutMaxDefault, place: Place = .alone
    ) throws {
        let log = Log(level: .error, now: clock.now, write: Terminal.logLine)
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
                senders: dependencies.senders, channels: nil,
                pages: PageStreams(limit: 0, clock, metrics), names: HiddenNames(),
                newTokens: NewTokens(
                    clock: clock, limits: RequestLimits(RateSettings(), clock, metrics),
                    metrics: metrics, log: log),
                watch: dependencies.pushWatch, clock: clock, metrics: metrics, log: log),
            snapshots: PartySnapshots(),
            map: place == .alone ? .whole : ShardMap(of: epoch, sinceBoot: { 0 }))
        self.shards = shards
        // `stop` waits for it.
        running = Task { await shards.run() }
    }

    /// Takes the shards that the table says are this node's, and loads their parties.
    package func take(_ table: NodeTable) async {
        shards.map.renewed(until: .max)
        await shards.take(shards.map.note(table).new)
    }

    /// Makes a change; see `Shards.change`.
    package func change<Value: Sendable>(
        _ party: PartyID, _ body: @escaping @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        try await shards.change(party, body)
    }

    /// The number of pushes that were accepted.
    package var pushes: Double {
        [PushPriority.high, .low].reduce(0) {
            $0 + metrics.value(.pushes, labels: PushCounters.labels($1, status: "200", reason: ""))
        }
    }

    /// Writes what is under way, then ends.
    package func stop() async {
        await shards.stop()
        await shards.finish()
        await running.value
    }
}
