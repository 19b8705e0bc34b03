internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore

/// `GET /v1/parties` lists the parties in which the player has a hero, without their events. There
/// are at most as many as the player may have heroes.
enum ListOwnParties {
    static let route = APIRoute(
        .get, "/v1/parties", .player,
        Contract(
            "lists the player's parties",
            returns: .json(.fields(["parties": .list(PartyView.schema)]))),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let parties = try await call.game.store.parties(of: call.player)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("parties", parties) { json, stored in
            let view = PartyView(
                stored: stored, wallOffsets: call.game.dependencies.clock.wallOffsets,
                names: call.names, words: call.game.words, language: request.language)
            json.raw(view.json())
        }
        json.endObject()
        return .json(json.bytes)
    }
}
