internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `/v1/admin/players`, `/v1/admin/activities`: one player, whose push token it is, and what a game
/// master can take away.
enum ManagePlayers {
    static let routes = [
        APIRoute(
            .post, "/v1/admin/players/find", .admin(.observer),
            Contract(
                "finds the players with a push token", body: TokenBody.self,
                returns: .json(ListPlayers.schema)),
            handle: find),
        APIRoute(
            .get, "/v1/admin/players/{player}", .admin(.observer),
            Contract(
                "returns a player with their heroes, Live Activities and devices",
                returns: .json(
                    ShowMe.schema.adding([
                        "id": .text, "registeredAt": .time, "signedIn": .list(signedInSchema),
                    ]))),
            handle: show),
        APIRoute(
            .delete, "/v1/admin/players/{player}/token", .admin(.owner),
            Contract(
                "ends the tokens of all of a player's devices", status: 204, returns: .nothing),
            handle: signOut),
        APIRoute(
            .delete, "/v1/admin/activities/{activity}", .admin(.gameMaster),
            Contract(
                "ends a Live Activity with a last push", status: 204, returns: .nothing),
            handle: endActivity),
    ]

    private static let signedInSchema = JSONSchema.fields(["device": .text, "addedAt": .time])

    private struct TokenBody: BodyFields {
        let token: String

        enum CodingKeys: CodingKey, CaseIterable {
            case token
        }

        static var narrower: [String: JSONSchema] {
            ["token": Text.tokenSchema]
        }
    }

    /// The token is in the body, because paths and queries are logged, and is in no response.
    @Sendable private static func find(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(TokenBody.self, from: request)
        let token = try Text.pushToken(input.token.lowercased(), field: "token")
        let players = try await call.game.store.players(withPushToken: token)
        var json = JSONWriter()
        json.beginObject()
        try await ListPlayers.write(players, call, to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func show(_ request: Request, _ call: Call) async throws -> Response {
        let player = PlayerID(try request.parameter("player"))
        guard let registeredAt = try await call.game.store.registrationTime(of: player) else {
            throw Problem.notFound("There is no player \(player).")
        }
        let parties = try await call.game.store.parties(of: player)
        let devices = try await call.game.store.devices(of: player)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.field("id", player.rawValue)
        json.field("registeredAt", call.game.wall(at: registeredAt))
        try await ShowMe.writeFields(of: player, call, parties, to: &json)
        json.array("signedIn", devices) { json, device in
            json.beginObject()
            json.field("device", device.key.device.rawValue)
            json.field("addedAt", call.game.wall(at: device.createdAt))
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func signOut(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let player = PlayerID(try request.parameter("player"))
        let audit = try call.requireAudit()
        let record = audit.record(status: 204, on: player.rawValue, at: call.game.now)
        try await call.game.players.change(.signOut(player, as: record), keeping: nil)
        audit.noteWritten()
        return .noContent
    }

    /// The app cannot bring the card back: its registration stays, as of any that has ended.
    @Sendable private static func endActivity(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let id = ActivityID(try request.parameter("activity"))
        let unknown = Problem.notFound("There is no Live Activity \(id).")
        guard let registration = try await call.game.store.activity(id) else { throw unknown }
        let audit = try call.requireAudit()
        try await call.game.shards.change(registration.party) { change in
            // The app may have removed it meanwhile.
            guard let before = change.stored.auditJSON(of: id) else { throw unknown }
            change.end(id)
            change.note(
                audit.record(
                    status: 204, before: before, after: change.stored.auditJSON(of: id),
                    on: id.rawValue, at: change.now))
        }
        audit.noteWritten()
        return .noContent
    }
}

extension StoredParty {
    /// What ending a Live Activity changes; `nil`: the party has no such one.
    fileprivate func auditJSON(of id: ActivityID) -> [UInt8]? {
        guard let activity = activities.first(where: { $0.id == id }) else { return nil }
        var json = JSONWriter()
        json.beginObject()
        json.field("party", self.id.rawValue)
        json.field("hero", activity.registration.hero.rawValue)
        json.field("state", activity.registration.state.rawValue)
        json.field("ends", activity.outbox?.isEnding ?? true)
        json.endObject()
        return json.bytes
    }
}
