internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/parties/{party}/answers`: one of the player's heroes answers a question of the
/// adventure, or a ready check. The last answer before the question's end counts, so a repeated one
/// changes nothing.
enum AnswerAsk {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/answers", .player,
        Contract(
            "answers a question of the adventure, or a ready check", body: Input.self, status: 204,
            returns: .nothing, problems: [403, 409]),
        handle: respond)

    private struct Input: BodyFields {
        let hero: String
        /// The question's number.
        let ask: Int
        let yes: Bool

        enum CodingKeys: CodingKey, CaseIterable {
            case hero, ask, yes
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let input = try Body.decode(Input.self, from: request)
        let hero = HeroID(input.hero)
        let result = call.result(204, .nothing)
        try await call.game.shards.change(party) { change in
            guard let known = change.party.anyHero(hero) else { throw RuleError.notInParty(hero) }
            guard known.owner == player else { throw RuleError.notYourHero(hero) }
            try change.apply(.answer(hero, ask: input.ask, yes: input.yes))
            change.keep(result)
        }
        return .noContent
    }
}
