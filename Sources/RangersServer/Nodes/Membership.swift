internal import Isolation
internal import PartyStore
internal import PushPolicy

/// Keeps this server a member of the nodes that share a database: renews its lease, takes shards
/// that nobody has, and gives away those that it has too many.
actor Membership {
    /// How often the lease is renewed, in milliseconds; and while shards move, so that each node soon
    /// knows where they are.
    static let renewalMilliseconds: Int64 = 2000
    private static let movingMilliseconds: Int64 = 250
    /// How long after the end of another node's lease it is looked at, in milliseconds.
    private static let graceMilliseconds: Int64 = 20
    /// How soon a renewal that failed is tried again, and another node's lease that has ended is
    /// looked at again, in milliseconds.
    private static let retryMilliseconds: Int64 = 500
    /// By how much a node's wall clock may differ from the database's, in milliseconds.
    static let clockDifferenceMax: Int64 = 2000
    /// The most shards in one gift whose parties are all in memory. No node serves them while these
    /// are written.
    private static let giftMax = 256
    /// How long `handOver` takes at most, in milliseconds.
    private static let handOverMillisecondsMax: Int64 = 10_000
    /// How often a wrong wall clock is logged, in milliseconds.
    private static let clockComplaintMilliseconds: Int64 = 60_000

    private let store: any NodeStore
    private let epoch: Epoch
    private let map: ShardMap
    private let shards: Shards
    private let dependencies: Dependencies
    private let databaseClock: DatabaseClock
    /// Called before this node takes shards.
    private let coming: @Sendable () -> Void
    /// Called for shards that this node has no longer.
    private let left: @Sendable (Set<Int>) -> Void
    /// Called with the number of nodes, this one included.
    private let counted: @Sendable (Int) -> Void
    /// Called for each kind of shared knowledge that another node has changed. Returns whether it
    /// has been read.
    private let changed: @Sendable (SharedNews) async -> Bool
    /// Called while the consoles of another node look at all nodes.
    private let watched: @Sendable () -> Void
    private let rest: Sleeper
    private let handingOver: Sleeper
    private var isStopping = false

    /// The node's work with its shards.
    private enum Stage {
        /// It takes its share, and gives others theirs.
        case member
        /// It gives all of them.
        case leaving
        /// It keeps them, with its lease.
        case closing
    }

    private var stage = Stage.member
    /// Since when the others can see that this node leaves, by the machine's time since its start.
    private var leavingSince: Int64?
    private var isGiving = false
    /// The shards that are being taken.
    private var taking: Set<Int> = []
    private var steadiness = Steadiness()
    /// What the store said last of shared knowledge.
    private var news: [SharedNews: Int64]
    /// What is to be read again.
    private var unread: Set<SharedNews> = []
    /// What is being read.
    private var reading: Set<SharedNews> = []
    /// Whether the lease has ended and clients were told to go elsewhere.
    private var hasLeft = false
    private var hasComplained = false
    private var complainedOfClockAt: Int64?

    init(
        _ store: any NodeStore, epoch: Epoch, map: ShardMap, shards: Shards,
        _ dependencies: Dependencies, databaseClock: DatabaseClock,
        news: [SharedNews: Int64],
        coming: @escaping @Sendable () -> Void,
        left: @escaping @Sendable (Set<Int>) -> Void,
        counted: @escaping @Sendable (Int) -> Void,
        changed: @escaping @Sendable (SharedNews) async -> Bool,
        watched: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.epoch = epoch
        self.map = map
        self.shards = shards
        self.dependencies = dependencies
        self.databaseClock = databaseClock
        self.news = news
        self.coming = coming
        self.left = left
        self.counted = counted
        self.changed = changed
        self.watched = watched
        rest = Sleeper(dependencies.clock)
        handingOver = Sleeper(dependencies.clock)
    }

    /// Runs until `stop`, or until the node has been removed.
    func run() async {
        defer { close() }
        await withDiscardingTaskGroup { group in
            while !isStopping {
                let began = dependencies.clock.machine.sinceBoot()
                var wait = Self.renewalMilliseconds
                do throws(StoreError) {
                    wait = try await round(since: began, &group)
                    (hasComplained, hasLeft) = (false, false)
                } catch .notTheOwner {
                    dependencies.log.error(
                        "this node was removed: its lease ended, or another has its address",
                        ["node": "\(epoch.number)"])
                    await shards.giveUp()
                    return
                } catch {
                    steadiness.noteFailure()
                    complain(error)
                    leaveIfLate()
                    if stage == .leaving { close() }
                    wait = Self.retryMilliseconds
                }
                guard !isStopping else { return }
                let taken = dependencies.clock.machine.sinceBoot() - began
                await rest.sleep(
                    until: dependencies.clock.now().adding(milliseconds: max(0, wait - taken)))
            }
        }
    }

    /// Gives the shards to nodes that stay, while this one still serves. It keeps shard 0, and what
    /// it could not give: because no node stays, because the store cannot write, or because it took
    /// too long. From then on it only renews its lease.
    func handOver() async {
        guard stage == .member else { return }
        stage = .leaving
        rest.wake()
        await handingOver.sleep(
            until: dependencies.clock.now().adding(milliseconds: Self.handOverMillisecondsMax))
        stage = .closing
    }

    private func close() {
        stage = .closing
        handingOver.wake()
    }

    /// `run` returns soon. The shards stay this node's until `leave`.
    func stop() {
        isStopping = true
        rest.wake()
    }

    /// Looks at once.
    nonisolated func wake() { rest.wake() }

    /// Hands back the shards that are left, so that others need not wait for the end of the lease.
    func leave() async {
        do throws(StoreError) {
            try await store.leave(epoch)
        } catch {
            dependencies.log.warning(
                "this node could not hand its shards back: others take them when its lease ends",
                ["error": "\(error)"])
        }
    }

    // MARK: A round

    /// Renews the lease, and adapts to what other nodes have done. Returns after how many
    /// milliseconds the next round begins.
    private func round(
        since began: Int64, _ group: inout DiscardingTaskGroup
    ) async throws(StoreError) -> Int64 {
        let clock = try await store.renew(epoch)
        map.renewed(until: began + ServerNode.leaseMilliseconds)
        let steady = steadiness.note(
            Steadiness.Renewal(
                began: began, ended: dependencies.clock.machine.sinceBoot(), clock: clock))
        compare(with: clock, since: began)
        guard stage != .closing else { return Self.renewalMilliseconds }
        let isLeaving = stage == .leaving
        let gift: ShardMap.Gift = isGiving ? .underWay : .over
        var table = try await store.nodeTable()
        if isLeaving, table.nodes.contains(where: { $0.epoch == epoch && !$0.isLeaving }) {
            try await store.prepareToLeave(epoch)
            leavingSince = dependencies.clock.machine.sinceBoot()
            table = try await store.nodeTable()
        }
        if try await take(from: table, at: clock, isSteady: steady) {
            table = try await store.nodeTable()
        }
        await shortenLeases(in: table, clock + dependencies.clock.machine.sinceBoot() - began)
        counted(table.nodes.count)
        let shares = ShardShares(table)
        let surplus = shares.toGive(by: epoch.number)
        adapt(to: table, gift, keeping: surplus, &group)
        if isLeaving, surplus.isEmpty, !isGiving { close() }
        if !isLeaving || haveOthersLooked { give(surplus, &group) }
        followNews(of: table, &group)
        shards.inbox.readSoon()
        if table.watchers.contains(where: { $0 != epoch.number }) { watched() }
        let waits = table.nodes.filter { $0.epoch != epoch }.map { node in
            node.until > clock
                ? node.until - clock + Self.graceMilliseconds : Self.retryMilliseconds
        }
        return min(
            shares.areMoving ? Self.movingMilliseconds : Self.renewalMilliseconds,
            waits.min() ?? Self.renewalMilliseconds)
    }

    /// Whether the others look for what this node gives: until they know that it leaves, they renew
    /// their leases and no more.
    private var haveOthersLooked: Bool {
        let now = dependencies.clock.machine.sinceBoot()
        return leavingSince.map { now - $0 >= Self.renewalMilliseconds } ?? false
    }

    /// Shortens leases that end later than one renewed now, when the database's clock shows at most
    /// `clock`. A node that died before the clock was set back would otherwise keep its shards for
    /// that long.
    private func shortenLeases(in table: NodeTable, _ clock: Int64) async {
        guard table.nodes.contains(where: { $0.until > clock + ServerNode.leaseMilliseconds })
        else { return }
        do throws(StoreError) {
            try await store.shortenLeases()
        } catch {
            // The next round does it.
            dependencies.log.warning(
                "a lease that ends too late cannot be shortened", ["error": "\(error)"])
        }
    }

    /// Takes shards that nobody has. Nodes are removed only by one that has itself reached the
    /// database for as long as a lease: after an outage all leases have ended, and all nodes live.
    /// Returns whether anything has changed.
    private func take(
        from table: NodeTable, at clock: Int64, isSteady milliseconds: Int64
    ) async throws(StoreError) -> Bool {
        let isAnybodyLate = table.nodes.contains { $0.until < clock && $0.epoch != epoch }
        let mayRemove = isAnybodyLate && milliseconds >= ServerNode.leaseMilliseconds
        let shares = ShardShares(table)
        guard mayRemove || !shares.toTake(by: epoch.number).isEmpty else { return false }
        let count = try await store.takeShards(
            epoch, late: mayRemove ? .areRemoved(asOf: clock) : .stay)
        dependencies.log.info("this node has taken shards", ["shards": "\(count)"])
        return true
    }

    /// Drops the shards that this node has lost, and takes the new ones, except those that it gives
    /// away.
    private func adapt(
        to table: NodeTable, _ gift: ShardMap.Gift, keeping surplus: [Int64: [Int]],
        _ group: inout DiscardingTaskGroup
    ) {
        let (new, lost) = map.note(table, gift)
        let (shards, left) = (shards, left)
        if !lost.isEmpty {
            group.addTask {
                await shards.release(lost)
                left(lost)
            }
        }
        let untaken = Set(new).subtracting(taking).subtracting(surplus.values.joined()).sorted()
        guard !untaken.isEmpty else { return }
        taking.formUnion(untaken)
        coming()
        group.addTask {
            await shards.take(untaken)
            await self.haveTaken(untaken)
        }
    }

    /// Closes the streams once the lease has ended: others may have the parties, and what a stream
    /// shows would grow old without a sign.
    private func leaveIfLate() {
        guard map.isLate, !hasLeft else { return }
        hasLeft = true
        left(Set(0..<PartyShard.count))
    }

    private func haveTaken(_ shards: [Int]) { taking.subtract(shards) }

    /// Gives shards to a node that has too few: at once all whose parties it has not read, or is
    /// still reading, else a few. The lease is renewed between two gifts.
    private func give(_ surplus: [Int64: [Int]], _ group: inout DiscardingTaskGroup) {
        guard !isGiving else { return }
        var gift: (shards: [Int], other: Int64)?
        for (other, shards) in surplus.sorted(by: { $0.key < $1.key }) {
            let untaken = shards.filter { taking.contains($0) || !map.isTaken($0) }
            if !untaken.isEmpty {
                gift = (untaken, other)
                break
            }
            gift = gift ?? (Array(shards.prefix(Self.giftMax)), other)
        }
        guard let gift else { return }
        isGiving = true
        map.remove(gift.shards)
        group.addTask { await self.give(gift.shards, to: gift.other) }
    }

    /// Gives shards away, once the writer has none of their parties.
    private func give(_ gift: [Int], to other: Int64) async {
        await shards.release(Set(gift))
        left(Set(gift))
        do throws(StoreError) {
            defer { isGiving = false }
            try await store.give(gift, of: epoch, to: Epoch(number: other))
        } catch {
            // They are still this node's: the next round gives them again, or takes them back.
            return complain(error)
        }
        dependencies.log.info(
            "this node has given shards away", ["shards": "\(gift.count)", "node": "\(other)"])
        // The next round knows where they are, and gives more.
        rest.wake()
    }

    private func followNews(of table: NodeTable, _ group: inout DiscardingTaskGroup) {
        unread.formUnion(SharedNews.allCases.filter { table.news[$0] != news[$0] })
        news = table.news
        for kind in SharedNews.allCases where unread.contains(kind) && !reading.contains(kind) {
            unread.remove(kind)
            reading.insert(kind)
            group.addTask { await self.read(kind) }
        }
    }

    /// Reads what another node has changed. If it cannot be read, the next round tries again.
    private func read(_ kind: SharedNews) async {
        if await !changed(kind) { unread.insert(kind) }
        reading.remove(kind)
    }

    // MARK: Reports

    /// Compares the machine's wall clock with the database's.
    private func compare(with clock: Int64, since began: Int64) {
        let machine = dependencies.clock.machine
        let way = machine.sinceBoot() - began
        databaseClock.note(clock, at: began + way / 2, within: way)
        let difference = machine.ownWall().milliseconds - way / 2 - clock
        dependencies.metrics.set(.nodeClockDifference, to: Double(difference) / 1000)
        guard abs(difference) > max(Self.clockDifferenceMax, way) else { return }
        if let last = complainedOfClockAt, began - last < Self.clockComplaintMilliseconds { return }
        complainedOfClockAt = began
        dependencies.log.error(
            "the clock of this node differs from the database's, whose time is used",
            ["seconds": "\(Double(difference) / 1000)"])
    }

    private func complain(_ error: StoreError) {
        guard !hasComplained else { return }
        hasComplained = true
        dependencies.log.error(
            "the lease of this node cannot be renewed", ["error": "\(error)"])
    }
}

extension Membership: BackgroundService {}
