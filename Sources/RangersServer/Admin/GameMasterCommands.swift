internal import GameLogic
internal import HTTPServer
internal import PartyStore

/// `POST /v1/admin/parties/{party}/boss|loot|storm|end`: the commands of a game master.
enum GameMasterCommands {
    static let routes = [
        route("boss", "makes the boss appear now", Body.Nothing.self) { _ in .summonBoss },
        route("loot", "gives rare loot to one hero or to all", Loot.self) {
            .dropLoot($0.hero.map { HeroID($0) })
        },
        route("storm", "raises a storm that hits every hero", Body.Nothing.self) { _ in .raiseStorm
        },
        route("end", "ends the adventure in a minute, unless it is resumed", Body.Nothing.self) {
            _ in Command.arrange(.end(.endedByGameMaster)).withTimeToUndo
        },
    ]

    private struct Loot: BodyFields {
        /// The hero who finds the loot; all heroes when omitted.
        let hero: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case hero
        }
    }

    private static func route<Input: BodyFields>(
        _ name: String, _ summary: String, _ body: Input.Type,
        _ command: @escaping @Sendable (Input) -> Command
    ) -> APIRoute {
        APIRoute(
            .post, "/v1/admin/parties/{party}/\(name)", .admin(.gameMaster),
            Contract(summary, body: body, returns: .party, problems: [409])
        ) { request, call in
            let party = PartyID(try request.parameter("party"))
            let command = command(try Body.decode(Input.self, from: request))
            try await call.changeAsGameMaster(party) { try $0.apply(command) }
            return try await call.partyResponse(party, request)
        }
    }
}
