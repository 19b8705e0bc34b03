@testable import GameLogic
import Content
import Testing

/// A fall is not the end.
@Suite("Falls")
struct FallTests {
    /// A story in which nothing happens for an hour but what a test does: orders act after 120 s, a
    /// last stand lasts 60 s, and a second wind comes after 400 s, once.
    private static let pack = Pack(
        Pack.Reference(id: "quiet", version: 1), strength: 100,
        timeLimit: .minutes(120),
        patience: Pack.Patience(order: 120, lastStand: 60, secondWind: 400, secondWinds: 1),
        stages: [
            Pack.Stage(
                id: "plain", steps: 3, pace: 3600...3600,
                scenes: [Weighted(.commonLoot, weight: 1)], foes: [], exit: .stage(1))
        ], finale: [Weighted(.dragon, weight: 1)], foes: [:], bosses: [.dragon: boss],
        commonLoot: [Weighted(.coin, weight: 1)], rareLoot: [Weighted(.sword, weight: 1)])

    private static let boss = BossTraits(
        health: 1000, pace: 20...20, damage: 1...1, exp: 100, lastBlowExp: 0,
        phases: [BossTraits.Phase(below: 100, damage: 100, moves: [.blow])])

    /// Four heroes on their way, with these potions and orders.
    private static func party(
        potions: [Int], orders: [StandingOrders] = [], in pack: Pack = pack
    ) throws -> Party {
        var party = try Fixtures.party(of: Array(Fixtures.four.prefix(potions.count)))
        _ = try party.apply(.start(seed: 3, pack, Departure()), at: .zero)
        for (index, count) in potions.enumerated() {
            party.members[index].potions = count
            if index < orders.count { party.members[index].outing.orders = orders[index] }
        }
        return party
    }

    /// Knocks heroes down in one blow. Returns what happened.
    private static func fall(_ places: [Int], in party: inout Party) throws -> [EventName] {
        var engine = try #require(AdventureEngine(of: party))
        for place in places { engine.party.members[place].health = .none }
        engine.knockDown(places)
        party = engine.finishedParty
        return engine.events.map(\.kind.name)
    }

    private static func told(_ events: [PartyEvent]) -> [String] {
        events.filter { $0.kind.name != .commonLootFound }
            .map { "\($0.time.milliseconds / 1000) \($0.kind.name)" }
    }

    private static let askOnly = StandingOrders(
        whenDown: .ask, whenFriendDown: .ask, votes: .silent)

    @Test("who has a potion is not asked for: the standing order drinks after its time, once")
    func order() throws {
        var party = try Self.party(potions: [2, 1])
        #expect(try Self.fall([0], in: &party) == [.knockedDown])
        #expect(Self.told(party.advance(to: .seconds(121))) == ["120 potionUsed", "120 revived"])
        #expect(party.members[0].potions == 1)
        #expect(party.members[0].health.thousandths >= 300)
        _ = try Self.fall([0], in: &party)
        // The order has worked; the second wind is left.
        #expect(Self.told(party.advance(to: .seconds(521))) == ["521 secondWind"])
        _ = try Self.fall([0], in: &party)
        #expect(Self.told(party.advance(to: .seconds(3000))).isEmpty)
    }

    @Test("the order to drink acts with the next step, the order to ask never")
    func atOnce() throws {
        let drink = StandingOrders(whenDown: .drink, whenFriendDown: .ask, votes: .silent)
        var party = try Self.party(potions: [1, 1], orders: [drink, Self.askOnly])
        _ = try Self.fall([0], in: &party)
        let next = try #require(party.adventure?.nextStepAt)
        #expect(party.members[0].outing.fall.orderAt == next)
        party = try Self.party(potions: [1, 1], orders: [Self.askOnly, Self.askOnly])
        _ = try Self.fall([0], in: &party)
        #expect(Self.told(party.advance(to: .seconds(399))).isEmpty)
        #expect(Self.told(party.advance(to: .seconds(400))) == ["400 secondWind"])
    }

    @Test(
        "without a potion the friend with the most is asked, three minutes later one more, no third"
    )
    func help() throws {
        let orders = Array(repeating: Self.askOnly, count: 4)
        var party = try Self.party(potions: [0, 1, 3, 2], orders: orders)
        #expect(try Self.fall([0], in: &party) == [.knockedDown, .helpAsked])
        #expect(party.members[0].outing.fall.asked == [party.members[2].hero.id])
        let later = party.advance(to: .seconds(399))
        #expect(Self.told(later) == ["180 helpAsked"])
        #expect(
            party.members[0].outing.fall.asked
                == [party.members[2].hero.id, party.members[3].hero.id])
    }

    @Test("a friend gives by order, if two potions are left; who never gives is not asked")
    func giving() throws {
        let never = StandingOrders(whenDown: .ask, whenFriendDown: .never, votes: .silent)
        var party = try Self.party(potions: [0, 2, 9], orders: [Self.askOnly])
        party.members[2].outing.orders = never
        #expect(try Self.fall([0], in: &party) == [.knockedDown, .helpAsked])
        #expect(party.members[0].outing.fall.asked == [party.members[1].hero.id])
        #expect(Self.told(party.advance(to: .seconds(121))) == ["120 potionUsed", "120 revived"])
        #expect(party.members.map(\.potions) == [0, 1, 9])
        // Once an adventure, and one is not enough.
        _ = try Self.fall([0], in: &party)
        #expect(!Self.told(party.advance(to: .seconds(300))).contains { $0.contains("potionUsed") })
    }

    @Test("a friend whose order to give has worked is asked at the next fall")
    func askedAgain() throws {
        let give = StandingOrders(whenDown: .ask, whenFriendDown: .give, votes: .silent)
        var party = try Self.party(potions: [0, 5], orders: [Self.askOnly, give])
        #expect(try Self.fall([0], in: &party) == [.knockedDown])
        party.members[1].outing.hasGivenByOrder = true
        party.members[0].health = .full
        party.members[0].condition = .standing
        #expect(try Self.fall([0], in: &party) == [.knockedDown, .helpAsked])
    }

    @Test("heroes who fall in one blow do not ask each other")
    func together() throws {
        let orders = Array(repeating: Self.askOnly, count: 3)
        var party = try Self.party(potions: [0, 4, 1], orders: orders)
        _ = try Self.fall([0, 1], in: &party)
        #expect(party.members[0].outing.fall.asked == [party.members[2].hero.id])
    }

    @Test("when all are down and somebody has a potion, the story waits; a potion ends the wait")
    func lastStand() throws {
        var party = try Self.party(potions: [0, 1], orders: [Self.askOnly, Self.askOnly])
        let events = try Self.fall([0, 1], in: &party)
        #expect(events == [.knockedDown, .knockedDown, .lastStand])
        #expect(party.adventure?.course.lastStandUntil == .seconds(60))
        _ = try party.apply(
            .usePotion(by: party.members[1].hero.id, on: party.members[1].hero.id),
            at: .seconds(59))
        #expect(party.adventure?.course.lastStandUntil == nil)
        #expect(party.isOnAdventure)
    }

    @Test("nobody answers a last stand: an unused order drinks; without one all is lost")
    func endOfLastStand() throws {
        var party = try Self.party(potions: [0, 1])
        _ = try Self.fall([0, 1], in: &party)
        #expect(Self.told(party.advance(to: .seconds(60))) == ["60 potionUsed", "60 revived"])
        #expect(party.isOnAdventure)
        party = try Self.party(potions: [0, 1], orders: [Self.askOnly, Self.askOnly])
        _ = try Self.fall([0, 1], in: &party)
        #expect(
            Self.told(party.advance(to: .seconds(60))) == ["60 partyDefeated", "60 adventureOver"])
        party = try Self.party(potions: [0, 0])
        #expect(
            try Self.fall([0, 1], in: &party)
                == [.knockedDown, .knockedDown, .partyDefeated, .adventureOver])
    }

    @Test("all who can end a last stand are told so in one sentence")
    func tellings() throws {
        let orders = Array(repeating: Self.askOnly, count: 3)
        let party = try Self.party(potions: [1, 1, 1], orders: orders)
        var engine = try #require(AdventureEngine(of: party))
        for place in 0...2 { engine.party.members[place].health = .none }
        engine.knockDown([0, 1, 2])
        let stands = engine.events.filter { $0.kind.name == .lastStand }
        #expect(stands.count == 3 && Set(stands.map(\.telling)).count == 1)
    }

    @Test("who joins during a last stand ends it")
    func joining() throws {
        var party = try Self.party(potions: [0, 1])
        _ = try Self.fall([0, 1], in: &party)
        _ = try party.apply(.join(Fixtures.four[3]), at: .seconds(10))
        #expect(party.adventure?.course.lastStandUntil == nil)
        _ = party.advance(to: .seconds(61))
        #expect(party.isOnAdventure)
    }

    @Test("each potion does less for the same hero, but at least 200")
    func wear() throws {
        var party = try Self.party(potions: [9, 1])
        var healed: [Int] = []
        for number in 0..<5 {
            _ = try Self.fall([0], in: &party)
            let hero = party.members[0].hero.id
            _ = try party.apply(.usePotion(by: hero, on: hero), at: .seconds(Int64(number)))
            healed.append(party.members[0].health.thousandths)
        }
        let bonus = party.members[0].outing.heroClass.potionBonus
        #expect(healed == [500, 400, 300, 200, 200].map { $0 + bonus })
    }

    @Test("home after a fall with 100, and no hero learns less from a defeat than half")
    func home() throws {
        var party = try Self.party(potions: [0, 1])
        party.members[0].outing.earned = 100
        party.members[1].outing.earned = 100
        _ = try Self.fall([0], in: &party)
        _ = try party.apply(.arrange(.end(.partyDefeated)), at: .seconds(1))
        #expect(party.members[0].hero.healthLevel.thousandths == Home.healthAfterFall)
        #expect(party.members[1].hero.healthLevel == .full)
        // Company adds 5 percent.
        #expect(party.members.map(\.hero.exp) == [52, 52])
    }

    @Test("a training opens no difficulty; a quest does")
    func difficulties() throws {
        for (kind, won) in [(Pack.Kind.training, nil), (.quest, .hard)]
            as [(Pack.Kind, Difficulty?)]
        {
            let pack = Pack(
                Self.pack.reference, kind: kind, strength: 100, timeLimit: .minutes(120),
                stages: Self.pack.stages, finale: Self.pack.finale, foes: [:],
                bosses: Self.pack.bosses, commonLoot: Self.pack.commonLoot,
                rareLoot: Self.pack.rareLoot)
            var party = try Self.party(potions: [1, 1], in: pack)
            party.adventure?.course.difficulty = .hard
            var engine = try #require(AdventureEngine(of: party))
            engine.end(.bossDefeated(.dragon, by: party.members[0].hero.tag))
            party = engine.finishedParty
            #expect(party.members.map(\.hero.home.hardestWin) == [won, won])
        }
    }
}
