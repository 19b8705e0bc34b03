internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `DELETE /v1/me` deletes the account: all tokens fail from now on, the heroes leave their
/// parties, and names are erased.
enum DeleteMe {
    static let route = APIRoute(
        .delete, "/v1/me", .player,
        Contract("deletes the account", status: 204, returns: .nothing), handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        try Body.expectNothing(in: request)
        try await call.game.deletion.delete(call.player)
        return .noContent
    }
}
