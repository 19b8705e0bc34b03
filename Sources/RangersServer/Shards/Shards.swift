package import GameLogic
package import PartyStore
internal import PushPolicy

/// All shards of this server: finds the one that owns a party.
///
/// A party belongs for ever to one of `count` shards, by a stable hash of its id, so that several
/// servers can divide them. Each loop of this process owns many of them.
package final class Shards: Sendable {
    /// The number of shards.
    package static let count = 4096
    /// The number of parties that one read returns at a start.
    private static let pageSize = 512
    /// How long a start waits before it repeats a failed read, in milliseconds.
    private static let retryDelay: Int64 = 1000

    /// The loops.
    var all: [Shard] { loops }
    private let loops: [Shard]
    private let dependencies: Dependencies
    private let epoch: Epoch
    private let outcomeRows: OutcomeRows
    private let inherited: InheritedOutcomes
    private let pushes: PushService
    private let snapshots: PartySnapshots
    private let startSleep: Sleeper
    /// Letters to parties that are here.
    let inbox: Inbox
    /// Which of them are here.
    let map: ShardMap
    /// Ends when another server has taken over.
    package let ownership: AsyncStream<Never>

    init(
        _ settings: ShardSettings, dependencies: Dependencies, epoch: Epoch,
        pushes: PushService, snapshots: PartySnapshots, map: ShardMap = .whole
    ) {
        let (ownership, ownershipEnd) = AsyncStream<Never>.makeStream()
        let rows = OutcomeRows(epoch: epoch)
        let inherited = InheritedOutcomes(loops: max(1, settings.loops))
        let inbox = Inbox(dependencies, epoch: epoch, map: map)
        self.loops = (0..<max(1, settings.loops)).map { number in
            Shard(
                name: "\(number)", dependencies: dependencies, epoch: epoch,
                settings: settings, pushes: pushes, snapshots: snapshots, map: map,
                outcomeRows: rows, inherited: inherited, inbox: inbox,
                replaced: { ownershipEnd.finish() })
        }
        self.dependencies = dependencies
        self.ownership = ownership
        self.snapshots = snapshots
        self.map = map
        self.pushes = pushes
        outcomeRows = rows
        self.inherited = inherited
        startSleep = Sleeper(dependencies.clock)
        self.inbox = inbox
        self.epoch = epoch
        inbox.bring(to: loops.map(\.mailbox))
    }

    /// Returns the shard of a party.
    package static func shard(of party: PartyID) -> Int { PartyShard.number(of: party) }

    private func loop(of party: PartyID) -> Shard { loops[Self.shard(of: party) % loops.count] }

    // MARK: Changing a party

    /// Advances the adventure to now, makes the change, commits it, and sends its pushes.
    ///
    /// `body` may be called more than once, each time with the party's current state.
    ///
    /// - Returns: What `body` returned, once all its effects are durable.
    /// - Throws: What `body` throws (then nothing has changed), `ShardError`, `StoreError`.
    package func change<Value: Sendable>(
        _ party: PartyID, _ body: @escaping @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        try requireHere(party)
        let add = loop(of: party).mailbox.add as (ChangeRequest) -> Void
        do {
            return try await ChangeRequest.run(party, .existing, by: add, body)
        } catch StoreError.tokenIsTaken where map.isShared {
            // Another node may have given the token to another activity: a letter says so.
            try await inbox.read()
            return try await ChangeRequest.run(party, .existing, by: add, body)
        }
    }

    /// Sends letters to parties, and keeps the request for them if there is one. Returns when those
    /// that are here have taken them, as far as they can be changed now; the others do so within two
    /// seconds.
    func send(_ letters: [PartyLetter], keeping request: KeptRequest? = nil) async throws {
        try await dependencies.store.send(letters, keeping: request, epoch: epoch)
        inbox.deliver(letters)
        await takeLetters(to: Set(letters.map(\.party)))
    }

    /// Returns when these parties, as far as they are here and can be changed now, have taken the
    /// letters that were sent before.
    func takeLetters(to parties: Set<PartyID>) async {
        for party in parties where map.isHere(party) {
            // What cannot be changed now takes them with its next change.
            try? await change(party) { _ in }
        }
    }

    /// Creates a party and applies `body` to it. A creation that fails leaves nothing.
    package func create<Value: Sendable>(
        _ party: StoredParty, _ body: @escaping @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        try await ChangeRequest.run(
            party.id, .new(party), by: loop(of: party.id).mailbox.add, body)
    }

    /// Sends the request to the owner of the party, unless this node is it. What counts at a party's owner comes
    /// after it.
    func requireHere(_ party: PartyID) throws(ShardError) {
        guard map.isHere(party) else { throw .elsewhere(party) }
    }

    /// Whether changes are taken: not while the server stops, nor after another has taken over.
    package var isTakingChanges: Bool { loops.allSatisfy(\.mailbox.isOpen) }

    /// Pauses all pushes, or allows them again. `order` is the number of the change in the store:
    /// of two orders at once the newer one counts. Returns once every loop obeys.
    func set(_ sending: PartyChange.Sending, order: Int64) async {
        for loop in loops { await loop.set(sending, order: order) }
    }

    /// Whether that host refuses every push.
    func isRefusing(_ host: PushHost) -> Bool { pushes.outcomes.watches[host]?.isRefusing == true }

    // MARK: Frozen parties

    /// Returns the parties that are set aside, in the order of their ids.
    func frozenParties() async -> [FrozenParty] {
        var parties: [FrozenParty] = []
        for loop in loops { parties += await loop.frozenParties }
        return parties.sorted { $0.party < $1.party }
    }

    func frozenParty(_ party: PartyID) async -> FrozenParty? {
        await loop(of: party).frozenParty(party)
    }

    /// Sets a party of this node aside whose rows are damaged, unless it is in memory.
    func setAside(_ party: PartyID, because fault: String) async {
        await loop(of: party).setAside(party, because: fault)
    }

    /// Takes a frozen party back into the game, as its row is now.
    func thaw(_ party: PartyID) async { await loop(of: party).thaw(party) }

    /// Forgets a frozen party that no longer exists.
    func forget(frozen party: PartyID) async { await loop(of: party).forget(frozen: party) }

    // MARK: Running

    /// Runs until `stop` and `finish`, or until another server takes over.
    package func run() async {
        // A node finds its parties shard by shard, when it takes these.
        dependencies.metrics.set(.shardsOwned, to: Double(map.count))
        if !map.isShared { await inheritOutcomes() }
        await withDiscardingTaskGroup { group in
            for loop in loops { group.addTask { await loop.run() } }
            if map.isShared {
                for loop in loops { loop.mailbox.foundAll() }
            } else {
                group.addTask {
                    await self.findParties()
                    await self.readInbox()
                }
            }
            group.addTask { await self.pushes.publishBroadcasts() }
        }
    }

    /// Takes no change from now on, but still notes the outcomes of pushes in flight.
    package func stop() async {
        for loop in loops { await loop.stop() }
        startSleep.wake()
    }

    /// Ends `run` after the sender has reported its last outcome.
    package func finish() async {
        pushes.finishBroadcasts()
        for loop in loops { await loop.finish() }
    }

    // MARK: Shards that come and go

    /// Takes shards: reads what their last owners knew of pushes, lets requests come, and loads
    /// every party that has scheduled work.
    func take(_ shards: [Int]) async {
        let rows = await retrying("cannot read the outcomes of pushes") {
            store throws(StoreError) in
            try await store.outcomes()
        }
        guard let rows else { return }
        inherited.add(ofOthers: rows)
        map.add(shards)
        dependencies.metrics.set(.shardsOwned, to: Double(map.count))
        await load { store, after throws(StoreError) in
            guard let store = store.shared else { return .empty }
            return try await store.awakeParties(of: shards, after: after, limit: Self.pageSize)
        }
        for loop in loops { await loop.takeMail() }
        inherited.endTake()
    }

    /// Drops the parties of shards that this server has no longer. Returns once the writer has none
    /// of them.
    func release(_ shards: Set<Int>) async {
        for loop in loops { await loop.release(shards) }
        // They would be old when the shards come back.
        snapshots.forgetAll()
        dependencies.metrics.set(.shardsOwned, to: Double(map.count))
    }

    /// Ends all work, because this server owns nothing more.
    func giveUp() async {
        for loop in loops { await loop.replace() }
    }

    // MARK: Starting

    /// Takes over the outcomes that the last server wrote, before any party is in memory.
    private func inheritOutcomes() async {
        let rows = await retrying("cannot read the outcomes of pushes") {
            store throws(StoreError) in
            try await store.outcomes()
        }
        for row in rows ?? [] { _ = outcomeRows.note(row.row, of: inherited.add(row)) }
    }

    /// Loads every party that has scheduled work.
    private func findParties() async {
        defer { for loop in loops { loop.mailbox.foundAll() } }
        await load { store, after throws(StoreError) in
            try await store.awakeParties(after: after, limit: Self.pageSize)
        }
    }

    /// Reads the letters that the last server has left.
    private func readInbox() async {
        let letters = await retrying("cannot read the inbox") { store throws(StoreError) in
            try await store.letters(of: self.epoch, limit: .max)
        }
        inbox.deliver(letters ?? [])
    }

    /// Loads parties, page after page.
    private func load(
        _ read: @escaping @Sendable (any Store, PartyKey?) async throws(StoreError) -> AwakePage
    ) async {
        var after: PartyKey?
        var count = 0
        repeat {
            let start = after
            let page = await retrying("cannot read the parties") { store throws(StoreError) in
                try await read(store, start)
            }
            guard let page else { return }
            for (index, loop) in loops.enumerated() {
                func isOwned(_ party: PartyID) -> Bool {
                    Self.shard(of: party) % loops.count == index
                }
                loop.mailbox.add(
                    page.parties.filter { isOwned($0.id) }, damaged: page.damaged.filter(isOwned))
            }
            count += page.parties.count
            after = page.next
        } while after != nil
        dependencies.log.info("the parties are loaded", ["parties": "\(count)"])
    }

    /// Reads until it succeeds. Returns `nil` when the server stops first.
    private func retrying<Value: Sendable>(
        _ failure: StaticString,
        _ read: @Sendable (any Store) async throws(StoreError) -> Value
    ) async -> Value? {
        while isTakingChanges {
            do throws(StoreError) {
                return try await read(dependencies.store)
            } catch {
                dependencies.log.error(failure, ["error": "\(error)"])
                let now = dependencies.clock.now()
                await startSleep.sleep(until: now.adding(milliseconds: Self.retryDelay))
            }
        }
        return nil
    }
}
