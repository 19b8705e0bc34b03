internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets

/// `POST /v1/heroes` creates a hero for the player.
enum CreateHero {
    static let route = APIRoute(
        .post, "/v1/heroes", .player,
        Contract(
            "creates a hero", body: Input.self, status: 201, returns: .json(HeroView.schema),
            problems: [409]),
        handle: respond)
    static let heroesMax = 100
    private static let idLength = 16

    private struct Input: BodyFields {
        let name: String
        let avatar: String
        let heroType: String
        /// 0…1; 0.3 when omitted.
        let healthRecoveryRatePerHour: Double?

        enum CodingKeys: CodingKey, CaseIterable {
            case name, avatar, heroType, healthRecoveryRatePerHour
        }

        static var narrower: [String: JSONSchema] {
            [
                "name": .string(pattern: nil, lengths: 1...DisplayName.bytesMax),
                "avatar": Text.emojiSchema,
                "heroType": .string(pattern: nil, lengths: 1...DisplayName.bytesMax),
                "healthRecoveryRatePerHour": .fraction,
            ]
        }
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let hero = try hero(from: input, owner: call.player)
        for name in [hero.name, hero.heroType] where !call.game.nameRules.allows(name) {
            throw Problem.conflict("The name \"\(name)\" is not allowed here: choose another.")
        }
        try await call.game.store.insert(
            hero, amongAtMost: heroesMax, keeping: call.result(201, .hero(hero.id)),
            epoch: call.game.epoch)
        call.game.names.note(hero)
        return .json(HeroView.json(hero), status: 201)
    }

    private static func hero(from input: Input, owner: PlayerID) throws(Problem) -> Hero {
        let rate = input.healthRecoveryRatePerHour ?? 0.3
        guard (0...1).contains(rate) else {
            throw Problem.badRequest(
                "The field \"healthRecoveryRatePerHour\" must be a number from 0 to 1.")
        }
        return Hero(
            id: HeroID("hero-" + RandomText.name(length: idLength)), owner: owner,
            name: try DisplayName.checked(
                input.name, field: "name", limit: Hero.newNameLengthMax),
            avatar: try Text.emoji(input.avatar, field: "avatar"),
            heroType: try DisplayName.checked(
                input.heroType, field: "heroType", limit: Hero.heroTypeLengthMax),
            healthRecoveryRatePerHour: Int((rate * 1000).rounded()))
    }
}
