internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `POST /v1/parties/{party}/adventure` starts the party's adventure; only its leader may.
enum StartAdventure {
    static let route = APIRoute(
        .post, "/v1/parties/{party}/adventure", .player,
        Contract(
            "starts the adventure; for the leader", body: Input.self, status: 201,
            returns: .visibleParty,
            problems: [403, 409]),
        handle: respond)

    private struct Input: BodyFields {
        /// The requesting device, which starts its activity by itself.
        let device: String?
        /// The adventure pack; the server's usual one when omitted.
        let pack: String?
        /// Normal when omitted.
        let difficulty: Difficulty?

        enum CodingKeys: CodingKey, CaseIterable {
            case device, pack, difficulty
        }

        static var narrower: [String: JSONSchema] {
            [
                "device": Text.identifierSchema,
                "pack": .pattern("^[a-z0-9-]{1,32}$"),
                "difficulty": .choice(Difficulty.allCases.map(\.name)),
            ]
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let player = try call.player
        try await call.requireMembership(of: party)
        let input = try Body.decode(Input.self, from: request)
        let device = try await call.ownDevice(named: input.device)
        let id = input.pack ?? call.game.settings.usualPack
        let pack = try call.game.playable(id)
        let difficulty = input.difficulty ?? .normal
        try call.game.limits.spend(.adventures, .player(player, at: request.client))
        let seed = call.game.dependencies.adventureSeed()
        let speed = call.game.settings.millisecondsPerSecond
        let result = call.result(201, .party(party))
        try await call.game.shards.change(party) { change in
            guard change.party.leader == player else { throw RuleError.notTheLeader }
            change.isRequested(by: device, of: player)
            try change.start(seed: seed, in: pack, difficulty, millisecondsPerSecond: speed)
            change.keep(result)
        }
        return try await call.partyResponse(party, request, status: 201)
    }
}

extension Game {
    /// Returns an adventure's pack.
    func playable(_ id: String) throws(Problem) -> Pack {
        guard let pack = packs.playable(id) else {
            throw Problem.notFound("There is no adventure \"\(id)\": see GET /v1/adventures.")
        }
        return pack
    }
}

extension Difficulty: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let found = Difficulty(named: try container.decode(String.self)) else {
            let names = Self.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "it must be one of \(names)")
        }
        self = found
    }
}
