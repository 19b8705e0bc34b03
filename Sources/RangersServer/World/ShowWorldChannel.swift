internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `GET /v1/world/channel` returns the channel on which a Live Activity follows the world boss in
/// the caller's language.
enum ShowWorldChannel {
    static let route = APIRoute(
        .get, "/v1/world/channel", .player,
        Contract(
            "returns the channel that follows the world boss", returns: .json(ChannelView.schema),
            problems: [404]),
        handle: respond)

    @Sendable private static func respond(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let game = call.game
        let event = try await game.store.worldEvents().first
        let channels = try await game.store.worldChannels(in: game.settings.channelEnvironment)
        let open = channels.first {
            $0.event == event?.number && $0.round == event?.round && $0.overSince == nil
                && $0.language == request.language
        }
        guard let open, event?.status == .open else {
            throw Problem.notFound("There is no world boss to follow now: see GET /v1/world.")
        }
        return ChannelView.response(open.id, open.environment, open.language)
    }
}
