internal import APNsClient
internal import Isolation
internal import PartyStore
internal import PushPolicy
internal import RangersServer
internal import Secrets

/// The machine on which servers run, one after another: its clocks, its disk, and the supervisor
/// that starts the next one.
package final class ServerHost: @unchecked Sendable {
    // Safe to share: as the scheduler.

    /// A server from its start on.
    final class Run: @unchecked Sendable {
        let life: LifeID
        /// `nil` until it serves.
        var server: Server?
        var isStopping = false
        /// Waits for another owner of the file; ends with the server.
        var watch: Task<Void, Never>?

        init(life: LifeID) { self.life = life }
    }

    /// A server that something may hold after its end.
    private struct Ended {
        let life: LifeID
        weak var server: Server?
    }

    static let path = "/data/rangers.db"
    private static let adminKey = "a-long-admin-key-for-tests-1234"
    /// How long a supervisor waits before it starts a server again that could not.
    private static let restartWait: Int64 = 1000
    /// How long a server may do what it does after its end, in milliseconds.
    private static let exitWait: Int64 = 50

    private unowned let world: World
    private let scheduler: Scheduler
    let clock: MachineClock
    /// Those that have not ended, the newest last.
    private(set) var runs: [Run] = []
    private var stopped: [Ended] = []
    private(set) var deaths = 0
    private(set) var powerLosses = 0
    private(set) var starts = 0
    /// Told when a server could not start.
    var onFailedStart: (() -> Void)?

    init(_ world: World) {
        self.world = world
        scheduler = world.scheduler
        clock = MachineClock(world.scheduler)
    }

    /// Who answers requests; `nil`: nobody does now.
    var serving: (life: LifeID, server: Server)? {
        for run in runs.reversed() where !scheduler.isDead(run.life) {
            if let server = run.server { return (run.life, server) }
        }
        return nil
    }

    /// The life of the newest server that runs, serving or not.
    package var life: LifeID? { runs.last?.life }

    package static var ownerKey: String { adminKey }

    // MARK: - Start

    /// Starts a server, again and again until one serves. Returns when it does, or when it was
    /// killed.
    func start() async {
        while true {
            let run = Run(life: scheduler.newLife())
            runs.append(run)
            starts += 1
            world.see(.starting(run.life))
            let opening = await scheduler.call(run.life, there: 0, back: 0) { [self] in
                await open(run)
            }
            guard let opening else { return }
            guard let failure = opening.failure else {
                world.see(.started(run.life, failure: nil))
                return
            }
            world.see(.started(run.life, failure: failure))
            end(run)
            onFailedStart?()
            await scheduler.wait(until: scheduler.now + Self.restartWait)
        }
    }

    private struct Opening: Sendable {
        var failure: String?
    }

    private func open(_ run: Run) async -> Opening {
        do {
            let server = try await makeServer(in: run.life)
            guard !scheduler.isDead(run.life) else {
                // Killed while it started, and so buried before it was there.
                await server.drain()
                return Opening()
            }
            run.server = server
            stopped.append(Ended(life: run.life, server: server))
            scheduler.onBurial(of: run.life) {
                run.watch?.cancel()
                await server.drain()
            }
            // `stop` cancels it, and so does the burial.
            run.watch = Task { [self] in
                await server.untilReplaced()
                guard !run.isStopping, !Task.isCancelled else { return }
                run.isStopping = true
                await server.drain()
                scheduler.after(Self.exitWait, as: 0) { [self] in exit(run) }
            }
            return Opening()
        } catch {
            return Opening(failure: "\(error)")
        }
    }

    private func makeServer(in life: LifeID) async throws -> Server {
        let clock = clock.ofServer()
        let log = Log(level: .debug, now: clock.now) { [world] line in
            world.see(.logged(life, line))
        }
        let (damaged, metrics) = (DamagedParties(), Metrics())
        let store = try await SQLiteStore.open(
            path: Self.path, ballastBytes: world.plan.ballast, checking: .always,
            disk: world.disk.disk,
            onEvent: { event in
                log.note(event)
                damaged.note(event)
                metrics.note(event)
            }, sleep: storeSleep(in: scheduler))
        if scheduler.isDead(life) {
            await store.close()
            throw CancellationError()
        }
        // Until the server is there, which closes it.
        scheduler.onBurial(of: life) { await store.close() }
        var configuration = APNsClient.Configuration(
            host: "localhost", keyID: SimulatedApple.keyID, teamID: SimulatedApple.teamID,
            privateKeyPEM: SimulatedApple.key)
        let client = try APNsClient(
            configuration, dependencies: clientDependencies(), transport: world.apple.link(of: life)
        )
        configuration.identity = .shared(client.providerTokens)
        let channels: BroadcastChannels? =
            world.plan.channels == true
            ? try BroadcastChannels(
                bundleID: SimulatedApple.bundleID, hosts: .sandbox, configuration,
                dependencies: clientDependencies()
            ) { [world] _ in world.apple.link(of: life) } : nil
        let dependencies = Dependencies(
            store: store, clock: clock, adventureSeed: { RandomSource().next() },
            sender: client, channels: channels, log: log, metrics: metrics, damagedParties: damaged,
            front: .none,
            sabotage: world.plan.sabotage)
        return try await Server(settings, dependencies)
    }

    private func clientDependencies() -> APNsClient.Dependencies {
        let (clock, scheduler) = (clock, scheduler)
        return APNsClient.Dependencies(
            wall: { clock.wall }, steady: { clock.sinceBoot },
            dice: { RandomSource.fraction() },
            wait: { milliseconds, body in
                scheduler.after(clock.wait(Int64(milliseconds)), body)
            })
    }

    private var settings: Server.Settings {
        var settings = Server.Settings(
            adminKey: Secret(Self.adminKey), bundleID: SimulatedApple.bundleID)
        settings.shards.loops = world.plan.loops
        settings.millisecondsPerSecond = world.plan.speed
        if world.plan.rates == .high {
            for limit in Limit.allCases where limit != .messages {
                settings.rates[limit] = Rate("1000000/s") ?? settings.rates[limit]
            }
        }
        return settings
    }

    /// The lives that have ended, and whose server something still holds: a task of it, most likely.
    var held: [LifeID] {
        let running = Set(runs.map(\.life))
        return stopped.filter { $0.server != nil && !running.contains($0.life) }.map(\.life)
    }

    // MARK: - End

    /// Tells the server that serves to stop, and returns when its process has ended.
    func stop() async {
        guard let run = runs.last, let server = run.server, !run.isStopping else { return }
        run.isStopping = true
        let isDone: Bool? = await scheduler.call(
            run.life, there: clock.wait(0), back: Self.exitWait
        ) {
            run.watch?.cancel()
            await server.drain()
            return true
        }
        if isDone == true { exit(run) }
    }

    /// A server's process ends by itself.
    private func exit(_ run: Run) {
        guard !scheduler.isDead(run.life) else { return }
        world.see(.drained(run.life))
        end(run)
    }

    /// Kills all servers that run: with the machine's power, or alone.
    func die(_ power: Death.Power) {
        for run in runs {
            end(run)
            deaths += 1
            world.see(.died(run.life, powerLost: power == .lost))
        }
        if power == .lost {
            powerLosses += 1
            clock.boot()
        }
    }

    private func end(_ run: Run) {
        scheduler.kill(run.life)
        runs.removeAll { $0 === run }
    }
}

/// A store's sleep in virtual time.
private func storeSleep(in scheduler: Scheduler) -> StoreSleep {
    { duration in
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        await scheduler.wait(until: scheduler.now + milliseconds)
        try Task.checkCancellation()
    }
}
