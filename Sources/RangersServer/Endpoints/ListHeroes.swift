internal import HTTPServer
internal import JSONWriter
internal import PartyStore

/// `GET /v1/heroes` lists the player's heroes.
enum ListHeroes {
    static let route = APIRoute(
        .get, "/v1/heroes", .player,
        Contract(
            "lists the player's heroes", returns: .json(.fields(["heroes": .list(HeroView.schema)]))
        ),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let heroes = try await call.game.store.heroes(of: call.player)
        let names = call.names
        var json = JSONWriter()
        json.beginObject()
        json.array("heroes", heroes) { HeroView.write(names.hero($1), to: &$0) }
        json.endObject()
        return .json(json.bytes)
    }
}
