internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/me/export` returns everything that the server stores of the player, without secrets.
enum ExportMe {
    static let route = APIRoute(
        .get, "/v1/me/export", .player,
        Contract(
            "returns everything that the server stores of the player", returns: .json(schema)),
        handle: respond)

    private static let schema = ShowMe.schema.adding([
        "exportedAt": .time, "registeredAt": .nullable(.time),
        "signedInDevices": .list(Devices.schema), "blocks": .list(BlockPlayer.schema),
        "reports": .list(.fields(["hero": .text, "reportedAt": .time])),
        "results": .list(ShowLeaderboards.resultSchema),
        "companions": .list(.fields(["player": .text, "metAt": .time])),
        "widgets": .list(Widgets.schema),
        "parties": .list(
            .fields([
                "id": .text, "createdAt": .time, "isLeader": .boolean,
                "heroes": .list(
                    .fields([
                        "id": .text, "health": .fraction, "potions": .whole,
                        "condition": PartyView.conditionSchema,
                    ])), "atInn": .list(.text),
            ])),
    ])

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let caller = try call.device
        let store = call.game.store
        let registeredAt = try await store.registrationTime(of: caller.player)
        let devices = try await store.devices(of: caller.player)
        let parties = try await store.parties(of: caller.player)
        let blocks = try await store.blocks(of: caller.player)
        let reports = try await store.reports(by: caller.player)
        let results = try await store.results(of: caller.player)
        let companions = try await store.companions(of: caller.player)
        let widgets = try await store.widgets(of: caller.player)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.field("exportedAt", call.game.wallNow)
        json.field("registeredAt", call.game.wall(at: registeredAt))
        json.array("signedInDevices", devices) { json, device in
            Devices.write(device, call.game, to: &json, current: caller)
        }
        json.array("blocks", blocks) { BlockPlayer.write($1, call.game, to: &$0) }
        json.array("reports", reports) { json, report in
            json.beginObject()
            json.field("hero", report.hero.rawValue)
            json.field("reportedAt", call.game.wall(at: report.at))
            json.endObject()
        }
        json.array("results", results) { ShowLeaderboards.write($1, to: &$0) }
        json.array("companions", companions) { json, companion in
            json.beginObject()
            json.field("player", companion.player.rawValue)
            json.field("metAt", companion.metAt.milliseconds)
            json.endObject()
        }
        json.array("widgets", widgets) { Widgets.write($1.token, to: &$0) }
        json.array("parties", parties) { json, stored in
            write(stored, of: caller.player, call.game, to: &json)
        }
        try await ShowMe.writeFields(of: caller.player, call, parties, to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    /// Writes the player's part of a party; what belongs to the other members is theirs.
    private static func write(
        _ stored: StoredParty, of player: PlayerID, _ game: Game, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("id", stored.id.rawValue)
        json.field("createdAt", game.wall(at: stored.createdAt))
        json.field("isLeader", stored.party.leader == player)
        let own = stored.party.members.filter { $0.hero.owner == player }
        json.array("heroes", own) { json, member in
            json.beginObject()
            json.field("id", member.hero.id.rawValue)
            json.field("health", Double(member.health.thousandths) / 1000)
            json.field("potions", member.potions)
            json.field("condition", member.condition.name)
            json.endObject()
        }
        json.array("atInn", stored.party.inn.filter { $0.owner == player }) {
            $0.value($1.id.rawValue)
        }
        json.endObject()
    }
}
