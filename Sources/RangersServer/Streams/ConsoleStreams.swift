internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// The event streams of consoles: opens them, tells them what has changed, and closes them.
///
/// Shards leave their news in `PartyNews`. `run` takes them at most ten times a second, writes the
/// text of each changed party once for all streams, and wakes those that wait. The HTTP server's
/// threads copy it from `ConsoleBoard`. So neither a console nor a slow client reaches a shard.
final class ConsoleStreams: Sendable {
    /// The most open streams of this server, and those of one key or session.
    static let streamsMax = 64
    static let openerMax = 4
    /// The least time between two rounds, in milliseconds.
    static let roundMilliseconds: Int64 = 100
    /// How long a wall or a party is kept up to date that nobody watches any more, in seconds.
    static let lingerSeconds: Int64 = 30
    /// When a refused client may try again, in seconds.
    static let retrySeconds = 5
    private static let secondMilliseconds: Int64 = 1000
    private static let idleSeconds: Int64 = 3600

    private struct State {
        var board: ConsoleBoard
        var responses: [Int: ResponseStream] = [:]
        /// What journals have told since the last round.
        var read: [ConsoleDesk.Reading] = []
        var isStopping = false
        /// This node's, and those of the others, by epoch.
        var rates = ConsoleRates()
        var ratesOfOthers: [Int64: ConsoleRates] = [:]
    }

    let news: PartyNews
    private let sleeper: Sleeper
    private let clock: ServerClock
    private let metrics: Metrics
    private let state: Locked<State>

    init(_ dependencies: Dependencies, epoch: Epoch) {
        let clock = dependencies.clock
        self.clock = clock
        metrics = dependencies.metrics
        sleeper = Sleeper(clock)
        news = PartyNews(waking: sleeper)
        state = Locked(
            State(
                board: ConsoleBoard(epoch: epoch.number, at: clock.now()) { clock.wallOffset }))
    }

    // MARK: Opening and closing

    /// Opens a stream after the number that its client knows. Its place counts from now on, until
    /// the response is over or `remove`.
    func open(
        _ watch: ConsoleListener.Watch, by opener: ConsoleListener.Opener, after known: Int64?
    ) throws(Problem) -> (number: Int, response: ResponseStream) {
        let opened = state.withLock { state -> Result<(Int, ResponseStream), Problem> in
            let listeners = state.board.listeners
            guard !state.isStopping, listeners.count < Self.streamsMax else {
                return .failure(.tooManyConsoles)
            }
            guard listeners.values.count(where: { $0.opener == opener }) < Self.openerMax else {
                return .failure(.tooManyOwnConsoles)
            }
            let number = state.board.open(watch, by: opener, after: known, at: clock.now())
            let response = ResponseStream { [weak self] in
                self?.next(number) ?? .end
            } closed: { [weak self] in
                self?.remove(number)
            }
            state.responses[number] = response
            // Before anything is read: no change may fall between.
            news.set(state.board.interest)
            return .success((number, response))
        }
        let stream = try opened.get()
        metrics.add(.consoleStreams)
        sleeper.wake()
        return stream
    }

    /// Releases a stream's place. Again changes nothing.
    func remove(_ number: Int) {
        let wasOpen = state.withLock { state in
            state.responses[number] = nil
            return state.board.remove(number) != nil
        }
        if wasOpen { metrics.add(.consoleStreams, -1) }
    }

    /// Closes the streams of a session or a key that is no longer valid.
    func close(_ opener: ConsoleListener.Opener) {
        wake(state.withLock { $0.board.close(opener, .session) })
    }

    /// Closes the streams of sessions that have ended, whatever has ended them.
    private func endClosedSessions(_ sessions: Sessions) {
        let openers = state.withLock { Set($0.board.listeners.values.map(\.opener)) }
        for case .session(let id) in openers where !sessions.isInUse(id) { close(.session(id)) }
    }

    /// Closes the streams of keys that another node has revoked.
    func closeRevoked(_ store: any Store) async throws(StoreError) {
        let openers = state.withLock { Set($0.board.listeners.values.map(\.opener)) }
        let keys = Set(try await store.adminKeys())
        for case .key(let key?) in openers where !keys.contains(key) { close(.key(key)) }
    }

    /// Ends the streams of watched parties that another node has by now.
    private func endMoved(from shards: Shards) {
        for party in state.withLock({ $0.board.interest.parties }) where !shards.map.isHere(party) {
            wake(state.withLock { $0.board.close(watchersOf: party, .unavailable) })
        }
    }

    private func next(_ number: Int) -> ResponseStream.Step {
        state.withLock { $0.board.next(number) }
    }

    private func wake(_ numbers: [Int]) {
        guard !numbers.isEmpty else { return }
        for response in state.withLock({ state in numbers.compactMap { state.responses[$0] } }) {
            response.wake()
        }
    }

    // MARK: Running

    /// Runs until `stop`.
    func run(in game: Game) async {
        await withDiscardingTaskGroup { readers in
            var desk = ConsoleDesk(game)
            var roundAt = WallTime(milliseconds: 0)
            var secondAt = roundAt
            while !state.withLock({ $0.isStopping }) {
                let now = game.now
                guard !state.withLock({ $0.board.isIdle }) else {
                    desk.forgetWall()
                    _ = desk.unread([], at: now)
                    await sleeper.sleep(until: now.adding(seconds: Self.idleSeconds))
                    continue
                }
                let watched = state.withLock { $0.board.interest.parties }
                for reading in desk.unread(watched, at: now) {
                    readers.addTask { await self.read(reading, in: game) }
                }
                if case .loading = state.withLock({ $0.board.wall.stage }) {
                    await load(&desk, game)
                } else if roundAt.adding(milliseconds: Self.roundMilliseconds) <= now, hasWork {
                    tell(&desk, at: now)
                    roundAt = now
                }
                if secondAt.adding(milliseconds: Self.secondMilliseconds) <= now {
                    endClosedSessions(game.sessions)
                    endMoved(from: game.shards)
                    tick(&desk, await game.shards.frozenParties(), at: now)
                    secondAt = now
                    if parts != nil { game.reports.wakeIfIdle() }
                }
                let second = secondAt.adding(milliseconds: Self.secondMilliseconds)
                let round = roundAt.adding(milliseconds: Self.roundMilliseconds)
                await sleeper.sleep(until: hasWork ? min(round, second) : second)
            }
        }
    }

    private var hasWork: Bool { news.hasMail || state.withLock { !$0.read.isEmpty } }

    /// Reads the journal of a watched party, for the next round. When the file cannot be read, the
    /// party's streams end: they could show nothing true of its cards.
    private func read(_ reading: ConsoleDesk.Reading, in game: Game) async {
        var reading = reading
        let party = reading.party
        do {
            reading.told = try await game.moments.run { try await $0.cards(of: party, in: game) }
        } catch let error as StoreError {
            if error.endsStreams {
                wake(state.withLock { $0.board.close(watchersOf: party, .unavailable) })
            }
        } catch {
            // A frozen party, too many readers, or a journal that is too long or folded meanwhile.
            game.dependencies.log.debug(
                "cannot tell the cards of a watched party",
                ["party": party.rawValue, "error": "\(error)"])
        }
        state.withLock { [reading] in $0.read.append(reading) }
        sleeper.wake()
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        sleeper.wake()
    }

    /// Reads all parties in memory, a few at a time. What changes meanwhile comes as news.
    private func load(_ desk: inout ConsoleDesk, _ game: Game) async {
        desk.forgetWall()
        for loop in game.shards.all {
            for parties in await loop.partiesInMemory {
                await loop.tell(parties)
                tell(&desk, at: game.now)
            }
        }
        tell(&desk, at: game.now)
        state.withLock { $0.board.wallIsComplete() }
    }

    private func tell(_ desk: inout ConsoleDesk, at now: WallTime) {
        let (interest, read) = state.withLock { state in
            defer { state.read = [] }
            return (state.board.interest, state.read)
        }
        let round = desk.round(news.take(), interest, read: read, at: now)
        wake(state.withLock { $0.board.take(round, at: now) })
    }

    private func tick(_ desk: inout ConsoleDesk, _ frozen: [FrozenParty], at now: WallTime) {
        let isWallComplete = state.withLock { state in
            if case .complete = state.board.wall.stage { true } else { false }
        }
        let round = desk.second(isWallComplete ? frozen : nil, at: now)
        let rates = desk.rates(at: now, withWall: isWallComplete)
        let second = now.milliseconds / Self.secondMilliseconds
        let beat = Int64(PartyStreams.heartbeatSeconds)
        let woken = state.withLock { state in
            var woken = state.board.take(round, at: now)
            state.rates = rates
            let all = state.ratesOfOthers.values.reduce(rates, +).json
            woken += state.board.tick(all, at: now, lingerSeconds: Self.lingerSeconds) {
                (Int64($0) + second) % beat == 0
            }
            news.set(state.board.interest)
            return woken
        }
        wake(woken)
    }
}

// MARK: - The walls of other nodes

extension ConsoleStreams {
    /// What consoles here look at of other nodes, beside the sums of each second; `nil`: nothing.
    var parts: NodeWatch.Parts? {
        state.withLock { state in
            let watches = state.board.listeners.values.map(\.watch).filter(\.hasSums)
            guard !watches.isEmpty else { return nil }
            return watches.contains(where: \.hasWall) ? .wall : []
        }
    }

    /// Whether this node's wall is complete and watched: those of others may be added.
    var takesWalls: Bool {
        state.withLock { state in
            guard case .complete = state.board.wall.stage else { return false }
            return state.board.listeners.values.contains(where: \.watch.hasWall)
        }
    }

    /// Returns what other nodes lack of this node's wall, and keeps the wall for them. `nil`: it is
    /// being read.
    func part(since number: Int64?) -> WallPart? {
        let part = state.withLock { state in
            var part = state.board.part(since: number, at: clock.now())
            part?.sums = state.rates.wall
            news.set(state.board.interest)
            return part
        }
        sleeper.wake()
        return part
    }

    /// Takes over what has changed on the walls of other nodes, and the sums of each.
    func take(
        _ parts: [(node: Int64, part: WallPart)], rates: [Int64: ConsoleRates], living: Set<Int64>
    ) {
        let woken = state.withLock { state in
            state.ratesOfOthers = rates
            return state.board.take(parts, living: living, at: clock.now())
        }
        wake(woken)
    }
}

extension Problem {
    fileprivate static let tooManyConsoles = Problem(
        status: 503, title: "Service unavailable",
        detail: "The server has reached its limit of \(ConsoleStreams.streamsMax) consoles' "
            + "streams: try again soon.", retryAfterSeconds: ConsoleStreams.retrySeconds)

    fileprivate static let tooManyOwnConsoles = Problem(
        status: 503, title: "Service unavailable",
        detail: "A key or a session can have at most \(ConsoleStreams.openerMax) open streams: "
            + "close one first.", retryAfterSeconds: ConsoleStreams.retrySeconds)
}

extension StoreError {
    /// Whether nothing can be read: a damaged party is frozen, and its streams go on.
    fileprivate var endsStreams: Bool {
        switch self {
        case .corrupt: false
        case .unavailable, .broken, .closed: true
        case .notTheOwner, .elsewhere, .staleVersion, .staleDevice, .staleLetters, .staleHero,
            .heroIsTaken, .tokenIsTaken, .tooManyParties, .tooManyHeroes, .account, .rule,
            .requestIsKept,
            .isBlocked, .meetsBlockedPlayer, .exists:
            false
        }
    }
}
