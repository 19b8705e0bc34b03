internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// `POST /v1/parties/{party}/members/{hero}/kick`: the leader removes another player's hero. It goes
/// home with what it has earned, and its player may not return for a day; the invite code changes. Again changes
/// nothing.
enum KickHero {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/members/{hero}/kick", .player,
        Contract(
            "removes another player's hero; for the leader", body: Body.Nothing.self,
            returns: .visibleParty, problems: [403, 409]),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let hero = HeroID(try request.parameter("hero"))
        let player = try call.player
        try await call.requireMembership(of: party)
        try Body.expectNothing(in: request)
        // Its player never changes.
        let owner = try await call.game.store.hero(hero)?.owner
        let newCode = RandomText.code(length: InviteCode.length)
        let result = call.result(200, .party(party))
        try await call.game.shards.change(party) { change in
            change.keep(result)
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            guard let known = change.party.anyHero(hero) else {
                if let owner, change.stored.former.keepsOut(owner, at: change.now) { return }
                throw RuleError.notInParty(hero)
            }
            guard known.owner != player else { throw RuleError.ownHero(known.tag) }
            try change.apply(.kick(hero))
            change.setCode(to: newCode)
        }
        return try await call.partyResponse(party, request)
    }
}
