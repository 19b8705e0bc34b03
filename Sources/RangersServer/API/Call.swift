internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// A request's caller, and what a handler needs to respond.
struct Call: Sendable {
    enum Caller: Hashable, Sendable {
        case nobody
        case player(DeviceRecord.Key)
        case gameMaster(GameMaster)
    }

    let caller: Caller
    let game: Game
    /// The `Idempotency-Key` of a request that its player may repeat.
    var key: RequestKey?
    /// The audit of a game master's call.
    var audit: CallAudit?
    /// What let a game master's call in.
    var admission: Admission?

    /// The calling player. Routes with `.player` always have one.
    var player: PlayerID {
        get throws(Problem) { try device.player }
    }

    /// The calling device, to which the bearer token belongs.
    var device: DeviceRecord.Key {
        get throws(Problem) {
            guard case .player(let device) = caller else { throw Problem.unauthorized }
            return device
        }
    }
}

/// What the endpoints work with.
struct Game: Sendable {
    let shards: Shards
    /// Parties as readers see them.
    let snapshots: PartySnapshots
    let streams: PartyStreams
    /// The open browser phones.
    let pages: PageStreams
    let consoles: ConsoleStreams
    let sightings: PlayerSightings
    let jobs: JobRunner
    let world: WorldBossWatch
    /// Which names are hidden from whom.
    let names: HiddenNames
    /// Which names new heroes may not have.
    let nameRules: NameRules
    let players: KnownPlayers
    let deletion: AccountDeletion
    /// The game masters who have signed in to the console.
    let sessions: Sessions
    /// Who of the callers is a game master.
    let doorkeeper: Doorkeeper
    let dependencies: Dependencies
    let epoch: Epoch
    let words: Words
    /// What parties can play.
    let packs: PackCatalog
    let settings: Server.Settings
    /// What `/readyz` waits for.
    let readiness: Readiness
    /// How often clients may do what.
    let limits: RequestLimits
    /// Which players have a token that APNs has accepted.
    let newTokens: NewTokens
    let channelRoom: ChannelRoom
    /// `nil`: no other node has anything of this game.
    let redirects: Redirects?
    /// What consoles show of other nodes.
    let reports: ConsoleReports

    /// Stories told again, for the console.
    let moments = MomentReader()

    /// How all cards are doing.
    let survey = CardSurvey()

    /// The first heroes of all.
    let tops = WorldTops()

    /// Dry runs of cohorts.
    let plans = CohortPlans()

    /// Reads of game masters that the audit log has already.
    let repeatedReads = RepeatedReads()

    /// How many streams the doctor has open.
    let streamChecks = StreamChecks()

    /// Requests with the same `Idempotency-Key`, one after the other.
    let turns = RequestTurns()

    var store: any Store { dependencies.store }
    var now: WallTime { dependencies.clock.now() }
    /// What the wall clock shows.
    var wallNow: WallTime { dependencies.clock.wall(at: now) }

    /// Returns what the wall clock shows at a time of the server: what responses have.
    func wall(at time: WallTime?) -> WallTime? { time.map { dependencies.clock.wall(at: $0) } }
}

/// Lookups that several endpoints share.
extension Call {
    /// Passes the request on, unless this node does what belongs to no party.
    func requireLeader() throws(ShardError) {
        guard game.shards.map.leads else { throw .notTheLeader }
    }

    /// The names of heroes as the caller sees them.
    var names: NameView {
        guard case .player(let device) = caller else { return game.names.view(of: nil) }
        return game.names.view(of: device.player)
    }

    /// The names of a party's heroes as the caller sees them.
    private func names(in snapshot: PartySnapshot) -> NameView {
        snapshot.mayHideNames ? names : .own
    }

    /// Returns a hero of the caller. Another player's hero gets the response of an unknown one
    /// (PR15).
    func ownHero(_ id: HeroID) async throws -> Hero {
        guard let hero = try await game.store.hero(id), hero.owner == (try player) else {
            throw Problem.noSuch(hero: id)
        }
        return hero
    }

    /// How often a request follows a hero whom others change meanwhile.
    static var heroTriesMax: Int { 3 }

    /// Lets a hero of the caller join a party. Reads it again if another request has changed it
    /// meanwhile, so that the party has it as it is.
    func admit<Answer>(
        _ hero: Hero, joining: (Hero) async throws -> Answer
    ) async throws -> Answer {
        var hero = hero
        for _ in 1..<Self.heroTriesMax {
            do {
                return try await joining(hero)
            } catch StoreError.staleHero {
                hero = try await ownHero(hero.id)
            }
        }
        return try await joining(hero)
    }

    /// Refuses a party in which the caller has no hero, like an unknown one.
    func requireMembership(of party: PartyID) async throws {
        let player = try player
        guard try await game.snapshot(of: party).hasMember(of: player) else {
            throw Problem.noSuch(party: party)
        }
    }

    /// Returns what the caller may see of a party: as a member all of it, as a former member how its
    /// adventure ended.
    func visibleParty(
        _ party: PartyID, _ request: Request, after: Int? = nil
    ) async throws -> Response {
        let player = try player
        let snapshot = try await game.snapshot(of: party)
        if snapshot.hasMember(of: player) {
            return try await partyResponse(party, request, after: after)
        }
        guard snapshot.stored.former.seesOutcome(player) else {
            throw Problem.noSuch(party: party)
        }
        let view = PartyView(
            stored: snapshot.stored, wallOffsets: snapshot.wallOffsets, names: names,
            words: game.words, language: request.language)
        return .json(view.jsonForFormerMembers())
    }

    /// Returns the last committed party in the client's language, with its events after a number or
    /// its newest ones.
    func partyResponse(
        _ party: PartyID, _ request: Request, after: Int? = nil, status: Int = 200
    ) async throws -> Response {
        let snapshot = try await game.snapshot(of: party)
        let language = request.language
        var names = names(in: snapshot)
        guard let after else {
            var response = Response(
                snapshot.response(in: language, words: game.words, names: names))
            if status != 200 { response.status = status }
            return response
        }
        let body = snapshot.body(after: after, in: language, words: game.words, names: names)
        if let body { return snapshot.tagged(body, in: language, names: names, status: status) }
        let events = try await game.store.events(
            of: party, after: after, limit: PartySnapshot.eventsMax)
        // The snapshot says nothing of older events: they may have heroes who have left.
        names = self.names
        let view = PartyView(
            stored: snapshot.stored, firstKeptEvent: snapshot.firstKeptEvent,
            wallOffsets: snapshot.wallOffsets, names: names, words: game.words,
            language: language)
        var lines = EventLines()
        lines.append(events[...], as: view)
        return snapshot.tagged(
            view.json(events: lines.json(after: 0)), in: language, names: names, status: status)
    }
}

extension Game {
    /// How often a party that changes while it is being read is read again.
    private static let readsMax = 5

    /// Returns the party as last committed, or newer.
    func snapshot(of party: PartyID) async throws -> PartySnapshot {
        try shards.requireHere(party)
        if let snapshot = snapshots.current(party) { return snapshot }
        for _ in 0..<Self.readsMax {
            snapshots.mark(party)
            do {
                let snapshot = try await read(party)
                if snapshots.offer(snapshot) { return snapshot }
            } catch {
                snapshots.forget(party)
                throw error
            }
        }
        throw StoreError.unavailable("party \(party) changes faster than it can be read")
    }

    private func read(_ party: PartyID) async throws -> PartySnapshot {
        guard let stored = try await store.party(party) else {
            throw ShardError.unknownParty(party)
        }
        let next = stored.party.nextSequence
        let firstKept = try await store.firstKeptEvent(of: party)
        let events = try await store.events(
            of: party, after: max(0, next - 1 - PartySnapshot.eventsMax),
            limit: PartySnapshot.eventsMax)
        // A newer commit may have added some meanwhile.
        let known = events.filter { $0.event.sequence < next }
        return PartySnapshot(
            stored, firstKeptEvent: firstKept, events: known,
            wallOffsets: dependencies.clock.wallOffsets,
            mayHideNames: names.inForce?.concern(stored.party, known.map(\.event)) ?? false)
    }
}

extension Request {
    /// Returns the value of one of the route's `{…}` parts.
    func parameter(_ name: String) throws(Problem) -> String {
        guard let value = parameters[name] else {
            throw Problem.notFound("The path has no \(name).")
        }
        return value
    }

    /// Returns a whole number from the query, if present.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.badRequest(
                "The query's \"\(name)\" must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return number
    }

    /// The first language of `Accept-Language` that the catalog has, or English.
    var language: Language { Language(accepting: headers["accept-language"]) }
}

extension Language {
    /// Selects the first language of an `Accept-Language` header that the catalog has, or English.
    init(accepting header: String?) {
        guard let header else {
            self = .english
            return
        }
        let wanted = header.split(separator: ",").lazy.map { entry in
            entry.drop { $0 == " " }.prefix { $0.isLetter || $0 == "-" }
        }
        self = wanted.compactMap { Language(tag: $0) }.first ?? .english
    }
}
