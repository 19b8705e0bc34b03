internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `POST /v1/parties/{party}/actions`: one of the player's heroes uses a potion, for itself or for
/// a friend, leaves the party, takes the lead while the leader is absent, or follows from the inn.
enum PerformAction {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/actions", .player,
        Contract(
            "lets a hero use a potion, leave, take the lead, or follow", body: Input.self,
            returns: .visibleParty, problems: [403, 409]),
        handle: respond)

    private struct Input: BodyFields {
        let hero: String
        let action: Action
        /// The hero who receives the potion; the acting hero when omitted.
        let target: String?
        /// The requesting device of a hero who follows, which starts its activity by itself.
        let device: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case hero, action, target, device
        }

        static var narrower: [String: JSONSchema] { ["device": Text.identifierSchema] }
    }

    private enum Action: String, Decodable, CaseIterable {
        case usePotion, leave, claimLead, follow
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let input = try Body.decode(Input.self, from: request)
        let hero = HeroID(input.hero)
        let device = try await call.ownDevice(named: input.device)
        if input.action == .leave {
            try call.game.limits.spend(.memberships, .player(player, at: request.client))
        }
        let sightings = call.game.sightings
        let result = call.result(200, .party(party))
        try await call.game.shards.change(party) { change in
            guard let known = change.party.anyHero(hero) else { throw RuleError.notInParty(hero) }
            guard known.owner == player else { throw RuleError.notYourHero(hero) }
            change.keep(result)
            switch input.action {
            case .usePotion:
                try change.apply(.usePotion(by: hero, on: HeroID(input.target ?? input.hero)))
            case .leave: try change.apply(.leave(hero))
            case .claimLead:
                // A repeated request changes nothing.
                guard change.party.leader != player else { return }
                try requireAbsentLeader(of: change, sightings)
                try change.apply(.claimLead(hero))
            case .follow:
                guard change.party.isOnAdventure else { throw RuleError.noAdventure }
                guard change.party.member(hero) == nil else { return }
                change.isRequested(by: device, of: player)
                try change.apply(.follow(hero, at: change.now.milliseconds))
            }
        }
        return try await call.visibleParty(party, request)
    }

    private static func requireAbsentLeader(
        of change: PartyChange, _ sightings: PlayerSightings
    ) throws {
        guard !change.party.isOnAdventure else { throw RuleError.adventureRunning }
        guard sightings.isLeaderAbsent(from: change.stored, at: change.now) else {
            throw Problem.conflict(
                "The leader was active less than \(PlayerSightings.absenceMinutes) minutes ago.")
        }
    }
}
