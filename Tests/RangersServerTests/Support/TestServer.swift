import Foundation
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Secrets
import Simulation
import Testing

/// A whole server under a virtual clock, over a real SQLite file, with Apple as a list. Tests
/// enter by the front door.
struct TestServer {
    static let adminKey = "a-long-admin-key-for-tests-1234"
    static let bundleID = "com.example.apple-samplecode.Emoji-Rangers"

    let server: Server
    let clock: VirtualClock
    let apns: FakeAPNs
    let logged: Locked<String>
    let file: String
    let metrics = Metrics()
    /// nginx in front of it and others; `nil`: there is none.
    let proxy: FakeProxy?
    /// The tasks that sleep when there is no work, where no simulation knows that: the shards' loops,
    /// the journal's retention, the clean-up, the runner of jobs, the watches over the world boss and
    /// the clock, the service of widgets, the streams, those of consoles, the sessions of game masters,
    /// the sweeper of channels, the watch for followers of the world boss, the reader of the list of
    /// names, and the heartbeats of pages.
    private let sleepers: Int

    init(
        file: String = TestServer.freshFile(), clock: VirtualClock = VirtualClock(),
        apns: FakeAPNs = FakeAPNs(), seed: UInt64 = 7,
        nextSeed: (@Sendable () -> UInt64)? = nil, speed: Int64 = 60_000,
        usualPack: String = "classic", loops: Int = 1,
        pushEnvironment: PushEnvironment? = nil, sandboxAPNs: FakeAPNs? = nil,
        startLimits: PushToStartGuard.Limits = .standard,
        channels: FakeChannels? = nil, blockedNames: String? = nil, streamsMax: Int = 5000,
        pagesMax: Int = 0, firstHeroesMax: Int = 100, unusedAccountDays: Int = 30,
        orphans: ChannelSweep.Orphans = .keep, rates: RateSettings = TestServer.patientRates,
        checking rows: SQLiteStore.RowChecking = .ofLargeFiles,
        adminHTTP: HTTPServer.Settings? = nil, publicURL: PublicURL? = nil,
        ownerKey: String = TestServer.adminKey,
        database: PostgreSQLAddress? = nil, node: NodePlace? = nil, proxy: FakeProxy? = nil,
        wrapping wrap: @Sendable (SQLiteStore) -> any Store = { $0 }
    ) async throws {
        (self.file, self.clock) = (file, clock)
        (self.apns, self.proxy) = (apns, proxy)
        sleepers =
            loops + 9 + (channels == nil ? 0 : 2) + (blockedNames == nil ? 0 : 1)
            + (pagesMax == 0 ? 0 : 1) + (node == nil ? 0 : 3)
        let logged = Locked("")
        self.logged = logged
        let log = Log(level: .debug, now: { clock.now }) { line in
            logged.withLock { $0 += String(decoding: line, as: UTF8.self) }
        }
        let damaged = DamagedParties()
        let store = try await Self.store(in: database, or: wrap, file: file, checking: rows) {
            [metrics] event in
            log.note(event)
            damaged.note(event)
            metrics.note(event)
        }
        let environment = Dependencies(
            store: store, clock: clock.serverClock, adventureSeed: nextSeed ?? { seed },
            sender: apns, sandboxSender: sandboxAPNs, channels: channels, log: log,
            metrics: metrics, damagedParties: damaged,
            front: Scheduler.ofThread == nil ? .sockets : .none)
        var settings = Server.Settings(
            adminKey: Secret(ownerKey), bundleID: Self.bundleID)
        settings.millisecondsPerSecond = speed
        settings.usualPack = usualPack
        settings.shards.loops = loops
        settings.shards.pushEnvironment = pushEnvironment
        settings.shards.startLimits = startLimits
        settings.orphanChannels = orphans
        settings.blockedNamesFile = blockedNames
        settings.http.streamsMax = streamsMax
        settings.pagesMax = pagesMax
        settings.firstHeroesMax = firstHeroesMax
        settings.unusedAccountDays = unusedAccountDays
        settings.rates = rates
        (settings.adminHTTP, settings.publicURL, settings.node) = (adminHTTP, publicURL, node)
        // A busy machine must not make a request late, nor a client slow.
        settings.http.requestTimeoutSeconds = 120
        if proxy != nil { settings.http.proxies = AddressRange.loopback }
        server = try await Server(settings, environment)
        if let node { proxy?.add(server, at: node.address) }
    }

    private static func store(
        in database: PostgreSQLAddress?, or wrap: @Sendable (SQLiteStore) -> any Store,
        file: String, checking rows: SQLiteStore.RowChecking,
        _ note: @escaping @Sendable (StoreEvent) -> Void
    ) async throws -> any Store {
        if let database { return try await PostgreSQLStore.open(database, onEvent: note) }
        return wrap(try await SQLiteStore.open(path: file, checking: rows, onEvent: note))
    }

    /// The standard rates, without those of what tests do at the speed of a virtual clock.
    static var patientRates: RateSettings {
        var rates = RateSettings()
        let often: [Limit] = [
            .requestsOfPlayer, .requestsOfAddress, .playersOfAddress, .players, .memberships,
            .adventures, .adminGuesses, .inviteGuesses, .inviteGuessesOfAddress, .pushTokens,
            .channelsOfAddress,
        ]
        for limit in often { rates[limit] = Rate("1000000/s") ?? rates[limit] }
        return rates
    }

    static func freshFile() -> String {
        NSTemporaryDirectory() + "/rangers-" + UUID().uuidString + ".db"
    }

    // MARK: The front door

    struct Answer: Sendable {
        let status: Int
        let body: Value
        let text: String
        let headers: [String: String]
    }

    func send(
        _ method: Method, _ path: String, _ body: String? = nil, as token: String? = nil,
        language: String? = nil, key: String? = nil, from address: String? = nil
    ) async -> Answer {
        let client = address.flatMap { ClientAddress($0) } ?? .loopback
        var headers: [String: String] = [:]
        if let key { headers["idempotency-key"] = key }
        if let token { headers["authorization"] = "Bearer \(token)" }
        if let language { headers["accept-language"] = language }
        let parts = path.split(separator: "?", maxSplits: 1)
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1)
            query[String(sides[0])] = sides.count == 2 ? String(sides[1]) : ""
        }
        return await send(
            Request(
                method: method, path: String(parts[0]), query: query, headers: headers,
                body: Array((body ?? "").utf8), from: client))
    }

    func send(_ request: Request) async -> Answer {
        let response =
            if let proxy {
                await proxy.response(to: request, at: server)
            } else {
                await server.respond(to: request)
            }
        let value = try? Value(json: response.body)
        let findings = ContractCheck.findings(
            in: response, body: value, to: request.method, request.path)
        #expect(findings == [], "\(request.method) \(request.path)")
        return Answer(
            status: response.status, body: value ?? .null,
            text: String(decoding: response.body, as: UTF8.self),
            headers: Dictionary(
                response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    }

    func admin(_ method: Method, _ path: String, _ body: String? = nil) async -> Answer {
        await send(method, path, body, as: Self.adminKey)
    }

    // MARK: Time

    /// No step is longer than this, in milliseconds: what nobody waits for may happen meanwhile.
    private static let stepMilliseconds: Int64 = 250

    /// Ends a party's adventure at once: by a job, because a command comes after a pause. Returns
    /// the status of the job's request.
    @discardableResult
    func end(_ party: String) async -> Int {
        let answer = await admin(
            .post, "/v1/admin/commands",
            #"{"command":{"name":"end"},"party":"\#(party)","at":\#(clock.wall.milliseconds)}"#)
        await untilAsleep()
        return answer.status
    }

    /// Waits until the server has no work before a later time.
    func untilAsleep() async {
        guard let scheduler = Scheduler.ofThread else { return await clock.untilAsleep(sleepers) }
        // Its time passes when nothing is left to do.
        await scheduler.wait(until: scheduler.now + 1)
    }

    /// Advances the clock to the next time that somebody waits for, or a little, and waits until
    /// the work of that time is done.
    func step() async {
        await untilAsleep()
        let soon = clock.now.adding(milliseconds: Self.stepMilliseconds)
        clock.advance(to: min(clock.nextSleeper ?? soon, soon))
        await untilAsleep()
    }

    /// Stops a node while its time passes: before it gives its shards away, it lets others look.
    func leave() async {
        let hasLeft = Locked(false)
        // Awaited below.
        let stopping = Task {
            await server.drain()
            hasLeft.withLock { $0 = true }
        }
        while !hasLeft.withLock({ $0 }) {
            stepLeaving()
            await Task.yield()
        }
        await stopping.value
    }

    /// Advances the clock of a node that leaves a little, unless it has something to do.
    private func stepLeaving() {
        guard clock.isAsleep(sleepers + 1) else { return }
        let soon = clock.now.adding(milliseconds: Self.stepMilliseconds)
        clock.advance(to: min(clock.nextSleeper ?? soon, soon))
    }

    /// Steps until the condition holds. Returns whether it does; only the suite's time limit ends
    /// the wait, so that a busy machine fails no test.
    func step(until condition: () async -> Bool) async -> Bool {
        while await !condition() {
            if Task.isCancelled { return false }
            await step()
        }
        return true
    }

    /// Steps until this much time has passed.
    func step(forSeconds seconds: Int64) async {
        let end = clock.now.adding(seconds: seconds)
        while clock.now < end { await step() }
    }

    /// Lets others work until the condition holds, for what no clock announces. Only the suite's
    /// time limit ends the wait.
    static func until(_ condition: () async -> Bool) async {
        while await !condition(), !Task.isCancelled { await Task.yield() }
    }
}
