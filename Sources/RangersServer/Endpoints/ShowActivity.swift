internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/activities/{activity}` returns one of the player's Live Activities.
enum ShowActivity {
    static let route = APIRoute(
        .get, "/v1/activities/{activity}", .player,
        Contract(
            "returns one of the player's Live Activities", returns: .json(ActivityView.schema)),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let id = ActivityID(try request.parameter("activity"))
        let registration = try await call.ownActivity(id)
        let party = try await call.game.snapshot(of: registration.party).stored
        // A new adventure may have removed it since.
        let current = party.activities.first { $0.id == id }
        var json = JSONWriter()
        let activity = current ?? LiveActivity(registration: registration, outbox: nil)
        ActivityView(activity, call.game).write(to: &json)
        return .json(json.bytes)
    }
}
