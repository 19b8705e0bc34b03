internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `DELETE /v1/players/me/push-to-start-tokens/{device}` removes a device's push-to-start token: no
/// activity is started there by push any more.
enum DeleteStartToken {
    static let route = APIRoute(
        .delete, "/v1/players/me/push-to-start-tokens/{device}", .player,
        Contract(
            "removes the token", status: 204, returns: .nothing, problems: [403]),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let device = DeviceID(try request.parameter("device"))
        try await call.requireOwn(device)
        let forgotten = try await call.game.store.forgetStartToken(
            of: device, player: call.player, epoch: call.game.epoch)
        guard forgotten > 0 else {
            throw Problem.notFound("You have no push-to-start token on device \(device).")
        }
        return .noContent
    }
}
