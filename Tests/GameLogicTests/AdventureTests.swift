import Content
@testable import GameLogic
import Testing

/// How the story goes by itself: woods, boss, limit, experience.
struct AdventureTests {
    @Test("a hero in the woods is neither hit nor finds anything until they return")
    func woods() throws {
        for seed in UInt64(1)...100 {
            var lost: HeroID?
            var party = try Fixtures.adventurers(seed: seed)
            for event in party.advance(to: Adventure.timeLimit) {
                #expect(lost == nil || event.kind.hero?.id != lost, "seed \(seed)")
                if case .connectionLost(let hero) = event.kind { lost = hero.id }
                if case .connectionReturned = event.kind { lost = nil }
            }
        }
    }

    @Test("Q15: a hero returns at the moment the woods end")
    func returns() throws {
        var party = try Fixtures.adventurers()
        party.members[0].condition = .lostConnection(until: .seconds(7))
        #expect(party.nextChangeAt == .seconds(7))
        let events = party.advance(to: .seconds(7))
        #expect(events.map(\.kind) == [.connectionReturned(Fixtures.panda.tag)])
        #expect(party.members[0].isStanding)
    }

    @Test("when all others are down, the hero in the woods comes back early")
    func returnLostHero() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy])
        party.members[0].condition = .lostConnection(until: .minutes(90))
        party.members[1].knockOut()
        let next = try #require(party.nextChangeAt)
        let events = party.advance(to: next)
        #expect(events.map(\.kind) == [.connectionReturned(Fixtures.panda.tag)])
    }

    @Test("a party without a standing hero is not defeated while one is in the woods")
    func hope() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy])
        party.members[0].condition = .lostConnection(until: .minutes(90))
        party.members[1].health = Health(thousandths: 10)
        let events = try party.apply(.raiseStorm, at: .zero)
        #expect(events.last?.kind == .knockedDown(Fixtures.foxy.tag))
        #expect(party.isOnAdventure)
    }

    @Test("below 30% the boss is enraged, once")
    func enraged() throws {
        for seed in UInt64(1)...50 {
            var party = try Fixtures.adventurers(seed: seed)
            var rages = 0
            while let next = party.nextChangeAt {
                for event in party.advance(to: next) {
                    guard case .bossEnraged = event.kind else { continue }
                    rages += 1
                    let left = try #require(party.adventure?.bossHealth)
                    #expect((1..<300).contains(left))
                }
            }
            #expect(rages <= 1)
        }
    }

    @Test("an adventure ends at the time limit at the latest")
    func timeLimit() throws {
        var party = try Fixtures.adventurers()
        party.adventure?.nextStepAt = .minutes(500)
        let events = party.advance(to: .minutes(500))
        #expect(events.map(\.kind) == [.nightFell, .over(.timeLimit)])
        #expect(events.map(\.time) == [Adventure.timeLimit, Adventure.timeLimit])
    }

    @Test("time never runs backwards: a late command counts as of now")
    func backwards() throws {
        var party = try Fixtures.adventurers()
        _ = party.advance(to: .seconds(20))
        #expect(party.advance(to: .seconds(5)) == [])
        let events = try party.apply(.raiseStorm, at: .seconds(5))
        #expect(!events.isEmpty && events.allSatisfy { $0.time == .seconds(20) })
    }

    @Test("whoever defeats the boss learns most, and everybody learns")
    func exp() throws {
        var party = try Fixtures.adventurers()
        party.adventure?.phase = .boss(.kraken, health: 1)
        let next = try #require(party.nextChangeAt)
        let events = party.advance(to: next)
        let outcome = Outcome.bossDefeated(.kraken, by: Fixtures.panda.tag)
        #expect(
            events.map(\.kind) == [
                .bossDefeated(.kraken, by: Fixtures.panda.tag), .over(outcome),
            ])
        // 400 and 300, and 5 percent more for each of three companions.
        #expect(party.members.map(\.hero.exp) == [460, 345, 345, 345])
    }

    @Test("everybody on their feet earns by a defeated foe, and the last blow a quarter more")
    func foeExp() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy, Fixtures.spouty])
        party.members[2].knockOut()
        party.adventure?.fight = Adventure.Fight(foe: .troll, prey: nil, health: 1)
        let next = try #require(party.nextChangeAt)
        let events = party.advance(to: next)
        #expect(events.map(\.kind) == [.foeDefeated(.troll, by: Fixtures.panda.tag)])
        let exp = try #require(EmbeddedPacks.classic.foes[.troll]?.exp)
        #expect(party.members.map(\.outing.earned) == [exp + exp / 4, exp, 0])
    }

    @Test("experience is bounded, whatever was stored")
    func expBounds() {
        var hero = Fixtures.panda
        hero.exp = .max
        hero.learn(500)
        #expect(hero.exp == Hero.expMax)
    }

    @Test("a step's events end with the most important one: no wound hides a knock-down")
    func mostTelling() throws {
        for seed in UInt64(1)...100 {
            var party = try Fixtures.adventurers(Fixtures.heroes(8), seed: seed)
            while let next = party.nextChangeAt {
                let ranks = party.advance(to: next).map { $0.kind.rank }.filter { $0 > 0 }
                #expect(ranks == ranks.sorted(), "seed \(seed)")
                #expect(ranks.count <= 8)
            }
        }
    }

    @Test("something happens at least once a minute, unless the story waits for a last stand")
    func pace() throws {
        for seed in UInt64(1)...50 {
            var party = try Fixtures.adventurers(seed: seed)
            let times = party.advance(to: Adventure.timeLimit).map(\.time)
            for (earlier, later) in zip([.zero] + times, times) {
                #expect(later - earlier <= .seconds(90), "seed \(seed)")
            }
        }
    }

    @Test("an adventure has a shape: a calm first quarter, a boss in the last half")
    func shape() throws {
        var early = 0
        for seed in UInt64(1)...100 {
            var party = try Fixtures.adventurers(seed: seed)
            let events = party.advance(to: Adventure.timeLimit)
            let half = (events.last?.time.milliseconds ?? 0) / 2
            for event in events {
                if case .bossAppeared = event.kind { #expect(event.time.milliseconds > half) }
                if case .knockedDown = event.kind, event.time.milliseconds < half / 2 { early += 1 }
            }
        }
        #expect(early <= 3)
    }
}

extension PartyEvent.Kind {
    /// The hero to whom something was done on the road.
    var hero: HeroTag? {
        if case .commonLootFound(let hero, _) = self { return hero }
        if case .rareLootFound(let hero, _) = self { return hero }
        if case .smallHeal(let hero, _) = self { return hero }
        if case .hurt(let hero, _, _) = self { return hero }
        if case .criticallyHit(let hero, _, _) = self { return hero }
        if case .knockedDown(let hero) = self { return hero }
        if case .foeDefeated(_, let hero) = self { return hero }
        return nil
    }

    /// The later, the more telling.
    var rank: Int {
        if case .adventureOver = self { return 5 }
        if case .bossDefeated = self { return 4 }
        if self == .partyDefeated || self == .nightFell { return 4 }
        if case .knockedDown = self { return 3 }
        if case .criticallyHit = self { return 2 }
        if case .hurt = self { return 1 }
        return 0
    }
}
