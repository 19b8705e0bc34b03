internal import GameLogic
internal import Isolation
internal import PushPolicy
internal import Simulation

@testable internal import PartyStore

/// A store on the disk of a simulation, with one party that goes on.
final class DiskStore: Sendable {
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)

    let store: SQLiteStore
    let epoch: Epoch
    let events: Locked<[StoreEvent]>
    private let last = Locked<Int64>(0)

    static func open(
        loss: LossPolicy = .refused, ballastBytes: Int64 = 0
    ) async throws -> DiskStore {
        let scheduler = Scheduler.current
        let events = Locked<[StoreEvent]>([])
        let disk = scheduler.disk ?? SimulatedDisk(dice: scheduler.dice("disk", "power"))
        let store = try await SQLiteStore.open(
            path: DiskTrial.path, loss: loss, ballastBytes: ballastBytes, disk: disk.disk,
            onEvent: { event in events.withLock { $0.append(event) } },
            sleep: { duration in
                let milliseconds =
                    duration.components.seconds * 1000
                    + duration.components.attoseconds / 1_000_000_000_000_000
                await scheduler.wait(until: scheduler.now + milliseconds)
                try Task.checkCancellation()
            })
        return DiskStore(store, try await store.takeOwnership(), events)
    }

    private init(_ store: SQLiteStore, _ epoch: Epoch, _ events: Locked<[StoreEvent]>) {
        self.store = store
        self.epoch = epoch
        self.events = events
    }

    /// Commits the party's next version; the first creates it.
    func commit() async throws {
        let version = last.withLock { $0 } + 1
        let stored = StoredParty(
            key: PartyKey(number: 7), version: version, party: Party(id: PartyID("party-1")),
            clock: PartyClock(beganAt: Self.noon, millisecondsPerSecond: 1000),
            inviteCode: "code-1", createdAt: Self.noon)
        var batch = Batch()
        batch.add(PartyCommit(stored: stored, isAwake: false, at: Self.noon))
        let result = await withCheckedContinuation { continuation in
            store.write(batch, epoch: epoch) { continuation.resume(returning: $0) }
        }
        try result.parties[0].get()
        last.withLock { $0 = version }
    }

    /// The party's version in the store; `nil`: it is missing.
    func version() async throws -> Int64? {
        try await store.party(PartyID("party-1")).map { Int64($0.version) }
    }

    /// Runs `body` in a life of its own, and returns its result or its error.
    static func live<Result: Sendable>(
        _ scheduler: Scheduler, _ body: @escaping @Sendable () async throws -> Result
    ) -> Swift.Result<Result, any Error>? {
        let result = Locked<Swift.Result<Result, any Error>?>(nil)
        let life = scheduler.newLife()
        scheduler.spawn(as: life) {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        scheduler.run()
        return result.withLock { $0 }
    }

    /// Plays on a disk of its own.
    static func play<Result>(
        _ seed: UInt64, _ body: (Scheduler, SimulatedDisk) throws -> Result
    ) throws -> Result {
        try Scheduler.perform(seed: seed) { scheduler in
            Swift.Result {
                SimulatedDisk.register()
                let disk = SimulatedDisk(dice: scheduler.dice("disk", "power"))
                scheduler.disk = disk
                return try body(scheduler, disk)
            }
        }.get()
    }
}
