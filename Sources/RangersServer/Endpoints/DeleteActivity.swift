internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `DELETE /v1/activities/{activity}` removes a Live Activity: nothing is pushed to it afterwards.
enum DeleteActivity {
    static let route = APIRoute(
        .delete, "/v1/activities/{activity}", .player,
        Contract(
            "removes the registration", status: 204, returns: .nothing),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let registration = try await call.ownActivity(ActivityID(request.parameter("activity")))
        try await call.game.shards.change(registration.party) { $0.remove(registration.id) }
        return .noContent
    }
}

extension Call {
    /// Returns a Live Activity of the caller. Other players' activities get the response of unknown
    /// ones, and so do the spectators', which belong to the party.
    func ownActivity(_ id: ActivityID) async throws -> ActivityRegistration {
        guard let registration = try await game.store.activity(id),
            registration.player == (try player), registration.recipient == .player
        else { throw Problem.notFound("You have no Live Activity \(id).") }
        return registration
    }
}

extension ActivityState {
    /// Whether the activity is frozen or gone, and will never be active again.
    var isFinal: Bool {
        switch self {
        case .ended, .dismissed: true
        case .pending, .active, .stale: false
        }
    }
}
