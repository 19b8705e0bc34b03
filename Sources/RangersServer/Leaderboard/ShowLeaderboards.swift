internal import Content
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/leaderboards/{friends|world|party}` returns the boards of a season. Only friends see
/// each other's names: strangers are an avatar, a class and a level.
enum ShowLeaderboards {
    private static let path = "/v1/leaderboards/"
    private static let season = Contract.Parameter(name: "season", schema: .integer(seasons))
    private static let pack = Contract.Parameter(
        name: "pack", schema: .pattern("^[a-z0-9-]{1,32}$"))
    private static let seasons = 0...Int(Int32.max)

    static let routes = [
        APIRoute(
            .get, path + "friends", .player,
            Contract(
                "returns the board of the player's friends", query: [season],
                returns: .json(schema(["lines": .list(line)])), problems: [404]),
            handle: showFriends),
        APIRoute(
            .get, path + "world", .player,
            Contract(
                "returns the best heroes of all, and the player's own place", query: [season],
                returns: .json(
                    schema([
                        "heroes": .whole, "topAt": .time, "top": .list(line),
                        "around": .list(line),
                    ])),
                problems: [404]),
            handle: showWorld),
        APIRoute(
            .get, path + "party", .player,
            Contract(
                "returns the best party of each pack and week", query: [season, pack],
                returns: .json(schema(["parties": .list(record)])), problems: [404]),
            handle: showParties),
    ]

    /// What a season's board begins with.
    private static func schema(_ fields: KeyValuePairs<String, JSONSchema>) -> JSONSchema {
        JSONSchema.fields(["season": .whole, "startsAt": .time, "endsAt": .time]).adding(fields)
    }

    private static let hero = JSONSchema.named(
        "BoardHero",
        .fields(
            [
                "avatar": .text, "class": .choice(HeroClass.allCases.map(\.rawValue)),
                "level": .whole, "isMine": .boolean,
            ], optional: ["id": .text, "name": .text]))

    private static let line = JSONSchema.named(
        "BoardLine", .fields(["rank": .whole, "points": .whole, "hero": hero]))

    private static let record = JSONSchema.fields([
        "week": .whole, "pack": .text, "title": .text, "points": .whole, "at": .time,
        "heroes": .list(hero),
    ])

    static let resultSchema = JSONSchema.fields([
        "season": .whole, "hero": .text, "pack": .text, "points": .whole, "at": .time,
    ])

    static func write(_ result: HeroResult, to json: inout JSONWriter) {
        json.beginObject()
        json.field("season", result.season.number)
        json.field("hero", result.hero.rawValue)
        json.field("pack", result.pack)
        json.field("points", result.points)
        json.field("at", result.at.milliseconds)
        json.endObject()
    }

    // MARK: Boards

    @Sendable private static func showFriends(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try refusePack(of: request)
        let (player, season) = (try call.player, try season(of: request, call.game))
        let lines = try await call.game.store.friendsBoard(
            of: season, for: player, metSince: Leaderboard.friendsSince(call.game.wallNow))
        let names = call.names
        return response(season) { json in
            json.array("lines", lines) { json, line in
                write(line, named: .all(names), for: player, to: &json)
            }
        }
    }

    @Sendable private static func showWorld(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try refusePack(of: request)
        let (player, season) = (try call.player, try season(of: request, call.game))
        let (game, names) = (call.game, call.names)
        let top = try await game.tops.top(of: season, in: game)
        let place = try await game.store.worldPlace(of: season, for: player)
        return response(season) { json in
            json.field("heroes", place.heroes)
            json.field("topAt", game.dependencies.clock.wall(at: top.at).milliseconds)
            if top.isOn(player) {
                json.array("top", top.lines) { json, line in
                    write(line, named: .own(names), for: player, to: &json)
                }
            } else {
                json.key("top")
                json.raw(top.json)
            }
            json.array("around", place.around) { json, line in
                write(line, named: .own(names), for: player, to: &json)
            }
        }
    }

    /// Writes a line for a player whose hero it is not.
    static func writeOfStranger(_ line: BoardLine, to json: inout JSONWriter) {
        write(line, named: .none, for: nil, to: &json)
    }

    @Sendable private static func showParties(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let (player, season) = (try call.player, try season(of: request, call.game))
        let pack = request.query["pack"]
        let records = try await call.game.store.partyBoard(of: season, pack: pack)
        if let pack, records.isEmpty, call.game.packs.playable(pack) == nil {
            throw Problem.notFound("There is no adventure \"\(pack)\".")
        }
        let names = call.names
        let titles = Dictionary(
            call.game.packs.playable.map { ($0.pack.reference.id, $0.texts) },
            uniquingKeysWith: { first, _ in first })
        return response(season) { json in
            json.array("parties", records) { json, record in
                let isMember = record.heroes.contains { $0.owner == player }
                json.beginObject()
                json.field("week", record.week)
                json.field("pack", record.pack)
                json.field(
                    "title",
                    titles[record.pack]?.text(PackTexts.title, in: request.language)
                        ?? record.pack)
                json.field("points", record.points)
                json.field("at", record.at.milliseconds)
                json.array("heroes", record.heroes) { json, hero in
                    write(hero, named: isMember ? .all(names) : .none, for: player, to: &json)
                }
                json.endObject()
            }
        }
    }

    // MARK: Parts

    /// The season that runs, or the kept one that the request names.
    private static func season(of request: Request, _ game: Game) throws(Problem) -> Season {
        let now = game.wallNow
        let current = Season(at: now.milliseconds)
        guard let number = try request.number("season", in: seasons) else { return current }
        let season = Season(number: Int64(number))
        let oldest = Leaderboard.oldestSeason(at: now)
        guard (oldest...current).contains(season) else {
            throw Problem.notFound(
                "There is no board of season \(number): the server has those of seasons "
                    + "\(oldest.number) to \(current.number).")
        }
        return season
    }

    private static func refusePack(of request: Request) throws(Problem) {
        guard request.query["pack"] == nil else {
            throw Problem.badRequest("Only the board of parties takes a \"pack\".")
        }
    }

    private static func response(
        _ season: Season, _ body: (inout JSONWriter) -> Void
    ) -> Response {
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.field("season", season.number)
        json.field("startsAt", season.start)
        json.field("endsAt", season.end)
        body(&json)
        json.endObject()
        return .json(json.bytes)
    }

    /// Whose names a board shows.
    private enum Naming {
        case none
        case own(NameView)
        case all(NameView)

        /// `nil`: the hero is a stranger.
        func names(of hero: Hero, for player: PlayerID?) -> NameView? {
            switch self {
            case .none: nil
            case .own(let names): hero.owner == player ? names : nil
            case .all(let names): names
            }
        }
    }

    private static func write(
        _ line: BoardLine, named naming: Naming, for player: PlayerID?, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("rank", line.rank)
        json.field("points", line.points)
        json.object("hero") { writeFields(of: line.hero, named: naming, for: player, to: &$0) }
        json.endObject()
    }

    private static func write(
        _ hero: Hero, named naming: Naming, for player: PlayerID, to json: inout JSONWriter
    ) {
        json.beginObject()
        writeFields(of: hero, named: naming, for: player, to: &json)
        json.endObject()
    }

    private static func writeFields(
        of hero: Hero, named naming: Naming, for player: PlayerID?, to json: inout JSONWriter
    ) {
        json.field("avatar", hero.avatar)
        json.field("class", hero.heroClass.rawValue)
        json.field("level", hero.level)
        json.field("isMine", hero.owner == player)
        guard let names = naming.names(of: hero, for: player) else { return }
        json.field("id", hero.id.rawValue)
        json.field("name", names.hero(hero).name)
    }
}
