internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `DELETE /v1/activities/{activity}/push-token` removes an activity's push token: nothing is pushed
/// until the app registers another one. The activity stays registered.
enum DeletePushToken {
    static let route = APIRoute(
        .delete, "/v1/activities/{activity}/push-token", .player,
        Contract(
            "removes the activity's push token", status: 204, returns: .nothing, problems: [409]),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let known = try await call.ownActivity(ActivityID(request.parameter("activity")))
        guard known.screen == .device else {
            throw Problem.conflict(
                "Live Activity \(known.id) is on a page, which has no push token: close its stream."
            )
        }
        try await call.game.shards.change(known.party) { change in
            guard var registration = change.registration(known.id), registration.pushToken != nil
            else { throw Problem.notFound("Live Activity \(known.id) has no push token.") }
            registration.pushToken = nil
            change.update(registration)
        }
        return .noContent
    }
}
