internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `DELETE /v1/parties/{party}/channel` ends the spectators' activities. The channel itself is
/// deleted some time later, when devices that were offline have received the end.
enum DeleteChannel {
    static let route = APIRoute(
        .delete, "/v1/parties/{party}/channel", .player,
        Contract(
            "closes the channel and ends the spectators' Live Activities", status: 204,
            returns: .nothing),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        try await call.requireMembership(of: party)
        try await call.game.shards.change(party) { change in
            guard change.spectators != nil else { throw Problem.noOpenChannel }
            change.closeChannel()
        }
        return .noContent
    }
}
