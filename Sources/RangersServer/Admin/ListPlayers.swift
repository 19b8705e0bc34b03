internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/players` lists players in the order of their ids, all or those whom a text or a
/// hero finds.
enum ListPlayers {
    static let route = APIRoute(
        .get, "/v1/admin/players", .admin(.observer),
        Contract(
            "lists players with their heroes",
            query: [
                Contract.Parameter(name: "limit", schema: .integer(1...limitMax)),
                Contract.Parameter(name: "after", schema: .text),
                Contract.Parameter(name: "hero", schema: .text),
                Contract.Parameter(name: "find", schema: .text),
            ],
            returns: .json(schema.adding(["next": .nullable(.text)]))),
        handle: respond)
    static let limitMax = 100
    /// The most parties that are looked at to find a hero by name.
    static let lookedAtMax = 1000
    private static let pageSize = 100

    static let schema = JSONSchema.fields([
        "players": .list(
            .fields(["id": .text, "player": .text, "heroes": .list(ShowMe.heroSchema)]))
    ])

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let store = call.game.store
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        var page: (players: [PlayerID], next: PlayerID?)
        if let text = request.query["find"] {
            let found = try await call.game.moments.run { _ in
                try await self.found(by: text, store)
            }
            page = (Array(found.prefix(limit)), nil)
        } else if let hero = request.query["hero"] {
            let owner = try await store.hero(HeroID(hero))?.owner
            page = ([owner].compactMap(\.self), nil)
        } else {
            let after = request.query["after"].map { PlayerID($0) }
            let found = try await store.players(after: after, limit: limit)
            page = (found.elements, found.next)
        }
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        try await write(page.players, call, to: &json)
        json.field("next", page.next?.rawValue)
        json.endObject()
        return .json(json.bytes)
    }

    /// Returns whom a text names: by the id of a player, hero or activity, an invite code, or the
    /// name of a hero or a device in a party with work ahead.
    private static func found(by text: String, _ store: any Store) async throws -> [PlayerID] {
        if try await store.registrationTime(of: PlayerID(text)) != nil { return [PlayerID(text)] }
        if let hero = try await store.hero(HeroID(text)) { return [hero.owner] }
        if let activity = try await store.activity(ActivityID(text)) { return [activity.player] }
        if let party = try await store.party(withInviteCode: text.uppercased()) {
            return Set(try await store.party(party)?.party.heroes.map(\.owner) ?? []).sorted()
        }
        var found: Set<PlayerID> = []
        var (after, lookedAt) = (nil as PartyKey?, 0)
        repeat {
            let page = try await store.awakeParties(after: after, limit: pageSize)
            for stored in page.parties { found.formUnion(stored.players(named: text)) }
            lookedAt += page.parties.count
            after = page.next
        } while after != nil && lookedAt < lookedAtMax
        return found.sorted()
    }

    static func write(
        _ players: [PlayerID], _ call: Call, to json: inout JSONWriter
    ) async throws {
        json.key("players")
        json.beginArray()
        let names = call.names
        for player in players { try await write(player, names, call.game.store, to: &json) }
        json.endArray()
    }

    private static func write(
        _ player: PlayerID, _ names: NameView, _ store: any Store, to json: inout JSONWriter
    ) async throws {
        let heroes = try await store.heroes(of: player)
        let parties = try await store.memberships(of: player)
        json.beginObject()
        json.field("id", player.rawValue)
        json.field("player", player.rawValue)
        json.array("heroes", heroes) { json, hero in
            json.beginObject()
            HeroView.writeFields(of: names.hero(hero), to: &json)
            json.field("party", parties[hero.id]?.rawValue)
            json.endObject()
        }
        json.endObject()
    }
}

extension StoredParty {
    /// Returns the players of heroes and of devices with this name.
    fileprivate func players(named name: String) -> [PlayerID] {
        party.heroes.filter { $0.name == name }.map(\.owner)
            + activities.map(\.registration).filter { $0.device?.rawValue == name }.map(\.player)
    }
}

/// `GET /v1/admin/devices` lists the devices registered for push-to-start, of all players or one.
enum ListDevices {
    static let route = APIRoute(
        .get, "/v1/admin/devices", .admin(.observer),
        Contract(
            "lists the devices registered for push-to-start",
            query: [
                Contract.Parameter(name: "limit", schema: .integer(1...limitMax)),
                Contract.Parameter(name: "after", schema: .text),
                Contract.Parameter(name: "player", schema: .text),
            ],
            returns: .json(
                .fields(["devices": .list(schema), "next": .nullable(.text)]))),
        handle: respond)

    private static let schema = JSONSchema.named(
        "StartDevice",
        ShowMe.deviceSchema.adding([
            "player": .text, "starts": .list(.time), "pendingStart": .nullable(.time),
        ]))
    static let limitMax = 100

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let store = call.game.store
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        let page: ListPage<StartDevice, StartDevice.Key>
        if let player = request.query["player"] {
            page = ListPage(
                elements: try await store.startDevices(of: [PlayerID(player)]), next: nil)
        } else {
            page = try await store.startDevices(after: try key(request), limit: limit)
        }
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("devices", page.elements) { json, device in
            json.beginObject()
            json.field("player", device.key.player.rawValue)
            ShowMe.writeFields(of: device, call.game, to: &json)
            json.array("starts", device.starts.guardian.times) { json, time in
                json.value(call.game.dependencies.clock.wall(at: time).milliseconds)
            }
            json.field("pendingStart", call.game.wall(at: device.starts.pending?.dueAt))
            json.endObject()
        }
        let next = page.next.map { "\($0.player)/\($0.environment.rawValue)/\($0.device)" }
        json.field("next", next)
        json.endObject()
        return .json(json.bytes)
    }

    /// Reads `next` of an earlier page.
    private static func key(_ request: Request) throws(Problem) -> StartDevice.Key? {
        guard let text = request.query["after"] else { return nil }
        let parts = text.split(separator: "/", maxSplits: 2).map(String.init)
        guard parts.count == 3, let environment = PushEnvironment(rawValue: parts[1]) else {
            throw Problem.badRequest("The query's \"after\" must be the \"next\" of a page.")
        }
        return StartDevice.Key(
            player: PlayerID(parts[0]), environment: environment, device: DeviceID(parts[2]))
    }
}
