internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `POST /v1/activities/{activity}/state` reports the state of the Live Activity in ActivityKit;
/// after `ended` or `dismissed` nothing is pushed to it (L10, L11).
enum ReportActivity {
    static let route = APIRoute(
        .post, "/v1/activities/{activity}/state", .player,
        Contract(
            "reports the activity's state from ActivityKit", body: Input.self, status: 204,
            returns: .nothing),
        handle: respond)

    private struct Input: BodyFields {
        let state: ActivityState

        enum CodingKeys: CodingKey, CaseIterable {
            case state
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let id = ActivityID(try request.parameter("activity"))
        let input = try Body.decode(Input.self, from: request)
        let registration = try await call.ownActivity(id)
        let result = call.result(204, .nothing)
        try await call.game.shards.change(registration.party) { change in
            change.keep(result)
            guard var current = change.registration(id) else { return }
            guard !current.state.isFinal, current.state != input.state else { return }
            current.state = input.state
            change.update(current)
        }
        return .noContent
    }
}
