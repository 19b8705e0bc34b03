internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `/v1/heroes/{hero}/bag`, `orders` and `shop`: what one of the player's heroes has at home, and what
/// it does while its player sleeps.
enum HeroHome {
    static let routes = [
        APIRoute(
            .get, "/v1/heroes/{hero}/bag", .player,
            Contract("returns what a hero has at home", returns: .json(schema)), handle: show),
        APIRoute(
            .put, "/v1/heroes/{hero}/orders", .player,
            Contract("sets a hero's standing orders", body: Orders.self, returns: .json(schema)),
            handle: putOrders),
        APIRoute(
            .post, "/v1/heroes/{hero}/shop", .player,
            Contract(
                "buys potions for a hero's coins", body: Purchase.self,
                returns: .json(HeroView.schema), problems: [409]),
            handle: buy),
    ]

    static let schema = JSONSchema.named(
        "Bag",
        .fields([
            "health": .fraction, "potions": .whole, "coins": .whole, "keepsakes": .whole,
            "gear": .fields([
                "sword": .whole, "shield": .whole, "crown": .whole, "crystal": .whole,
                "cloak": .whole,
            ]),
            "orders": ordersSchema,
            "difficulties": .list(.choice(Difficulty.allCases.map(\.name))),
        ]))

    private static let ordersSchema = JSONSchema.fields([
        "whenDown": .choice(StandingOrders.WhenDown.allCases.map(\.rawValue)),
        "whenFriendDown": .choice(StandingOrders.WhenFriendDown.allCases.map(\.rawValue)),
        "votes": .choice(StandingOrders.Votes.allCases.map(\.rawValue)),
        "setOut": .choice(StandingOrders.SetOut.allCases.map(\.rawValue)),
    ])

    // MARK: Bodies

    /// What is omitted stays as it is.
    private struct Orders: BodyFields {
        let whenDown: StandingOrders.WhenDown?
        let whenFriendDown: StandingOrders.WhenFriendDown?
        let votes: StandingOrders.Votes?
        let setOut: StandingOrders.SetOut?

        enum CodingKeys: CodingKey, CaseIterable {
            case whenDown, whenFriendDown, votes, setOut
        }

        var change: StandingOrders.Change {
            StandingOrders.Change(
                whenDown: whenDown, whenFriendDown: whenFriendDown, votes: votes, setOut: setOut)
        }
    }

    private struct Purchase: BodyFields {
        let potions: Int

        enum CodingKeys: CodingKey, CaseIterable {
            case potions
        }

        static var narrower: [String: JSONSchema] {
            ["potions": .integer(HomeChange.potionCounts)]
        }
    }

    // MARK: Requests

    @Sendable private static func show(_ request: Request, _ call: Call) async throws -> Response {
        let hero = try await call.ownHero(HeroID(try request.parameter("hero")))
        return .json(json(try await call.newest(hero), call.game))
    }

    @Sendable private static func putOrders(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let change = try Body.decode(Orders.self, from: request).change
        let hero = try await call.ownHero(HeroID(try request.parameter("hero")))
        let changed = try await call.change(hero.id, .orders(change), keeping: nil)
        return .json(json(changed, call.game))
    }

    @Sendable private static func buy(_ request: Request, _ call: Call) async throws -> Response {
        let count = try Body.decode(Purchase.self, from: request).potions
        guard HomeChange.potionCounts.contains(count) else {
            throw Problem.badRequest(
                "The field \"potions\" must be 1 to \(HomeChange.potionCounts.upperBound).")
        }
        let hero = try await call.ownHero(HeroID(try request.parameter("hero")))
        let changed = try await call.change(
            hero.id, .buy(potions: count), keeping: call.result(200, .hero(hero.id)))
        return .json(HeroView.json(call.names.hero(changed)))
    }

    private static func json(_ hero: Hero, _ game: Game) -> [UInt8] {
        let (home, now) = (hero.home, game.now.milliseconds)
        let health = home.health(from: hero.healthLevel, of: hero.heroClass, at: now)
        var json = JSONWriter()
        json.beginObject()
        json.field("health", Double(health.thousandths) / 1000)
        json.field("potions", home.potions(of: hero.heroClass, at: now))
        json.field("coins", home.coins)
        json.field("keepsakes", home.keepsakes)
        json.object("gear") { json in
            json.field("sword", home.gear[.sword])
            json.field("shield", home.gear[.shield])
            json.field("crown", home.gear[.crown])
            json.field("crystal", home.gear[.crystal])
            json.field("cloak", home.gear[.cloak])
        }
        json.object("orders") { json in
            json.field("whenDown", home.orders.whenDown.rawValue)
            json.field("whenFriendDown", home.orders.whenFriendDown.rawValue)
            json.field("votes", home.orders.votes.rawValue)
            json.field("setOut", home.orders.setOut.rawValue)
        }
        json.key("difficulties")
        json.beginArray()
        for difficulty in Difficulty.allCases where home.opens(difficulty) {
            json.value(difficulty.name)
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension StandingOrders.WhenDown: Decodable {}
extension StandingOrders.WhenFriendDown: Decodable {}
extension StandingOrders.Votes: Decodable {}
extension StandingOrders.SetOut: Decodable {}

extension Call {
    /// Changes what one of the caller's heroes has: in its party, or at home. Returns the hero.
    fileprivate func change(
        _ id: HeroID, _ change: HomeChange, keeping result: KeptRequest?
    ) async throws -> Hero {
        for _ in 0..<Self.heroTriesMax {
            if let party = try await game.store.party(of: id) {
                let hero = try await game.shards.change(party) { party -> Hero? in
                    guard party.party.anyHero(id) != nil else { return nil }
                    try party.apply(.change(id, change))
                    party.keep(result)
                    return Homecoming(to: party.stored, at: party.now).heroes.first { $0.id == id }
                }
                if let hero { return hero }
            } else if let hero = try await game.store.change(
                id, change, keeping: result, epoch: game.epoch)
            {
                return hero
            }
        }
        throw StoreError.staleHero(id)
    }

    /// Returns the hero as its party has it, if it is in one.
    fileprivate func newest(_ hero: Hero) async throws -> Hero {
        guard let party = try await game.store.party(of: hero.id) else { return hero }
        let stored = try await game.snapshot(of: party).stored
        return Homecoming(to: stored, at: game.now).heroes.first { $0.id == hero.id } ?? hero
    }
}
