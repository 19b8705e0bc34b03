internal import APNsClient
internal import Content
internal import GameLogic
internal import Isolation
internal import PartyStore
internal import Playtest
internal import PushLoad
internal import PushPolicy
internal import RangersServer

/// The server's shards and writer with parties in memory, under a clock that the bench controls.
struct HeartDrive: Sendable {
    private static let start = WallTime(milliseconds: 1_685_952_000_000)
    /// A party's average time between two steps, in milliseconds.
    private static let beatMilliseconds = 45_000
    /// The time after which only roll-overs are due, because the adventures are over.
    private static let restMilliseconds: Int64 = 600_000

    private let settings: HeartRun.Settings
    private let place: HeartStore
    private let epoch: Epoch
    private let heart: StandaloneShards
    private let clock: VirtualClock
    private let sender: AcceptingSender

    /// Writes the parties, and loads them into memory with their first pushes accepted.
    static func make(_ settings: HeartRun.Settings) async throws -> HeartDrive {
        let place = try await HeartStore.make(settings.data)
        let store = place.store
        let epoch = try await place.own(amongNodes: settings.nodes)
        _ = try await store.add(
            EmbeddedPacks.documents.map { PackRecord($0, status: .published) }, epoch: epoch)
        try await HeartParties(
            count: settings.parties, nodes: settings.nodes, now: start,
            past: settings.mode == .fold ? .journaled : .unknown, pack: try settings.knownPack
        ).write(to: store, epoch: epoch)
        let clock = VirtualClock(now: start)
        let sender = AcceptingSender()
        let heart = try StandaloneShards(
            store: store, epoch: epoch, clock: clock.serverClock, sender: sender,
            changesPerBatch: settings.batch,
            // A few changes per commit: the next batch must not share it.
            batchesOut: settings.batch < ShardSettings.batchMaxDefault
                ? 1 : ShardSettings.batchesOutMaxDefault)
        let drive = HeartDrive(
            settings: settings, place: place, epoch: epoch, heart: heart, clock: clock,
            sender: sender)
        await clock.untilAsleep(1)
        return drive
    }

    func measure() async throws -> HeartSample {
        if settings.mode == .fold { try await tick() }
        let database = settings.database.map { DatabaseMeter($0, settings.data) }
        let databaseBefore = try await database?.before()
        let bytesBefore = sender.payloadBytes.withLock { $0 }
        let before = HeartUsage.now(place, heart)
        var rows: Int?
        switch settings.mode {
        case .tick: try await tick()
        case .action: try await act()
        case .fold: rows = try await fold()
        case .memory, .start: break
        }
        let after = HeartUsage.now(place, heart)
        let databaseAfter = try await database?.after()
        var sample = try after.sample(since: before, parties: settings.parties)
        sample.note(databaseBefore, databaseAfter)
        sample.payloadBytes = sender.payloadBytes.withLock { $0 } - bytesBefore
        await heart.stop()
        await place.store.close()
        if let rows { sample.ticks = rows }
        return sample
    }

    // MARK: Retention

    /// Folds in steps of the server's size, one after another.
    private func fold() async throws -> Int {
        var (rows, step) = (0, JournalRetention.rowsPerStep)
        while step == JournalRetention.rowsPerStep {
            step = try await place.store.foldJournal(
                before: clock.now.adding(seconds: 1), rows: JournalRetention.rowsPerStep,
                epoch: epoch)
            rows += step
        }
        guard rows > 0 else { throw BenchError("retention has folded no row") }
        return rows
    }

    // MARK: Ticks

    private func tick() async throws {
        let changes = heart.metrics.value(.batchedChanges) + Double(settings.ticks)
        let step = Int64(max(20, settings.due * Self.beatMilliseconds / settings.parties))
        while heart.metrics.value(.batchedChanges) < changes {
            let next = clock.nextSleeper ?? clock.now
            if next.milliseconds - clock.now.milliseconds > Self.restMilliseconds {
                try await beginAgain()
            }
            clock.advance(to: max(next, clock.now.adding(milliseconds: step)))
            await clock.untilAsleep(1)
        }
    }

    private func beginAgain() async throws {
        try await eachParty { change in
            guard !change.party.isOnAdventure else { return }
            try change.start(
                seed: UInt64(change.stored.version), in: try settings.knownPack,
                millisecondsPerSecond: 1000)
        }
    }

    // MARK: Actions

    private func act() async throws {
        var left = settings.ticks
        while left > 0 {
            try await eachParty(atMost: left) { change in
                if !change.party.isOnAdventure {
                    return try change.start(
                        seed: UInt64(change.stored.version), in: try settings.knownPack,
                        millisecondsPerSecond: 1000)
                }
                try change.apply(Self.action(for: change.party))
            }
            left -= settings.parties
            clock.advance(to: clock.now.adding(seconds: 1))
        }
    }

    private static func shuffled(_ count: Int) -> [Int] {
        var dice = SeededRandom(seed: UInt64(count))
        var order = Array(0..<count)
        for place in order.indices.dropFirst() {
            order.swapAt(place, dice.draw(in: 0...place))
        }
        return order
    }

    /// Returns a potion for a hero who needs one, or loot for one who then has a potion.
    private static func action(for party: Party) -> Command {
        let members = party.members.filter { !$0.hasLostConnection }
        let giver = members.first { $0.potions > 0 && !$0.isKnockedDown }
        let taker = members.min { $0.health < $1.health }
        if let giver, let taker, taker.health < .full {
            return .usePotion(by: giver.hero.id, on: taker.hero.id)
        }
        return .dropLoot(party.members.first?.hero.id)
    }

    /// Changes every party once, a batch's size at a time, in an order that differs from the
    /// file's, as with real players.
    private func eachParty(
        atMost count: Int = .max,
        _ body: @escaping @Sendable (inout PartyChange) throws -> Void
    ) async throws {
        let parties = min(count, settings.parties)
        let numbers = HeartParties.numbers(settings.parties, nodes: settings.nodes)
        let order = Self.shuffled(settings.parties)
        for start in stride(from: 0, to: parties, by: settings.batch) {
            try await withThrowingDiscardingTaskGroup { group in
                for number in start..<min(start + settings.batch, parties) {
                    let party = HeartParties.id(numbers[order[number]])
                    group.addTask { try await heart.change(party, body) }
                }
            }
        }
    }
}

/// The fastest possible APNs: accepts every push at once.
final class AcceptingSender: PushSender {
    /// The bytes of all payloads so far.
    let payloadBytes = Locked(0)

    func send(
        _ requests: [PushRequest], completion: @escaping @Sendable (Int, APNsClient.Outcome) -> Void
    ) {
        let bytes = requests.reduce(0) { $0 + $1.payload.count }
        payloadBytes.withLock { $0 += bytes }
        for index in requests.indices { completion(index, .accepted(apnsUniqueID: nil)) }
    }

    func keepProviderTokens(in storage: any ProviderTokenStorage) async {}
    func liftQuarantine(of token: DeviceToken) {}
    var hostPauseMilliseconds: Int64? { nil }
    var counts: APNsClient.Counts { APNsClient.Counts() }
    func shutdown(graceMilliseconds: Int) async {}
}

extension HeartRun.Settings {
    /// The pack itself.
    fileprivate var knownPack: Pack {
        get throws {
            guard let found = EmbeddedPacks.document(named: pack) else {
                throw BenchError("there is no adventure pack \(pack)")
            }
            return found.pack
        }
    }
}
