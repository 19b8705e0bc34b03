internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// `DELETE /v1/parties/{party}`: the leader sends all heroes home, while no adventure runs. Again
/// changes nothing.
enum DisbandParty {
    static let route = APIRoute(
        .delete, "/v1/parties/{party}", .player,
        Contract(
            "disbands the party; for the leader", status: 204, returns: .nothing,
            problems: [403, 409]),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        let newCode = RandomText.code(length: InviteCode.length)
        try await call.game.shards.change(party) { change in
            let isMember = change.party.hasHero(of: player)
            guard isMember || change.stored.former.seesOutcome(player) else {
                throw Problem.noSuch(party: party)
            }
            guard !change.party.members.isEmpty else { return }
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            try change.apply(.disband)
            change.setCode(to: newCode)
        }
        return .noContent
    }
}
