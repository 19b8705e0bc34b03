internal import PartyStore
internal import PushPolicy

/// A server's place in its store, taken at its start.
struct Joined: Sendable {
    /// How often the database's clock is read at a start, until a reading is quick enough to be exact.
    private static let readingsMax = 5
    /// How often a server that starts looks whether the nodes that run have stored their time, a
    /// second apart: they do so within ten seconds after they have noticed a step.
    private static let timeLooksMax = 15

    let epoch: Epoch
    let map: ShardMap
    /// How many servers have the store, this one included.
    let nodeCount: Int
    /// What the store said of shared knowledge before it was read.
    private let news: [SharedNews: Int64]
    /// The store, if several servers share it, and its clock.
    private let shared: (store: any NodeStore, clock: DatabaseClock)?

    /// Whether no other server has the store.
    var isFirst: Bool { nodeCount == 1 }

    /// Takes the store, or joins the servers that share it. Returns the dependencies with the time
    /// that goes on.
    static func joining(
        _ settings: Server.Settings, _ dependencies: Dependencies
    ) async throws -> (Joined, Dependencies) {
        guard let place = settings.node, let store = dependencies.store.shared else {
            let joined = Joined(
                epoch: try await dependencies.store.takeOwnership(), map: .whole, nodeCount: 1,
                news: [:], shared: nil)
            return (joined, try await dependencies.continuingTime())
        }
        let epoch = try await dependencies.untilAvailable {
            // The server before this one may have renewed its lease before the clock was set back.
            try await store.shortenLeases()
            return try await store.join(place)
        }
        do {
            return try await joined(epoch, store, dependencies)
        } catch {
            try? await store.leave(epoch)
            throw error
        }
    }

    /// Reads what a new node needs to know.
    private static func joined(
        _ epoch: Epoch, _ store: any NodeStore, _ dependencies: Dependencies
    ) async throws -> (Joined, Dependencies) {
        let (clock, dependencies) = try await continuingTime(of: store, epoch, dependencies)
        dependencies.log.info("this server is a node", ["node": "\(epoch.number)"])
        let table = try await dependencies.untilAvailable { try await store.nodeTable() }
        let joined = Joined(
            epoch: epoch,
            map: ShardMap(of: epoch, sinceBoot: dependencies.clock.machine.sinceBoot),
            nodeCount: table.nodes.count, news: table.news, shared: (store, clock))
        return (joined, dependencies)
    }

    /// Reads the database's clock. Returns dependencies whose time is that of all nodes.
    private static func continuingTime(
        of store: any NodeStore, _ epoch: Epoch, _ dependencies: Dependencies
    ) async throws -> (DatabaseClock, Dependencies) {
        let machine = dependencies.clock.machine
        var (reading, began, ended): (Int64, Int64, Int64)
        var readings = 0
        repeat {
            (reading, began) = try await dependencies.untilAvailable {
                let began = machine.sinceBoot()
                return (try await store.renew(epoch), began)
            }
            ended = machine.sinceBoot()
            readings += 1
        } while ended - began >= ServerClock.stepMin && readings < readingsMax
        let clock = DatabaseClock(on: machine, reading: reading, at: (began + ended) / 2)
        var dependencies = dependencies
        dependencies.clock = dependencies.clock.following(clock)
        let following = dependencies
        try await untilTimeIsKnown(of: store, epoch, clock, following)
        let continuing = try await following.untilAvailable {
            let continuing = try await following.continuingTime()
            // Those that join next have the same time.
            try await store.save(continuing.clock.anchor, epoch: epoch)
            return continuing
        }
        return (clock, continuing)
    }

    /// Waits for nodes that joined earlier. Without their time a node guesses for how long none has
    /// run, and each that starts would guess another time.
    private static func untilTimeIsKnown(
        of store: any NodeStore, _ epoch: Epoch, _ clock: DatabaseClock,
        _ dependencies: Dependencies
    ) async throws {
        let machine = dependencies.clock.machine
        for _ in 0..<timeLooksMax {
            let isSettled = try await dependencies.untilAvailable {
                let began = machine.sinceBoot()
                let reading = try await store.renew(epoch)
                let way = machine.sinceBoot() - began
                clock.note(reading, at: began + way / 2, within: way)
                if try await dependencies.isTimeKnown() { return true }
                return try await store.nodeTable().nodes.allSatisfy {
                    $0.epoch >= epoch || $0.until < reading
                }
            }
            if isSettled { return }
            await dependencies.clock.sleep(dependencies.clock.now().adding(seconds: 1), .done)
        }
    }

    /// Renews the lease until it is cancelled: at a slow database a start takes longer than a lease.
    /// `nil`: the server has the store for itself.
    func renewal(_ dependencies: Dependencies) -> Task<Void, Never>? {
        shared.map { shared in
            // The start that asked for it cancels it.
            Task { [epoch, map] in
                while true {
                    await dependencies.clock.sleep(
                        dependencies.clock.now().adding(
                            milliseconds: Membership.renewalMilliseconds), .done)
                    guard !Task.isCancelled else { return }
                    let began = dependencies.clock.machine.sinceBoot()
                    guard (try? await shared.store.renew(epoch)) != nil else { continue }
                    map.renewed(until: began + ServerNode.leaseMilliseconds)
                }
            }
        }
    }

    /// Hands back what other nodes have given to a server that could not start: they need not wait
    /// for the end of its lease. If that fails, they do.
    func leave() async { try? await shared?.store.leave(epoch) }

    /// Returns what keeps the server a node; `nil`: it has the store for itself.
    func membership(of game: Game) -> Membership? {
        shared.map { shared in
            Membership(
                shared.store, epoch: epoch, map: map, shards: game.shards, game.dependencies,
                databaseClock: shared.clock, news: news
            ) {
                game.sightings.noteOthers(at: game.now)
            } left: { shards in
                game.streams.close(shards: shards)
                game.pages.breakOff(shards: shards)
            } counted: { nodes in
                game.limits.share(among: nodes)
            } changed: { news in
                await game.follow(news)
            } watched: {
                game.reports.wakeIfIdle()
            }
        }
    }
}

extension Dependencies {
    /// How long a start waits for a database that is away, or for the end of another server's
    /// lease, in milliseconds.
    private static let startMillisecondsMax: Int64 = 600_000

    /// Does what a start needs of the store: while a database is away, again each second. A file is
    /// not waited for.
    func untilAvailable<Result: Sendable>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        let began = clock.machine.sinceBoot()
        var hasComplained = false
        while true {
            do {
                return try await body()
            } catch let error as StoreError {
                guard store.shared != nil, case .unavailable = error,
                    clock.machine.sinceBoot() - began < Self.startMillisecondsMax
                else { throw error }
                if !hasComplained {
                    log.error("this server cannot join yet", ["error": "\(error)"])
                }
                hasComplained = true
                await clock.sleep(clock.now().adding(seconds: 1), .done)
            }
        }
    }
}
