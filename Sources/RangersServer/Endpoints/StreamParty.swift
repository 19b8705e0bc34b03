internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// `GET /v1/parties/{party}/stream`: the party's events and the player's cards as they happen, as
/// server-sent events. `Last-Event-ID`, or `after` in the query, continues after an event; without
/// it the stream begins with the party.
enum StreamParty {
    static let route = APIRoute(
        .get, "/v1/parties/{party}/stream", .player,
        Contract(
            "streams the party's events and the player's cards as they happen", query: [.after],
            returns: .events(EventStreamText.schema)),
        handle: respond)

    /// Of every event stream.
    static let headers: [Response.Header] = [
        .init("content-type", "text/event-stream"),
        // nginx would collect the events otherwise.
        .init("x-accel-buffering", "no"),
    ]

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        // A place of a stream that another node opens would be one too few here.
        try call.game.shards.requireHere(party)
        let player = try call.player
        let token = try Authentication.bearer(request)
        let streams = call.game.streams
        // First of all, so that no change of the party or of the token is missed.
        let stream = try streams.open(
            party, for: player, at: request.client,
            with: Digest.sha256(token.revealed.utf8), in: request.language, of: call.game,
            after: position(in: request))
        do {
            guard try await call.game.players.caller(with: token) == (try call.device) else {
                throw Problem.unauthorized
            }
            let snapshot = try await call.game.snapshot(of: party)
            guard snapshot.hasMember(of: player) else { throw Problem.noSuch(party: party) }
            stream.offer(snapshot)
            return Response(headers: headers, stream: stream.response)
        } catch {
            streams.remove(stream.number)
            throw error
        }
    }

    private static func position(in request: Request) throws(Problem) -> Int? {
        let numbers = 0...Int(Int32.max)
        guard let last = request.headers["last-event-id"] else {
            return try request.number("after", in: numbers)
        }
        // An empty one is that of a client without an event.
        guard !last.isEmpty else { return nil }
        guard let number = Int(last), numbers.contains(number) else {
            throw Problem.badRequest(
                "The header Last-Event-ID must be the id of an event, a whole number.")
        }
        return number
    }
}
