internal import Foundation
internal import PartyStore
internal import PushLoad
internal import RangersServer

/// A start on a killed server's file: the time until parties have their ticks.
enum HeartStart {
    private static let pollsMax = 60_000

    static func measure(_ settings: HeartRun.Settings) async throws -> HeartSample {
        let began = ContinuousClock.now
        let place = try await HeartStore.open(settings.data)
        let store = place.store
        let epoch = try await store.takeOwnership()
        let heart = try StandaloneShards(
            store: store, epoch: epoch, clock: .system(), sender: AcceptingSender())
        let before = HeartUsage.now([place], [heart])
        let first = try await seconds(since: began) { heart.metrics.value(.ticks) > 0 }
        let last = try await seconds(since: began) {
            heart.metrics.value(.ticks) >= Double(settings.parties)
        }
        let after = HeartUsage.now([place], [heart])
        var sample = try after.sample(since: before, parties: settings.parties)
        sample.firstTickSeconds = first
        sample.lastTickSeconds = last
        await heart.stop()
        await store.close()
        return sample
    }

    private static func seconds(
        since began: ContinuousClock.Instant, until condition: () -> Bool
    ) async throws -> Double {
        for _ in 0..<pollsMax {
            if condition() { return began.duration(to: .now) / .seconds(1) }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw BenchError("parties had no ticks within a minute of a start")
    }
}
