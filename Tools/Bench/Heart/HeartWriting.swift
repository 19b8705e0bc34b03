internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushLoad
internal import PushPolicy
internal import RangersServer

/// Ticks that were made before, written through the store alone: what a reference that has no game
/// and no pushes is compared with.
struct HeartWriting: Sendable {
    /// A party's average time between two steps, in milliseconds.
    private static let beatMilliseconds: Int64 = 45_000
    /// The rounds in which nothing may be due any more, before it is an error.
    private static let roundsMax = 1000

    private let settings: HeartRun.Settings
    private let store: any Store
    private let epoch: Epoch

    static func measure(
        _ settings: HeartRun.Settings, onReady: @Sendable () -> Void
    ) async throws -> HeartSample {
        let place = try await HeartDrive.place(settings)
        let writing = HeartWriting(
            settings: settings, store: place.store,
            epoch: try await place.store.takeOwnership())
        let batches = try await writing.ticks()
        onReady()
        let sample = try await writing.measure(batches)
        await place.store.close()
        return sample
    }

    /// Writes the batches as a server's loop does: so many at a time.
    private func measure(_ batches: [Batch]) async throws -> HeartSample {
        let began = ContinuousClock.now
        let cpuBefore = HeartUsage.processCPUSeconds
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, batch) in batches.enumerated() {
                if number >= ShardSettings.batchesOutMaxDefault { try await group.next() }
                group.addTask { try await write(batch) }
            }
            try await group.waitForAll()
        }
        let count = batches.reduce(0) { $0 + $1.parties.count }
        var sample = HeartSample()
        (sample.parties, sample.activitiesPerParty) = (settings.parties, HeartParties.heroes)
        sample.ticks = count
        sample.wallSeconds = began.duration(to: .now) / .seconds(1)
        sample.cpuSeconds = HeartUsage.processCPUSeconds - cpuBefore
        sample.residentBytes = try HeartUsage.residentBytes()
        sample.batchSize = Double(count) / Double(batches.count)
        return sample
    }

    private func write(_ batch: Batch) async throws {
        let result = await withCheckedContinuation { continuation in
            store.write(batch, epoch: epoch) { continuation.resume(returning: $0) }
        }
        if let failure = result.failure { throw failure }
        for party in result.parties { try party.get() }
    }

    // MARK: The ticks

    /// Ticks that write a party's own rows only, as the reference does. A batch has each party once,
    /// and batches that are out together have different parties.
    private func ticks() async throws -> [Batch] {
        var parties: [StoredParty] = []
        for number in 0..<settings.parties {
            guard let party = try await store.party(HeartParties.id(number)) else { continue }
            parties.append(party)
        }
        guard parties.count >= settings.batch * ShardSettings.batchesOutMaxDefault * 2 else {
            throw BenchError("so few parties would have several ticks at the writer")
        }
        var (batches, batch, made) = ([Batch](), Batch(), 0)
        for round in 1...Self.roundsMax {
            let now = HeartDrive.start.adding(milliseconds: Int64(round) * Self.beatMilliseconds)
            for index in parties.indices where made < settings.ticks {
                guard let commit = Self.tick(parties[index], at: now) else { continue }
                parties[index] = commit.stored
                batch.add(commit)
                made += 1
                guard batch.parties.count == settings.batch || made == settings.ticks else {
                    continue
                }
                batches.append(batch)
                batch = Batch()
            }
            if made == settings.ticks { return batches }
        }
        throw BenchError("the parties have only \(made) ticks")
    }

    private static func tick(_ stored: StoredParty, at now: WallTime) -> PartyCommit? {
        var change = PartyChange(stored, now: now)
        change.advance()
        guard let commit = change.finish()?.commit, FurtherRows(commit) == nil else { return nil }
        return commit
    }
}
