internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/admin/parties/{party}/boss|loot|storm|end`: the commands of a game master.
enum GameMasterCommands {
    static let routes = [
        route("boss") { try nothing(in: $0, then: .summonBoss) },
        route("loot") { .dropLoot(try Body.decode(Loot.self, from: $0).hero.map { HeroID($0) }) },
        route("storm") { try nothing(in: $0, then: .raiseStorm) },
        route("end") { try nothing(in: $0, then: .end) },
    ]

    private struct Loot: BodyFields {
        /// The hero who finds the loot; all heroes when omitted.
        let hero: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case hero
        }
    }

    private static func nothing(in request: Request, then command: Command) throws -> Command {
        try Body.expectNothing(in: request)
        return command
    }

    private static func route(
        _ name: String, _ command: @escaping @Sendable (Request) throws -> Command
    ) -> APIRoute {
        APIRoute(.post, "/v1/admin/parties/{party}/\(name)", .admin(.gameMaster)) { request, call in
            let party = PartyID(try request.parameter("party"))
            let command = try command(request)
            try await call.changeAsGameMaster(party) { try $0.apply(command) }
            return try await call.partyResponse(party, request)
        }
    }
}
