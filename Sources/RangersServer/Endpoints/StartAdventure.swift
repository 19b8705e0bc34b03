internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/parties/{party}/adventure` begins the party's adventure; only its leader can.
enum StartAdventure {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/adventure", .player, handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        try Body.expectNothing(in: request)
        let seed = call.game.environment.adventureSeed()
        let speed = call.game.millisecondsPerSecond
        try await call.game.loop.change(party) { change in
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            try change.start(seed: seed, millisecondsPerSecond: speed)
        }
        return try await call.partyResponse(party, request, status: 201)
    }
}
