internal import APNsClient
package import HTTPServer
internal import PartyStore
package import PushPolicy
package import Secrets

/// The server: the loop, the pushes and the API, started and stopped together.
package final class Server: Sendable {
    /// How long requests in flight may take when the server stops, in seconds.
    package static let drainSeconds = 5
    /// How long pushes in flight may take when the server stops, in milliseconds.
    package static let pushDrainMilliseconds = 3000

    /// What the server is told, apart from the outside world.
    package struct Settings: Sendable {
        package var http = HTTPServer.Settings()
        package var adminKey: Secret
        package var bundleID: String
        /// Game milliseconds a real second.
        package var millisecondsPerSecond: Int64 = 1000
        package var pushEnvironment: PushEnvironment?
        /// How many cards may be started by push on one device.
        package var startLimits = PushToStartGuard.Limits.standard
        package var channels = ChannelTerms()

        package init(adminKey: Secret, bundleID: String) {
            self.adminKey = adminKey
            self.bundleID = bundleID
        }
    }

    private let environment: Environment
    private let dispatcher: PushDispatcher
    private let loop: GameLoop
    private let sweeper: ChannelSweeper?
    private let api: API
    private let readiness = Readiness()
    private let http: HTTPServer
    private let running: Task<Void, Never>

    /// The port that players' clients reach.
    package var port: UInt16 { http.port }

    /// Takes ownership of the store, and starts: returns when requests are answered.
    package init(_ settings: Settings, _ environment: Environment) async throws {
        self.environment = environment
        let words = try Words.embedded()
        let epoch = try await environment.store.takeOwnership()
        await environment.sender.keepProviderTokens(
            in: KeptProviderTokens(
                store: environment.store, epoch: epoch, log: environment.log))
        dispatcher = PushDispatcher(
            encoding: PushEncoding(bundleID: settings.bundleID, words: words),
            sender: environment.sender, desk: environment.channels, clock: environment.clock,
            metrics: environment.metrics, log: environment.log)
        let loop = GameLoop(
            environment: environment, epoch: epoch, dispatcher: dispatcher,
            startTerms: StartTerms(
                limits: settings.startLimits, environment: settings.pushEnvironment))
        self.loop = loop
        let sweeper = environment.channels.map {
            ChannelSweeper($0, environment, epoch: epoch, terms: settings.channels)
        }
        self.sweeper = sweeper
        let game = Game(
            loop: loop, environment: environment, epoch: epoch, words: words,
            millisecondsPerSecond: settings.millisecondsPerSecond,
            pushEnvironment: settings.pushEnvironment, channelTerms: settings.channels,
            readiness: readiness)
        let api = API(
            authentication: Authentication(
                adminKey: settings.adminKey, store: environment.store),
            game: game)
        self.api = api
        http = try HTTPServer(settings.http) { await api.respond(to: $0) }
        // `drain` waits for it.
        running = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await loop.run() }
                group.addTask { await sweeper?.run() }
            }
        }
        readiness.current = .ready
    }

    /// The answer to one request, without a socket: the front door of tests.
    package func respond(to request: Request) async -> Response {
        await api.respond(to: request)
    }

    /// Returns when another server has taken over the file (or the task is cancelled): this one
    /// can write nothing any more, and should end.
    package func untilReplaced() async {
        for await _ in loop.ownership {}
    }

    /// Stops accepting, finishes what is in flight, writes what APNs has answered, closes the
    /// store (R13).
    package func drain() async {
        environment.log.info("draining")
        readiness.current = .draining
        await http.stop(graceSeconds: Self.drainSeconds)
        await loop.stopStories()
        await sweeper?.stop()
        await environment.sender.shutdown(graceMilliseconds: Self.pushDrainMilliseconds)
        await environment.channels?.shutdown(graceMilliseconds: Self.pushDrainMilliseconds)
        await loop.stopAnswers()
        await running.value
        await loop.writeUnwritten()
        await environment.store.close()
        environment.log.info("stopped")
    }
}
