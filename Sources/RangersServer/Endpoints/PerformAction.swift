internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/parties/{party}/actions`: one of the player's heroes uses a potion, for itself or for
/// a friend, leaves the party, or takes the lead while the leader is absent.
enum PerformAction {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/actions", .player,
        Contract(
            "lets a hero use a potion, leave, or take the lead", body: Input.self,
            returns: .visibleParty, problems: [403, 409]),
        handle: respond)

    private struct Input: BodyFields {
        let hero: String
        let action: Action
        /// The hero who receives the potion; the acting hero when omitted.
        let target: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case hero, action, target
        }
    }

    private enum Action: String, Decodable, CaseIterable {
        case usePotion, leave, claimLead
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
            case .claimLead: .claimLead(hero)
            }
        if case .leave = command {
            try call.game.limits.spend(.memberships, .player(player, at: request.client))
        }
        let sightings = call.game.sightings
        let result = call.result(200, .party(party))
        try await call.game.shards.change(party) { change in
            guard let member = change.party.member(hero) else { throw RuleError.notInParty(hero) }
            guard member.hero.owner == player else { throw RuleError.notYourHero(hero) }
            change.keep(result)
            if case .claimLead = command {
                // A repeated request changes nothing.
                guard change.party.leader != player else { return }
                try requireAbsentLeader(of: change, sightings)
            }
            try change.apply(command)
        }
        return try await call.visibleParty(party, request)
    }

    private static func requireAbsentLeader(
        of change: PartyChange, _ sightings: PlayerSightings
    ) throws {
        guard !change.party.isOnAdventure else { throw RuleError.adventureRunning }
        guard sightings.isLeaderAbsent(from: change.stored, at: change.now) else {
            throw Problem.conflict(
                "The leader was here less than \(PlayerSightings.absenceMinutes) minutes ago.")
        }
    }
}
