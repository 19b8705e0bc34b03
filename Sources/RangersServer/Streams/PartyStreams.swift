internal import GameLogic
internal import HTTPServer
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// All open streams: opens them, wakes those of parties that have changed, and closes them.
///
/// A shard only notes that a party with streams has changed (`PartySnapshots.publish`). `run` then
/// hands the party's snapshot to its streams and wakes them; the HTTP server's threads write the
/// text. A stream has no thread and no task.
final class PartyStreams: Sendable {
    /// The most open streams of a player.
    static let playerMax = 8
    /// How often a silent stream gets a heartbeat, in seconds: below the idle timeouts of proxies,
    /// and soon enough to notice a client that has gone.
    static let heartbeatSeconds = 15
    /// The most pages of older events that are read before streams get what is new, and before more
    /// are read.
    static let pagesAtOnce = 16
    /// How long `run` sleeps without streams, in seconds; the first one wakes it.
    private static let idleSeconds: Int64 = 3600

    private struct State {
        var streams: [Int: PartyStream] = [:]
        var places: NetworkPlaces<Int>
        /// The numbers of each party's streams.
        var ofParty: [PartyID: Set<Int>] = [:]
        var ofPlayer: [PlayerID: Int] = [:]
        /// Streams that need older events, with the number after which.
        var reads = NetworkTurns<(stream: Int, after: Int)>()
        var nextNumber = 0
        /// The second up to which heartbeats were sent.
        var beatenSecond: Int64 = 0
        var isStopping = false

        mutating func add(_ stream: PartyStream) {
            streams[stream.number] = stream
            ofParty[stream.party, default: []].insert(stream.number)
            ofPlayer[stream.player, default: 0] += 1
        }

        mutating func remove(_ number: Int) -> PartyStream? {
            guard let stream = streams.removeValue(forKey: number) else { return nil }
            places.release(number)
            ofParty[stream.party]?.remove(number)
            if ofParty[stream.party]?.isEmpty == true { ofParty[stream.party] = nil }
            let others = ofPlayer[stream.player, default: 1] - 1
            ofPlayer[stream.player] = others > 0 ? others : nil
            return stream
        }
    }

    /// Every party that is being read; those with streams wake `run`.
    let snapshots: PartySnapshots
    private let sleeper: Sleeper
    private let metrics: Metrics
    private let state: Locked<State>

    init(
        _ http: HTTPServer.Settings, _ dependencies: Dependencies, hiding names: HiddenNames,
        telling news: PartyNews
    ) {
        sleeper = Sleeper(dependencies.clock)
        snapshots = PartySnapshots(hiding: names, waking: sleeper, telling: news)
        state = Locked(State(places: NetworkPlaces(limit: http.streamsMax)))
        metrics = dependencies.metrics
    }

    // MARK: Opening and closing

    /// Opens a stream after an event's number. Nothing is written before `offer`. When all places
    /// are taken, it may get that of another network's stream, which is cut.
    ///
    /// Its place counts from now on, until the response is over or `remove`. From now on, changes of
    /// the party reach it too.
    func open(
        _ party: PartyID, for player: PlayerID, at address: ClientAddress, with token: [UInt8],
        in language: Language, of game: Game, after position: Int?
    ) throws(Problem) -> PartyStream {
        let feed = PartyFeed(
            of: player, in: language, words: game.words, names: game.names, after: position)
        let counted = game.limits.counted(address)
        let result = state.withLock { state -> Result<(PartyStream, PartyStream?), Problem> in
            let full = Problem.tooManyStreams(limit: state.places.limit)
            guard !state.isStopping else { return .failure(full) }
            guard state.ofPlayer[player, default: 0] < Self.playerMax else {
                return .failure(.tooManyOwnStreams)
            }
            let number = state.nextNumber
            var displaced: PartyStream?
            switch state.places.take(number, from: counted) {
            case .free: break
            case .insteadOf(let other): displaced = state.remove(other)
            case .none: return .failure(full)
            }
            state.nextNumber += 1
            let response = ResponseStream { [weak self] in
                feed.next { self?.read(number, after: $0) }
            } closed: { [weak self] in
                self?.remove(number)
            }
            let stream = PartyStream(
                number: number, party: party, player: player, network: address.widestNetwork,
                token: token, feed: feed, response: response)
            state.add(stream)
            return .success((stream, displaced))
        }
        let (stream, displaced) = try result.get()
        snapshots.watch(party)
        metrics.add(.streams)
        sleeper.wake()
        if let displaced {
            forget(displaced)
            metrics.add(.streamsDisplaced)
            displaced.response.cut()
        }
        return stream
    }

    /// Releases a stream's place. Again changes nothing.
    func remove(_ number: Int) {
        guard let stream = state.withLock({ $0.remove(number) }) else { return }
        forget(stream)
    }

    private func forget(_ stream: PartyStream) {
        snapshots.unwatch(stream.party)
        metrics.add(.streams, -1)
    }

    /// The SHA-256 of the tokens that have opened streams.
    var tokens: Set<[UInt8]> { state.withLock { Set($0.streams.values.map(\.token)) } }

    /// Closes the streams that these tokens have opened, because they are no longer valid.
    func close(tokens: Set<[UInt8]>) {
        guard !tokens.isEmpty else { return }
        let streams = state.withLock { state in
            state.streams.values.filter { tokens.contains($0.token) }
        }
        for stream in streams { stream.close(.token) }
    }

    /// Closes the streams of parties in these shards, which another node has now: a client that
    /// opens its stream again gets there.
    func close(shards: Set<Int>) {
        let streams = state.withLock { state in
            state.streams.values.filter { shards.contains(Shards.shard(of: $0.party)) }
        }
        for stream in streams { stream.close(.unavailable) }
    }

    // MARK: Running

    /// Runs until `stop`.
    func run(in game: Game) async {
        while !state.withLock({ $0.isStopping }) {
            for party in snapshots.takeChanged() { await handOver(party, game) }
            await readPages(game)
            let now = game.now
            beat(at: now, game.sightings)
            guard state.withLock({ $0.reads.isEmpty }) else { continue }
            await sleeper.sleep(until: nextBeat(after: now))
        }
    }

    func stop() {
        state.withLock { $0.isStopping = true }
        sleeper.wake()
    }

    private func streams(of party: PartyID) -> [PartyStream] {
        state.withLock { state in
            (state.ofParty[party] ?? []).compactMap { state.streams[$0] }
        }
    }

    /// Hands a party's newest snapshot to its streams.
    private func handOver(_ party: PartyID, _ game: Game) async {
        let streams = streams(of: party)
        guard !streams.isEmpty else { return }
        do {
            let snapshot = try await game.snapshot(of: party)
            for stream in streams where stream.offer(snapshot) == .cut { metrics.add(.streamsCut) }
        } catch {
            game.dependencies.log.warning(
                "cannot read a party for its streams", ["party": "\(party)", "error": "\(error)"])
            for stream in streams { stream.close(.unavailable) }
        }
    }

    // MARK: Older events

    private func read(_ number: Int, after position: Int) {
        state.withLock { state in
            guard let stream = state.streams[number] else { return }
            state.reads.append((number, position), of: stream.network)
        }
        sleeper.wake()
    }

    /// Reads a page for each of the next streams that have asked; one asks again when its client has
    /// taken it. Networks take turns, so that one whose streams all begin with the first event does not
    /// delay those of others.
    private func readPages(_ game: Game) async {
        for _ in 0..<Self.pagesAtOnce {
            guard let read = state.withLock({ $0.reads.popNext() }) else { return }
            guard let stream = state.withLock({ $0.streams[read.stream] }) else { continue }
            do {
                stream.take(
                    try await game.store.events(
                        of: stream.party, after: read.after, limit: PartySnapshot.eventsMax))
            } catch {
                stream.close(.unavailable)
            }
        }
    }

    // MARK: Heartbeats

    /// Each stream has its second in the interval, by its number, so that they do not beat at once.
    private func beat(at now: WallTime, _ sightings: PlayerSightings) {
        let interval = Int64(Self.heartbeatSeconds)
        let second = now.milliseconds / 1000
        let due = state.withLock { state -> [PartyStream] in
            let passed = min(second - state.beatenSecond, interval)
            state.beatenSecond = second
            guard passed > 0, !state.streams.isEmpty else { return [] }
            let slots = Set((0..<passed).map { (second - $0) % interval })
            return state.streams.values.filter { slots.contains(Int64($0.number) % interval) }
        }
        for stream in due {
            stream.beat()
            // A player who watches is present.
            sightings.note(stream.player, at: now)
        }
    }

    private func nextBeat(after now: WallTime) -> WallTime {
        guard state.withLock({ !$0.streams.isEmpty }) else {
            return now.adding(seconds: Self.idleSeconds)
        }
        return now.adding(milliseconds: 1000 - now.milliseconds % 1000)
    }
}

extension Problem {
    fileprivate static let tooManyOwnStreams = Problem.tooManyRequests(
        "A player can have at most \(PartyStreams.playerMax) open streams: close one first.",
        retryAfterSeconds: PartyStreams.heartbeatSeconds)

    fileprivate static func tooManyStreams(limit: Int) -> Problem {
        .unavailable("The server has reached its limit of \(limit) open streams: try again soon.")
    }
}
