internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/parties/{party}/actions`: one of the player's heroes uses a potion, for itself or for
/// a friend, or leaves the party.
enum PerformAction {
    static let route = APIRoute(.post, "/v1/parties/{party}/actions", .player, handle: respond)

    private struct Input: Decodable {
        let hero: String
        let action: Action
        /// The hero who receives the potion; the acting hero when omitted.
        let target: String?
    }

    private enum Action: String, Decodable {
        case usePotion, leave
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let input = try Body.decode(Input.self, from: request)
        let hero = HeroID(input.hero)
        let command: Command =
            switch input.action {
            case .usePotion: .usePotion(by: hero, on: HeroID(input.target ?? input.hero))
            case .leave: .leave(hero)
            }
        try await call.game.shards.change(party) { change in
            guard let member = change.party.member(hero) else { throw RuleError.notInParty(hero) }
            guard member.hero.owner == player else { throw RuleError.notYourHero(hero) }
            try change.apply(command)
        }
        return try await call.visibleParty(party, request)
    }
}
