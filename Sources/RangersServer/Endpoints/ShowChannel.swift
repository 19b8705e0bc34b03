internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `GET /v1/parties/{party}/channel` returns the party's open channel to its members.
enum ShowChannel {
    static let route = APIRoute(
        .get, "/v1/parties/{party}/channel", .player,
        Contract(
            "returns the open channel", returns: .json(ChannelView.schema)),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        try await call.requireMembership(of: party)
        guard let open = try await call.game.snapshot(of: party).stored.spectators else {
            throw Problem.noOpenChannel
        }
        return ChannelView.response(open)
    }
}

extension Problem {
    static let noOpenChannel = Problem.notFound("This party has no open channel.")
}
