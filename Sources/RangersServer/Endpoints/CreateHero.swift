internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import Secrets
internal import UnicodeText

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
        /// Words for the class, those of `HeroClass`; any others make a wanderer.
        let heroType: String?
        /// The class, in place of words for it.
        let `class`: HeroClass?
        /// 0…1. The class decides; older apps send it.
        let healthRecoveryRatePerHour: Double?

        enum CodingKeys: CodingKey, CaseIterable {
            case name, avatar, heroType, `class`, healthRecoveryRatePerHour
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
            throw Problem.conflict(
                "The name \"\(name.isolated)\" is not allowed here: choose another.")
        }
        if try await insert(hero, call) {
            call.game.names.note(hero)
        }
        return .json(HeroView.json(hero), status: 201)
    }

    /// Adds the hero. Returns whether somebody has blocked its player.
    private static func insert(_ hero: Hero, _ call: Call) async throws -> Bool {
        let (game, result) = (call.game, call.result(201, .hero(hero.id)))
        let firstMax = game.settings.firstHeroesMax
        do {
            return try await game.store.insert(
                hero, amongAtMost: firstMax, keeping: result, epoch: game.epoch)
        } catch StoreError.tooManyHeroes where firstMax < heroesMax {
            // An adventure once begun stays so, whatever happens meanwhile.
            guard try await call.hasBeenAway else { throw Problem.tooManyFirstHeroes(firstMax) }
            return try await game.store.insert(
                hero, amongAtMost: heroesMax, keeping: result, epoch: game.epoch)
        }
    }

    private static func hero(from input: Input, owner: PlayerID) throws(Problem) -> Hero {
        guard (0...1).contains(input.healthRecoveryRatePerHour ?? 0) else {
            throw Problem.badRequest(
                "The field \"healthRecoveryRatePerHour\" must be a number from 0 to 1.")
        }
        let type = try heroType(from: input)
        return Hero(
            id: HeroID("hero-" + RandomText.name(length: idLength)), owner: owner,
            name: try DisplayName.checked(
                input.name, field: "name", limit: Hero.nameLengthMax),
            avatar: try Text.emoji(input.avatar, field: "avatar"),
            heroType: type)
    }

    /// The words for the class: one of the two fields says which. Without both it is a wanderer.
    private static func heroType(from input: Input) throws(Problem) -> String {
        guard let words = input.heroType else { return (input.class ?? .wanderer).heroType }
        guard (input.class ?? HeroClass(heroType: words)) == HeroClass(heroType: words) else {
            throw Problem.conflict(
                "\"\(words.isolated)\" does not match \"class\": omit one of the two fields.")
        }
        return try DisplayName.checked(
            words, field: "heroType", limit: Hero.heroTypeLengthMax)
    }
}

extension Call {
    /// Whether one of the player's heroes has set out on an adventure.
    fileprivate var hasBeenAway: Bool {
        get async throws {
            let player = try player
            let heroes = try await game.store.heroes(of: player)
            if heroes.contains(where: { $0.home.since != nil }) { return true }
            // What a party knows of its heroes is newer.
            return try await game.store.parties(of: player).contains { stored in
                stored.party.members.contains {
                    $0.hero.owner == player && ($0.outing.hasSetOut || $0.hero.home.since != nil)
                }
            }
        }
    }
}

extension Problem {
    fileprivate static func tooManyFirstHeroes(_ limit: Int) -> Problem {
        .conflict("A player can have at most \(limit) heroes before the first adventure.")
    }
}

extension HeroClass: Decodable {}
