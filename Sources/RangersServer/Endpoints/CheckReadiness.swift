internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `/v1/parties/{party}/ready`: the leader asks all heroes whether they are ready for an adventure,
/// or calls that off. The adventure begins when all are, or after two minutes with those who are.
enum CheckReadiness {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/ready", .player,
        Contract(
            "asks all heroes whether they are ready for an adventure; for the leader",
            body: Input.self, status: 201, returns: .visibleParty, problems: [403, 409]),
        handle: ask)

    static let endRoute = APIRoute(
        .delete, "/v1/parties/{party}/ready", .player,
        Contract(
            "cancels the ready check; for the leader", status: 204, returns: .nothing,
            problems: [403]),
        handle: end)

    private struct Input: BodyFields {
        /// The adventure pack; the server's usual one when omitted.
        let pack: String?
        /// Normal when omitted.
        let difficulty: Difficulty?
        /// Whether the adventure begins even with fewer than half of the heroes.
        let startAnyway: Bool?

        enum CodingKeys: CodingKey, CaseIterable {
            case pack, difficulty, startAnyway
        }

        static var narrower: [String: JSONSchema] {
            [
                "pack": .pattern("^[a-z0-9-]{1,32}$"),
                "difficulty": .choice(Difficulty.allCases.map(\.name)),
            ]
        }
    }

    @Sendable private static func ask(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let input = try Body.decode(Input.self, from: request)
        let pack = try call.game.playable(input.pack ?? call.game.settings.usualPack)
        try await call.game.requireWorldBoss(for: pack)
        try call.game.limits.spend(.adventures, .player(player, at: request.client))
        let seed = call.game.dependencies.adventureSeed()
        let result = call.result(201, .party(party))
        try await call.game.shards.change(party) { change in
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            let plan = ReadyCheck.Plan(
                seed: seed, pack, input.difficulty ?? .normal,
                endsAt: change.now.milliseconds + ReadyCheck.length,
                quorum: input.startAnyway == true ? .anybody : .half)
            change.keep(result)
            // A repeated request changes nothing.
            guard change.party.readyCheck?.plan.isLike(plan) != true else { return }
            try change.apply(.checkReadiness(plan))
        }
        return try await call.partyResponse(party, request, status: 201)
    }

    @Sendable private static func end(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        try await call.game.shards.change(party) { change in
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            // A repeated request changes nothing.
            guard change.party.readyCheck != nil else { return }
            try change.apply(.cancelReadyCheck)
        }
        return .noContent
    }
}

extension Game {
    /// Refuses a check for a shift that nobody can begin now. Whether the party can, its start
    /// decides.
    fileprivate func requireWorldBoss(for pack: Pack) async throws {
        guard pack.kind == .worldBoss else { return }
        let isOpen = try await store.worldEvents().contains {
            $0.status == .open && $0.plan.pack == pack.reference.id
        }
        guard isOpen else { throw RuleError.noWorldBoss }
    }
}

extension ReadyCheck.Plan {
    /// Whether the leader has chosen the same.
    fileprivate func isLike(_ other: Self) -> Bool {
        pack == other.pack && difficulty == other.difficulty && quorum == other.quorum
    }
}
