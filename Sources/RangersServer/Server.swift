internal import APNsClient
package import Content
package import HTTPServer
internal import Isolation
internal import OptionParsing
package import PartyStore
internal import PushPolicy
package import Secrets

/// The server: the shards, the pushes and the API, started and stopped together.
package final class Server: Sendable {
    /// How long requests in flight may take when the server stops, in seconds.
    package static let drainSeconds = 5
    /// How long pushes in flight may take when the server stops, in milliseconds.
    package static let pushDrainMilliseconds = 3000

    /// The server's settings, apart from the outside world.
    package struct Settings: Sendable {
        package var http = HTTPServer.Settings()
        /// The listener of game masters and metrics; `nil`: they share that of players.
        package var adminHTTP: HTTPServer.Settings?
        package var adminKey: Secret
        package var bundleID: String
        /// Game milliseconds per real second.
        package var millisecondsPerSecond: Int64 {
            get { shards.millisecondsPerSecond }
            set { shards.millisecondsPerSecond = newValue }
        }
        /// The most browser phones at a time; 0: they are off.
        package var pagesMax = 0
        package var orphanChannels = ChannelSweep.Orphans.keep
        package var shards = ShardSettings()
        /// How long events, commands and decisions are kept individually, in days.
        package var journalDays = 30
        /// The operator's list of names that no new hero may have, if there is one.
        package var blockedNamesFile: String?
        /// How long the calls of game masters are kept, in days.
        package var auditDays = 180
        /// How long an account that was never in a party is kept, in days.
        package var unusedAccountDays = 30
        /// The most heroes of a player before the first adventure.
        package var firstHeroesMax = 3
        package var rates = RateSettings()
        /// The packs of the program and of the operator's folder.
        package var packs = EmbeddedPacks.documents
        /// The pack that an adventure plays if its start names none.
        package var usualPack = standardPack
        /// Where browsers find this server; `nil`: on its loopback address.
        package var publicURL: PublicURL?
        /// This server among those that share a database; `nil`: it has the store for itself.
        package var node: NodePlace?

        package static let standardPack = "forest-quest"

        /// The environment of channels; that of a simulator, which has both, is the sandbox.
        var channelEnvironment = PushEnvironment.sandbox

        package init(adminKey: Secret, bundleID: String) {
            self.adminKey = adminKey
            self.bundleID = bundleID
        }
    }

    let game: Game
    /// Those that the settings ask for.
    private let services: [(any BackgroundService)?]
    private let readiness = Readiness()
    private let listeners: Listeners
    /// `nil`: the server has the store for itself.
    private let membership: Membership?
    private let running: Task<Void, Never>

    /// The port for players' clients.
    package var port: UInt16 { listeners.port }
    /// The port for game masters and metrics.
    package var adminPort: UInt16 { listeners.adminPort }

    /// Takes ownership of the store and starts. Returns when the server accepts requests.
    package convenience init(_ settings: Settings, _ dependencies: Dependencies) async throws {
        let (joined, dependencies) = try await Joined.joining(settings, dependencies)
        do {
            try await self.init(settings, dependencies, joined)
        } catch {
            await joined.leave()
            throw error
        }
    }

    private init(
        _ settings: Settings, _ dependencies: Dependencies, _ joined: Joined
    ) async throws {
        let words = try Words.embedded()
        let (epoch, map, renewal) = (joined.epoch, joined.map, joined.renewal(dependencies))
        defer { renewal?.cancel() }
        await Self.keepProviderTokens(dependencies, joined)
        let (packs, names, (nameRules, nameList), sessions) = try await Self.loaded(
            settings, words, dependencies, joined)
        let limits = RequestLimits(settings.rates, dependencies, nodes: joined.nodeCount)
        let newTokens = NewTokens(dependencies, limits)
        let pages = PageStreams(settings, dependencies)
        let encoding = PushEncoding(settings, words, dependencies)
        let pushes = PushService(
            dependencies, encoding, pages: pages, hiding: names, newTokens: newTokens)
        let (consoles, channelRoom) = (ConsoleStreams(dependencies, epoch: epoch), ChannelRoom())
        let streams = PartyStreams(
            settings.http, dependencies, hiding: names, telling: consoles.news)
        let shards = Shards(
            settings.shards, dependencies: dependencies, epoch: epoch, pushes: pushes,
            snapshots: streams.snapshots, map: map)
        if await Self.arePushesPaused(dependencies) { await shards.set(.paused, order: 0) }
        let sightings = PlayerSightings(from: dependencies.clock.now())
        let players = KnownPlayers(
            dependencies, epoch: epoch, sightings: sightings, streams: streams, pages: pages,
            isShared: map.isShared)
        let deletion = AccountDeletion(
            shards: shards, snapshots: streams.snapshots, players: players,
            dependencies: dependencies)
        let jobs = await JobRunner(
            dependencies, epoch: epoch, shards: shards, limits: limits,
            isFirst: joined.isFirst)
        let followers = WorldFollowers(
            dependencies, epoch: epoch, settings: settings, encoding: encoding, packs: packs,
            room: channelRoom, leads: { map.leads })
        let world = WorldBossWatch(dependencies, epoch: epoch, shards: shards, followers: followers)
        game = Game(
            shards: shards, snapshots: streams.snapshots, streams: streams, pages: pages,
            consoles: consoles, sightings: sightings, jobs: jobs, world: world, names: names,
            nameRules: nameRules, players: players, deletion: deletion, sessions: sessions,
            doorkeeper: Doorkeeper(settings, dependencies.store, sessions),
            dependencies: dependencies, epoch: epoch, words: words, packs: packs,
            settings: settings, readiness: readiness, limits: limits, newTokens: newTokens,
            channelRoom: channelRoom, redirects: Redirects(map, dependencies.metrics),
            reports: ConsoleReports(dependencies, epoch: epoch, map: map))
        services = [followers, nameList] + Self.services(of: game)
        membership = joined.membership(of: game)
        listeners = try await Listeners(settings, game)
        // `drain` waits for it.
        running = Task { [services, membership, game] in
            await Self.run(services + [membership], in: game)
        }
        readiness.current = .ready
    }

    private static func keepProviderTokens(_ dependencies: Dependencies, _ joined: Joined) async {
        await dependencies.sender.keepProviderTokens(
            in: KeptProviderTokens(epoch: joined.epoch, dependencies))
        guard joined.map.isShared else { return }
        // Those that come later find the token of the first one.
        await dependencies.sender.refreshProviderTokens(joined.isFirst ? .here : .elsewhere)
    }

    /// Reads what the server keeps in memory from its start on.
    private static func loaded(
        _ settings: Settings, _ words: Words, _ dependencies: Dependencies, _ joined: Joined
    ) async throws -> (PackCatalog, HiddenNames, (NameRules, NameListFile?), Sessions) {
        try await dependencies.untilAvailable {
            (
                try await PackCatalog.loaded(
                    settings.packs, words, dependencies, epoch: joined.epoch),
                try await HiddenNames.loaded(from: dependencies.store),
                try await NameRules.loaded(with: settings.blockedNamesFile, dependencies),
                try await Sessions.loaded(
                    dependencies, epoch: joined.epoch, settings, isShared: joined.map.isShared)
            )
        }
    }

    /// Returns what works beside requests and is asked by none of them.
    private static func services(of game: Game) -> [(any BackgroundService)?] {
        let (dependencies, settings, epoch) = (game.dependencies, game.settings, game.epoch)
        let map = game.shards.map
        let leads = { @Sendable in map.leads }
        return [
            dependencies.channels.map {
                ChannelSweeper(
                    $0, dependencies, epoch: epoch, settings: settings, room: game.channelRoom,
                    leads: leads)
            },
            JournalRetention(
                dependencies, epoch: epoch, settings, snapshots: game.snapshots,
                deletion: game.deletion),
            CleanUp(
                dependencies, settings, epoch: epoch, shards: game.shards, game.players,
                sightings: game.sightings),
            WidgetService(
                dependencies, epoch: epoch, settings: settings, newTokens: game.newTokens,
                leads: leads),
            ClockWatch(dependencies, epoch: epoch, jobs: game.jobs, snapshots: game.snapshots),
            NodeDuties(dependencies, epoch: epoch, map: map), game.jobs, game.world, game.sessions,
            game.pages.areOn ? game.pages : nil,
        ]
    }

    /// Runs all that works beside requests, until it is stopped.
    private static func run(_ services: [(any BackgroundService)?], in game: Game) async {
        game.dependencies.sabotage?.begin(with: game.dependencies)
        await withDiscardingTaskGroup { group in
            group.addTask { await game.shards.run() }
            for case let service? in services { group.addTask { await service.run() } }
            group.addTask { await game.streams.run(in: game) }
            group.addTask { await game.consoles.run(in: game) }
            group.addTask { await game.reports.run(in: game) }
            group.addTask { await game.dependencies.damagedParties.run(in: game.shards) }
        }
    }

    /// Returns the response to one request, without a socket. Tests use it.
    package func respond(to request: Request) async -> Response {
        await listeners.api.respond(to: request)
    }

    /// Returns the response of the listener of game masters.
    package func respond(toGameMaster request: Request) async -> Response {
        await listeners.adminAPI.respond(to: request)
    }

    /// Returns the response if it is available without waiting; `nil`: call `respond`.
    package func immediateResponse(to head: borrowing RequestHead) -> Response? {
        listeners.api.immediateResponse(to: head)
    }

    /// Whether shards have left news that no console has got yet.
    var hasNews: Bool { game.consoles.news.hasMail }

    /// Returns when another server has taken over the file (or the task is cancelled). This server
    /// can then no longer write, and should end.
    package func untilReplaced() async {
        for await _ in game.shards.ownership {}
    }

    /// An owner's pause survives restarts. A row of it that cannot be read counts as a pause.
    private static func arePushesPaused(_ dependencies: Dependencies) async -> Bool {
        do throws(StoreError) {
            guard let pause = try await dependencies.store.pushPause() else { return false }
            dependencies.log.warning("all pushes are paused", ["by": pause.by])
        } catch {
            dependencies.log.error(
                "all pushes are paused: cannot read the pause", ["error": "\(error)"])
        }
        return true
    }

    /// Gives the shards to other nodes, stops accepting, finishes what is in flight, writes the
    /// outcomes of pushes, and closes the store (PR13).
    package func drain() async {
        let dependencies = game.dependencies
        dependencies.log.info("draining")
        readiness.current = .draining
        await membership?.handOver()
        await listeners.stop(graceSeconds: Self.drainSeconds)
        await game.shards.stop()
        for case let service? in services { await service.stop() }
        game.streams.stop()
        game.consoles.stop()
        await game.reports.stop()
        dependencies.damagedParties.stop()
        await dependencies.senders.shutdown(graceMilliseconds: Self.pushDrainMilliseconds)
        await dependencies.channels?.shutdown(graceMilliseconds: Self.pushDrainMilliseconds)
        await game.shards.finish()
        await membership?.stop()
        await running.value
        await listeners.adminAPI.writeRepeatedReads()
        await membership?.leave()
        await dependencies.store.close()
        dependencies.log.info("stopped")
    }
}

extension Server {
    /// Starts the server that the settings describe: its store, the system's clock, APNs. Throws when
    /// a device could not decode its pushes.
    package convenience init(_ configuration: ServerConfiguration) async throws {
        try PayloadCheck(words: .embedded()).run()
        let clock = ServerClock.system()
        let log = Log(level: configuration.logLevel, now: { .system }, write: Terminal.logLine)
        let sender = try APNsClient(configuration.apns)
        let channels = try configuration.channels.map {
            try configuration.channelService(at: $0, sender)
        }
        let (damaged, metrics) = (DamagedParties(), Metrics())
        let store = try await Self.openStore(configuration, log, damaged, metrics)
        let dependencies = Dependencies(
            store: store, clock: clock,
            adventureSeed: Self.seeds(from: configuration.adventureSeed),
            sender: sender, sandboxSender: try configuration.sandboxSender(sender),
            channels: channels, log: log, metrics: metrics, damagedParties: damaged)
        var settings = configuration.settings
        let files = OpenFileLimit.raise()
        settings.http = OpenFileLimit.fitted(settings.http, in: files)
        if settings.http.streamsMax < configuration.settings.http.streamsMax {
            log.warning(
                "the limit of open files is low: fewer connections and streams are allowed",
                [
                    "limit": "\(files)", "connections": "\(settings.http.connectionsMax)",
                    "streams": "\(settings.http.streamsMax)",
                ])
        }
        try await self.init(settings, dependencies)
        log.info(
            "the server is ready",
            [
                "listen": "\(configuration.settings.http.host):\(port)",
                "apns": "\(configuration.apns.host):\(configuration.apns.port)",
            ])
    }

    /// How long a start waits for a full disk, or for a file that is being restored.
    private static let openTimeMax = Duration.seconds(600)

    /// Opens the store. A full disk is waited for, and a database that is away, because a start
    /// again would not help.
    private static func openStore(
        _ configuration: ServerConfiguration, _ log: Log, _ damaged: DamagedParties,
        _ metrics: Metrics
    ) async throws -> any Store {
        let note = { @Sendable (event: StoreEvent) in
            log.note(event)
            damaged.note(event)
            metrics.note(event)
        }
        let deadline = ContinuousClock.now + openTimeMax
        var hasComplained = false
        while true {
            do throws(StoreError) {
                switch configuration.place {
                case .file(let path):
                    return try await SQLiteStore.open(
                        path: path, loss: configuration.loss,
                        ballastBytes: configuration.ballastBytes, checking: .always, onEvent: note)
                case .database(let address):
                    return try await PostgreSQLStore.open(address, onEvent: note)
                }
            } catch {
                guard case .unavailable = error, ContinuousClock.now < deadline else { throw error }
                if !hasComplained {
                    log.error("the store cannot be opened yet", ["error": "\(error)"])
                }
                hasComplained = true
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Returns the seeds of new adventures: counted up from `first`, or random.
    private static func seeds(from first: UInt64?) -> @Sendable () -> UInt64 {
        guard let first else { return { RandomSource().next() } }
        let next = Locked(first)
        return {
            next.withLock { seed in
                defer { seed &+= 1 }
                return seed
            }
        }
    }
}
