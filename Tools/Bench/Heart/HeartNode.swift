internal import Content
internal import GameLogic
internal import PartyStore
internal import Playtest
internal import PushLoad
internal import PushPolicy
internal import RangersServer

/// One server's shards and writer, under a clock that the bench controls.
struct HeartNode: Sendable {
    /// A party's average time between two steps, in milliseconds.
    private static let beatMilliseconds = 45_000
    /// The time after which only roll-overs are due, because the adventures are over.
    private static let restMilliseconds: Int64 = 600_000
    private static let lookInterval = Duration.milliseconds(1)
    private static let loop = #"loop="0""#
    /// As a server renews its lease, on the machine's clock.
    private static let renewal = Duration.seconds(2)

    private let settings: HeartRun.Settings
    let place: HeartStore
    private let epoch: Epoch
    let heart: StandaloneShards
    let sender = AcceptingSender()
    private let clock: VirtualClock
    /// The parties of this node.
    private let numbers: [Int]
    /// Whether other nodes may have some of the shards.
    let isShared: Bool

    private init(
        _ settings: HeartRun.Settings, _ place: HeartStore, _ epoch: Epoch, numbers: [Int],
        as role: StandaloneShards.Place
    ) throws {
        (self.settings, self.place, self.epoch) = (settings, place, epoch)
        self.numbers = numbers
        isShared = role == .amongNodes
        clock = VirtualClock(now: HeartDrive.start)
        heart = try StandaloneShards(
            store: place.store, epoch: epoch, clock: clock.serverClock, sender: sender,
            changesPerBatch: settings.batch,
            // A few changes per commit: the next batch must not share it.
            batchesOut: settings.batch < ShardSettings.batchMaxDefault
                ? 1 : ShardSettings.batchesOutMaxDefault,
            place: role)
    }

    /// A server that has all parties, in memory when this returns.
    static func alone(
        _ settings: HeartRun.Settings, _ place: HeartStore, _ epoch: Epoch
    ) async throws -> HeartNode {
        let node = try HeartNode(
            settings, place, epoch, numbers: Array(0..<settings.parties), as: .alone)
        await node.clock.untilAsleep(1)
        return node
    }

    /// Nodes that share the database, each with its share of the parties in memory.
    static func sharing(
        _ count: Int, _ settings: HeartRun.Settings, first: HeartStore
    ) async throws -> [HeartNode] {
        var stores: [(place: HeartStore, store: any NodeStore, epoch: Epoch)] = []
        for number in 0..<count {
            let place = number == 0 ? first : try await HeartStore.open(settings.data)
            guard let store = place.store.shared else {
                throw BenchError("only a PostgreSQL database has several nodes")
            }
            // The first has all shards until it gives some away.
            let epoch = try await store.join(
                NodePlace(name: "\(number)", address: "127.0.0.1:\(number + 1)"))
            if let giver = stores.first {
                let shards = (0..<PartyShard.count).filter { $0 % count == number }
                try await giver.store.give(shards, of: giver.epoch, to: epoch)
            }
            stores.append((place, store, epoch))
        }
        var nodes: [HeartNode] = []
        for (number, member) in stores.enumerated() {
            let node = try HeartNode(
                settings, member.place, member.epoch,
                numbers: HeartParties.numbers(settings.parties, node: number, of: count),
                as: .amongNodes)
            await node.heart.take(try await member.store.nodeTable())
            await node.clock.untilAsleep(1)
            nodes.append(node)
        }
        return nodes
    }

    func stop() async {
        await heart.stop()
        await place.store.close()
    }

    /// Renews the lease and reads who has what, as a server does, until it is cancelled.
    func keepLease() async {
        guard let store = place.store.shared else { return }
        while !Task.isCancelled {
            // A lease that is lost fails the ticks.
            _ = try? await store.renew(epoch)
            _ = try? await store.nodeTable()
            try? await Task.sleep(for: Self.renewal)
        }
    }

    // MARK: Retention

    /// Folds in steps of the server's size, one after another.
    func fold() async throws -> Int {
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

    /// Advances the clock until so many more ticks are durable.
    func tick(_ count: Int) async throws {
        let changes = batchedChanges + Double(count)
        let step = Int64(max(20, settings.due * Self.beatMilliseconds / settings.parties))
        while batchedChanges < changes {
            let next = clock.nextSleeper ?? clock.now
            if next.milliseconds - clock.now.milliseconds > Self.restMilliseconds {
                try await beginAgain()
            }
            let before = batchedChanges
            clock.advance(to: max(next, clock.now.adding(milliseconds: step)))
            try await untilExamined(since: before)
        }
        await clock.untilAsleep(1)
    }

    private var batchedChanges: Double { heart.metrics.value(.batchedChanges) }

    /// Waits until no party is due any more. The writer may still have batches: a server's clock
    /// does not wait for it either.
    private func untilExamined(since before: Double) async throws {
        while !clock.isAsleep(1) {
            let isBehind = heart.metrics.value(.backlogSeconds, labels: Self.loop) > 0
            if batchedChanges > before, !isBehind { return }
            try await Task.sleep(for: Self.lookInterval)
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

    func act() async throws {
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
        let parties = min(count, numbers.count)
        let order = Self.shuffled(numbers.count)
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
