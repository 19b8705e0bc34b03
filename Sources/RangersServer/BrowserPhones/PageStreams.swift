internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PushPolicy

/// The streams of all open browser phones: opens them, hands them their pushes, and closes them.
///
/// To the rest of the server an open stream is a push token, and one that has closed is a dead token:
/// policy, budget, timestamps and ledger know no difference.
final class PageStreams: Sendable {
    /// The most open pages, where they are on.
    static let pagesMax = 1000
    /// The most open pages of a player.
    static let playerMax = 8
    /// How often a page gets a heartbeat, in seconds: below the idle timeouts of proxies, and soon
    /// enough to notice one that has gone.
    static let heartbeatSeconds = 15
    /// How long `run` sleeps without pages, in seconds; the first one wakes it.
    private static let idleSeconds: Int64 = 3600

    private struct Open {
        let stream: PageStream
        let response: ResponseStream
    }

    private struct State {
        /// By the stream's own token.
        var open: [PushToken: Open] = [:]
        var places: NetworkPlaces<PushToken>
        /// The newest stream of each activity.
        var tokens: [ActivityID: PushToken] = [:]
        var ofPlayer: [PlayerID: Int] = [:]
        var isStopping = false

        mutating func remove(_ token: PushToken) -> Open? {
            guard let gone = open.removeValue(forKey: token) else { return nil }
            places.release(token)
            if tokens[gone.stream.activity] == token { tokens[gone.stream.activity] = nil }
            let others = ofPlayer[gone.stream.player, default: 1] - 1
            ofPlayer[gone.stream.player] = others > 0 ? others : nil
            return gone
        }
    }

    /// The most pages; 0: this server has no browser phones.
    private let limit: Int
    private let clock: ServerClock
    private let metrics: Metrics
    private let sleeper: Sleeper
    private let state: Locked<State>

    init(limit: Int, _ clock: ServerClock, _ metrics: Metrics) {
        self.limit = limit
        state = Locked(State(places: NetworkPlaces(limit: limit)))
        self.clock = clock
        self.metrics = metrics
        sleeper = Sleeper(clock)
    }

    convenience init(_ settings: Server.Settings, _ dependencies: Dependencies) {
        self.init(limit: settings.pagesMax, dependencies.clock, dependencies.metrics)
    }

    var areOn: Bool { limit > 0 }

    // MARK: Opening and closing

    /// Opens an activity's stream, in place of an earlier one. When all places are taken, it may get
    /// that of another network's stream, which is cut. Its place counts from now on, until the
    /// response is over or `remove`. `bearer` is the SHA-256 of the caller's bearer token, `address`
    /// the client; `nil`: a trusted one.
    func open(
        _ activity: ActivityID, of player: PlayerID, at address: ClientAddress?,
        in party: PartyID, bearer: [UInt8]
    ) throws(Problem) -> (PageStream, ResponseStream) {
        let stream = PageStream(of: activity, player, in: party, bearer: bearer, clock)
        let response = ResponseStream {
            stream.next()
        } closed: { [weak self] in
            self?.remove(stream)
        }
        let result = state.withLock { state -> Result<(Open?, Open?), Problem> in
            guard !state.isStopping else { return .failure(.tooManyPages(limit: limit)) }
            let earlier = state.tokens[activity]
            let others = state.ofPlayer[player, default: 0] - (earlier == nil ? 0 : 1)
            guard others < Self.playerMax else { return .failure(.tooManyOwnPages) }
            // Its place is free then.
            let replaced = earlier.flatMap { state.remove($0) }
            var displaced: Open?
            switch state.places.take(stream.token, from: address) {
            case .free: break
            case .insteadOf(let other): displaced = state.remove(other)
            case .none: return .failure(.tooManyPages(limit: limit))
            }
            state.open[stream.token] = Open(stream: stream, response: response)
            state.tokens[activity] = stream.token
            state.ofPlayer[player, default: 0] += 1
            return .success((replaced, displaced))
        }
        let (replaced, displaced) = try result.get()
        metrics.add(.streams)
        if let replaced {
            metrics.add(.streams, -1)
            close(replaced, .replaced)
        }
        if let displaced {
            metrics.add(.streams, -1)
            metrics.add(.streamsDisplaced)
            // The page connects again by itself.
            displaced.response.cut()
        }
        sleeper.wake()
        return (stream, response)
    }

    /// Whether the stream is the newest of its activity.
    func isOpen(_ stream: PageStream) -> Bool {
        state.withLock { $0.tokens[stream.activity] == stream.token }
    }

    /// Releases a stream's place, and reports what was on its way. Again changes nothing.
    func remove(_ stream: PageStream) {
        if state.withLock({ $0.remove(stream.token) }) != nil { metrics.add(.streams, -1) }
        stream.gone()
    }

    /// The SHA-256 of the bearer tokens that have opened streams.
    var bearers: Set<[UInt8]> { state.withLock { Set($0.open.values.map(\.stream.bearer)) } }

    /// Closes the streams that these bearer tokens have opened, because they are no longer valid.
    func close(tokens: Set<[UInt8]>) {
        guard !tokens.isEmpty else { return }
        let open = state.withLock { state in
            state.open.values.filter { tokens.contains($0.stream.bearer) }
        }
        for one in open { close(one, .token) }
    }

    /// Breaks the streams of these shards' parties off, because they have gone to another node: a
    /// page connects again by itself, and gets there.
    func breakOff(shards: Set<Int>) {
        let open = state.withLock { state in
            state.open.values.filter { shards.contains(Shards.shard(of: $0.stream.party)) }
        }
        for one in open { one.response.end() }
    }

    private func close(_ open: Open, _ end: PageProgress.End) {
        open.stream.close(end)
        open.response.wake()
    }

    // MARK: Pushes

    /// Hands a push to the page with that token. `report` is called exactly once, from any thread.
    func send(
        _ push: PagePush, to token: PushToken, report: @escaping @Sendable (PageOutcome) -> Void
    ) {
        guard let open = state.withLock({ $0.open[token] }) else { return report(.nobody) }
        open.stream.hand(push, report: report)
        open.response.wake()
    }

    // MARK: Heartbeats

    /// Runs until `stop`.
    func run() async {
        while !state.withLock({ $0.isStopping }) {
            let interval = Int64(Self.heartbeatSeconds) * 1000
            let now = clock.now()
            let isIdle = state.withLock { $0.open.isEmpty }
            await sleeper.sleep(
                until: isIdle
                    ? now.adding(seconds: Self.idleSeconds)
                    : now.adding(milliseconds: interval - now.milliseconds % interval))
            beat(since: now)
        }
    }

    private func beat(since time: WallTime) {
        let interval = Int64(Self.heartbeatSeconds) * 1000
        guard clock.now().milliseconds / interval > time.milliseconds / interval else { return }
        for open in state.withLock({ Array($0.open.values) }) {
            open.stream.beat()
            open.response.wake()
        }
    }

    /// Opens no more. The HTTP server ends the streams that are open.
    func stop() async {
        state.withLock { $0.isStopping = true }
        sleeper.wake()
    }
}

extension Problem {
    fileprivate static let tooManyOwnPages = Problem.tooManyRequests(
        "A player can have at most \(PageStreams.playerMax) open browser phones: close one first.",
        retryAfterSeconds: PageStreams.heartbeatSeconds)

    fileprivate static func tooManyPages(limit: Int) -> Problem {
        .unavailable(
            "The server has reached its limit of \(limit) browser phones: try again soon.")
    }
}
