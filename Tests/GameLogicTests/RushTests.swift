@testable import GameLogic
import Testing

/// A boss rush whose bosses fall at the first blow: the dragon comes at 30 s and falls at 50 s, the
/// kraken at 95 and 115 s, the robot at 160 and 180 s.
enum Rush {
    static let pack = Pack(
        Pack.Reference(id: "rush", version: 1), kind: .bossRush, strength: 100,
        timeLimit: .minutes(60), patience: Pack.Patience(lastStand: 60), bag: 2,
        stages: [
            Pack.Stage(
                id: "plain", steps: 1, pace: 15...15, scenes: [Weighted(.commonLoot, weight: 1)],
                foes: [], exit: .stage(1))
        ], finale: [],
        rush: Pack.Rush(order: [.dragon, .kraken, .robot], breath: 45, breather: 200, refill: [2]),
        foes: [:], bosses: [.dragon: boss, .kraken: boss, .robot: boss],
        commonLoot: [Weighted(.coin, weight: 1)], rareLoot: [Weighted(.sword, weight: 1)])

    private static let boss = BossTraits(
        health: 1, pace: 20...20, damage: 1...1, exp: 100, lastBlowExp: 0,
        phases: [BossTraits.Phase(below: 100, damage: 100, moves: [.blow])])

    static let fall = GameTime.seconds(50)
    static let breathEnd = GameTime.seconds(95)
    static let secondFall = GameTime.seconds(115)

    /// Four heroes, or others, who have set out.
    static func party(of heroes: [Hero] = Fixtures.four) throws -> Party {
        var party = try Fixtures.party(of: heroes)
        _ = try party.apply(.start(seed: 3, pack, Departure()), at: .zero)
        return party
    }

    /// A party that takes its first breath.
    static func breath(of heroes: [Hero] = Fixtures.four) throws -> Party {
        var party = try party(of: heroes)
        _ = party.advance(to: fall)
        return party
    }
}

extension Party {
    fileprivate var stopAsk: Ask? { adventure?.course.asks.first { $0.kind == .stop } }

    fileprivate mutating func answer(_ hero: Hero, yes: Bool, at time: GameTime) throws
        -> [PartyEvent.Kind]
    {
        let ask = try #require(stopAsk)
        return try apply(.answer(hero.id, ask: ask.id, yes: yes), at: time).map(\.kind)
    }
}

@Suite("Boss rush: bosses come one after another")
struct RushTests {
    private static func isStory(_ kind: PartyEvent.Kind) -> Bool {
        switch kind.name {
        case .bossAppeared, .breathTaken, .potionsRefilled, .stopAsked, .adventureOver: true
        default: false
        }
    }

    @Test("the bosses come in their order, with a breath between two; the last one is the victory")
    func order() throws {
        var party = try Rush.party()
        let events = party.advance(to: .minutes(60))
        let told = events.filter { Self.isStory($0.kind) }
            .map { "\($0.time.milliseconds / 1000) \($0.kind.name)" }
        #expect(
            told == [
                "30 bossAppeared", "50 breathTaken", "50 stopAsked", "95 bossAppeared",
                "115 breathTaken", "115 potionsRefilled", "115 stopAsked", "160 bossAppeared",
                "180 adventureOver",
            ])
        let bosses = events.compactMap { event in
            if case .bossAppeared(let boss) = event.kind { boss } else { nil }
        }
        #expect(bosses == [.dragon, .kraken, .robot])
        let outcome = try #require(party.adventure?.outcome)
        guard case .bossDefeated(.robot, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("a breath heals those who stand by 200, to the full; it wakes nobody")
    func breather() throws {
        var party = try Rush.party()
        _ = party.advance(to: .seconds(49))
        for (index, health) in [300, 900, 1000, 0].enumerated() {
            party.members[index].health = Health(thousandths: health)
        }
        party.members[3].condition = .knockedDown
        _ = party.advance(to: Rush.fall)
        #expect(party.members.map(\.health.thousandths) == [500, 1000, 1000, 0])
        #expect(party.members[3].isKnockedDown)
    }

    @Test("after the second boss each hero finds a potion, nine at most; the fallen too")
    func refill() throws {
        var party = try Rush.party()
        _ = party.advance(to: .seconds(114))
        for (index, count) in [0, 2, 9, 1].enumerated() { party.members[index].potions = count }
        party.members[3].health = .none
        party.members[3].condition = .knockedDown
        _ = party.advance(to: Rush.secondFall)
        #expect(party.members.map(\.potions) == [1, 3, 9, 2])
    }

    @Test("what belongs to the fight ends with it")
    func fight() throws {
        var party = try Rush.party()
        _ = party.advance(to: .seconds(49))
        party.adventure?.course.asks = [
            Ask(id: 1, kind: .brace, endsAt: nil),
            Ask(id: 2, kind: .guardFriend(Fixtures.foxy.id), endsAt: nil),
        ]
        party.adventure?.course.nextAsk = 3
        party.adventure?.course.isGathering = true
        party.adventure?.course.guards = [
            Adventure.Guard(hero: Fixtures.foxy.id, friend: Fixtures.panda.id, blows: 2)
        ]
        _ = party.advance(to: Rush.fall)
        let course = try #require(party.adventure?.course)
        #expect(course.asks.map(\.kind) == [.stop])
        #expect(course.guards.isEmpty && !course.isGathering)
        #expect(course.fallenBosses == 1 && course.breathUntil == Rush.breathEnd)
    }

    @Test("a boss whom a game master brings ends the breath, and takes the place of the next one")
    func gameMaster() throws {
        var party = try Rush.breath()
        _ = try party.apply(.arrange(.boss(.robot)), at: .seconds(60))
        #expect(party.adventure?.boss == .robot)
        #expect(party.stopAsk == nil && party.adventure?.course.breathUntil == nil)
        _ = party.advance(to: .seconds(80))
        #expect(party.adventure?.course.fallenBosses == 2)
        _ = try party.apply(.summonBoss, at: .seconds(90))
        #expect(party.adventure?.boss == .robot)
        _ = party.advance(to: .minutes(60))
        #expect(party.adventure?.course.fallenBosses == 3)
    }

    @Test("a boss who is brought before the first ends the way")
    func early() throws {
        var party = try Rush.party()
        _ = try party.apply(.summonBoss, at: .seconds(1))
        #expect(party.adventure?.boss == .dragon)
        let events = party.advance(to: .seconds(66)).map(\.kind)
        #expect(events.last == .bossAppeared(.kraken))
        #expect(!events.contains { $0.name == .commonLootFound })
    }

    @Test("a last stand in a breath brings the next boss no earlier")
    func lastStand() throws {
        var party = try Rush.breath()
        for index in party.members.indices {
            party.members[index].health = Health(thousandths: 1)
        }
        _ = try party.apply(.raiseStorm, at: .seconds(51))
        #expect(party.adventure?.course.lastStandUntil == .seconds(111))
        let panda = Fixtures.panda.id
        _ = try party.apply(.usePotion(by: panda, on: panda), at: .seconds(55))
        _ = party.advance(to: .seconds(94))
        #expect(party.adventure?.boss == nil)
        _ = party.advance(to: Rush.breathEnd)
        #expect(party.adventure?.boss == .kraken)
    }

    @Test("the same in one step or in many, and replayed with its answers")
    func determinism() throws {
        var one = try Rush.party()
        var many = one
        let told = one.advance(to: .minutes(60))
        let seconds = (0...400).flatMap { many.advance(to: .seconds($0)) }
        #expect(told == seconds && one == many)
        var party = try Rush.breath()
        let ask = try #require(party.stopAsk)
        let answers = Fixtures.four.dropFirst().map { hero in
            (Command.answer(hero.id, ask: ask.id, yes: true), GameTime.seconds(70))
        }
        for (command, time) in answers { _ = try party.apply(command, at: time) }
        let joins = Fixtures.four.map { (Command.join($0), GameTime.zero) }
        let start = (Command.start(seed: 3, Rush.pack, Departure()), GameTime.zero)
        let replayed = try Party.replay(
            from: Party(id: party.id), commands: joins + [start] + answers,
            through: .minutes(60))
        #expect(replayed.0 == party)
    }

    @Test("no more bosses fall than there are, and only a boss rush has breaths")
    func restored() throws {
        func restored(fallen: Int, breath: GameTime?, in pack: Pack) throws -> Adventure? {
            let course = try #require(
                Adventure.Course(
                    difficulty: .normal, stage: 0, stageSteps: 0, bossPhase: 0, move: 0,
                    isGathering: false, lastStandUntil: nil, asks: [], nextAsk: 1, guards: [],
                    hasAskedToFlee: false, fallenBosses: fallen, breathUntil: breath))
            return Adventure(
                pack: pack, seed: 1, phase: .quest, advancedTo: .zero, fight: nil,
                random: SeededRandom(seed: 1), nextStepAt: .zero, steps: 0,
                lastScene: nil, departed: [], course: course)
        }
        #expect(try restored(fallen: 3, breath: .seconds(9), in: Rush.pack) != nil)
        #expect(try restored(fallen: 4, breath: nil, in: Rush.pack) == nil)
        let classic = try #require(Fixtures.adventurers().adventure?.pack)
        #expect(try restored(fallen: 1, breath: nil, in: classic) == nil)
        #expect(try restored(fallen: 0, breath: .seconds(9), in: classic) == nil)
    }
}

@Suite("Boss rush: stopping between two bosses")
struct StopTests {
    @Test("more than half of all heroes end it: no victory, no defeat, and all experience")
    func majority() throws {
        var party = try Rush.breath()
        #expect(try party.answer(Fixtures.panda, yes: true, at: .seconds(60)) == [])
        #expect(try party.answer(Fixtures.egghead, yes: true, at: .seconds(61)) == [])
        #expect(
            try party.answer(Fixtures.foxy, yes: true, at: .seconds(62))
                == [.stopped, .over(.stopped, in: Rush.pack)])
        #expect(party.adventure?.outcome == .stopped)
        // 100 for the boss, and 15 percent for company.
        #expect(party.members.map(\.hero.exp) == [115, 115, 115, 115])
        #expect(party.members.map(\.hero.home.hardestWin) == [nil, nil, nil, nil])
        #expect(party.members.map(\.hero.home.coins).reduce(0, +) == 1)
        #expect(party.nextChangeAt == nil)
    }

    @Test("half of them do not, and silence goes on")
    func half() throws {
        var party = try Rush.breath()
        #expect(party.stopAsk?.endsAt == Rush.breathEnd)
        for hero in [Fixtures.panda, Fixtures.egghead] {
            #expect(try party.answer(hero, yes: true, at: .seconds(60)) == [])
        }
        let id = try #require(party.stopAsk?.id)
        let events = party.advance(to: Rush.breathEnd)
        #expect(events.map(\.kind) == [.bossAppeared(.kraken)])
        #expect(party.stopAsk == nil)
        expectRefusal(
            .noSuchAsk(id), of: .answer(Fixtures.foxy.id, ask: id, yes: true), by: &party)
    }

    @Test("the last answer counts")
    func changedMind() throws {
        var party = try Rush.breath(of: [Fixtures.panda, Fixtures.egghead])
        _ = try party.answer(Fixtures.panda, yes: true, at: .seconds(60))
        _ = try party.answer(Fixtures.panda, yes: false, at: .seconds(61))
        #expect(try party.answer(Fixtures.egghead, yes: true, at: .seconds(62)) == [])
        #expect(
            try party.answer(Fixtures.panda, yes: true, at: .seconds(63)).last
                == .over(.stopped, in: Rush.pack))
    }

    @Test("a hero alone decides alone")
    func alone() throws {
        var party = try Rush.breath(of: [Fixtures.panda])
        #expect(
            try party.answer(Fixtures.panda, yes: true, at: .seconds(60)).last
                == .over(.stopped, in: Rush.pack))
    }

    @Test("the fallen are asked too, and count: one on their feet cannot stop for four")
    func fallen() throws {
        var party = try Rush.breath()
        for index in 1...3 {
            party.members[index].health = .none
            party.members[index].condition = .knockedDown
        }
        #expect(try party.answer(Fixtures.panda, yes: true, at: .seconds(60)) == [])
        #expect(try party.answer(Fixtures.egghead, yes: true, at: .seconds(60)) == [])
        #expect(try party.answer(Fixtures.foxy, yes: true, at: .seconds(60)).first == .stopped)
    }

    @Test("when a hero leaves, the end of the breath counts again")
    func leaving() throws {
        var party = try Rush.breath()
        for hero in [Fixtures.panda, Fixtures.egghead] {
            _ = try party.answer(hero, yes: true, at: .seconds(60))
        }
        _ = try party.apply(.leave(Fixtures.foxy.id), at: .seconds(70))
        #expect(!party.advance(to: .seconds(94)).contains { $0.kind == .stopped })
        let events = party.advance(to: Rush.breathEnd)
        #expect(events.map(\.kind) == [.stopped, .over(.stopped, in: Rush.pack)])
    }
}
