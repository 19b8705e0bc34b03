internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/parties/join` brings a hero into a party, by its invite code. Joining again changes
/// nothing and answers the same.
enum JoinParty {
    static let route = APIRoute(.post, "/v1/parties/join", .player, handle: respond)

    private struct Input: Decodable {
        let inviteCode: String
        let hero: String
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let hero = try await call.ownHero(HeroID(input.hero))
        let code = input.inviteCode.uppercased()
        guard let party = try await call.game.store.party(withInviteCode: code) else {
            throw Problem.notFound("There is no party with this invite code.")
        }
        try await call.game.loop.change(party) { change in
            guard change.party.member(hero.id) == nil else { return }
            try change.apply(.join(hero))
        }
        return try await call.partyResponse(party, request)
    }
}
