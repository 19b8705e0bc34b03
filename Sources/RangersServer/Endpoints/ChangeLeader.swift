internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `PUT /v1/parties/{party}/leader`: the leader hands over to the player of a hero.
enum ChangeLeader {
    static let route = APIRoute(
        .put, "/v1/parties/{party}/leader", .player,
        Contract(
            "makes another member's player the leader; for the leader", body: Input.self,
            returns: .party, problems: [403, 409]),
        handle: respond)

    private struct Input: BodyFields {
        let hero: String

        enum CodingKeys: CodingKey, CaseIterable {
            case hero
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let hero = HeroID(try Body.decode(Input.self, from: request).hero)
        try await call.game.shards.change(party) { change in
            // A repeated request, whose sender leads no more.
            guard change.party.members.first?.hero.id != hero else { return }
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            try change.apply(.promote(hero))
        }
        return try await call.partyResponse(party, request)
    }
}
