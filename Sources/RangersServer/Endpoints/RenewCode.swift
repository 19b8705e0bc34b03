internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// `POST /v1/parties/{party}/code` renews the party's invite code: a valid one stays the same, an
/// expired one is replaced. For the leader, and while they are absent for any member. The leader may
/// also ask for another code.
enum RenewCode {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/code", .player,
        Contract(
            "renews or changes the invite code; for the leader", body: Input.self,
            returns: .visibleParty,
            problems: [403]),
        handle: respond)

    private struct Input: BodyFields {
        /// Whether a valid code is replaced too.
        let rotate: Bool?

        enum CodingKeys: CodingKey, CaseIterable {
            case rotate
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let rotates = try Body.decode(Input.self, from: request).rotate ?? false
        let sightings = call.game.sightings
        let newCode = RandomText.code(length: InviteCode.length)
        let result = call.result(200, .party(party))
        try await call.game.shards.change(party) { change in
            let isLeader = change.party.leader == player
            let mayRenew =
                isLeader
                || !rotates && sightings.isLeaderAbsent(from: change.stored, at: change.now)
            guard mayRenew else { throw RuleError.notTheLeader }
            let code = change.stored.code
            let isKept = !rotates && code.isValid(at: change.now)
            change.setCode(to: isKept ? code.text : newCode)
            change.keep(result)
        }
        return try await call.partyResponse(party, request)
    }
}
