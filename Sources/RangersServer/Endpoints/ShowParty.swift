internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `GET /v1/parties/{party}` returns the party and its events: those after the number `after`, or
/// the newest ones. A former member sees only how the adventure ended.
enum ShowParty {
    static let route = APIRoute(
        .get, "/v1/parties/{party}", .player,
        Contract(
            "returns the party, its adventure and its events", query: [.after],
            returns: .visibleParty),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let after = try request.number("after", in: 0...Int(Int32.max))
        return try await call.visibleParty(party, request, after: after)
    }
}
