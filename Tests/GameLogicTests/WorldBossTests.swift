@testable import GameLogic
import Testing

/// A shift whose boss comes at 30 s and strikes every 20 s; it does not fall in an hour.
enum Shift {
    static let boss = Boss("tide/1.arm")
    static let pack = Pack(
        Pack.Reference(id: "tide", version: 1), kind: .worldBoss, strength: 100,
        timeLimit: .minutes(60), bag: 2,
        stages: [
            Pack.Stage(
                id: "beach", steps: 1, pace: 15...15, scenes: [Weighted(.commonLoot, weight: 1)],
                foes: [], exit: .stage(1))
        ], finale: [Weighted(boss, weight: 1)], foes: [:],
        bosses: [
            boss: BossTraits(
                health: 100_000, pace: 20...20, damage: 1...1, exp: 250, lastBlowExp: 0,
                phases: [BossTraits.Phase(below: 100, damage: 100, moves: [.blow])])
        ],
        commonLoot: [Weighted(.coin, weight: 1)], rareLoot: [Weighted(.sword, weight: 1)])

    static func party(of heroes: [Hero] = Fixtures.four) throws -> Party {
        var party = try Fixtures.party(of: heroes)
        _ = try party.apply(.start(seed: 3, pack, Departure()), at: .zero)
        return party
    }

    static func points(of events: [PartyEvent]) -> [Int] {
        events.compactMap { event in
            if case .worldHit(points: let points) = event.kind { points } else { nil }
        }
    }
}

@Suite("World boss: a shift of all parties' fight")
struct WorldBossTests {
    @Test("a blow counts what the party strikes, times its size", arguments: [1, 4, 8])
    func points(count: Int) throws {
        var party = try Shift.party(of: Fixtures.heroes(count))
        let events = party.advance(to: .seconds(130))
        let points = Shift.points(of: events)
        #expect(points.count == 5)
        guard case .boss(_, let left)? = party.adventure?.phase else {
            Issue.record("the boss is not there")
            return
        }
        #expect(points.reduce(0, +) == (100_000 - left) * count)
        #expect(party.adventure?.course.worldPoints == points.reduce(0, +))
        // Each hero counts alike, whatever the party's size.
        let each = points.reduce(0, +) / (5 * count)
        #expect((50...100).contains(each))
    }

    @Test("each stage takes effect once, in falling order, even before the boss comes")
    func stages() throws {
        var party = try Shift.party()
        let first = try party.apply(.worldStage(.threeQuarters), at: .seconds(5))
        #expect(first.map(\.kind) == [.worldBossWeakened(Shift.boss, .threeQuarters)])
        expectRefusal(
            .worldStagePassed, of: .worldStage(.threeQuarters), by: &party, at: .seconds(6))
        let second = try party.apply(.worldStage(.quarter), at: .seconds(40))
        #expect(second.last?.kind == .worldBossWeakened(Shift.boss, .quarter))
        expectRefusal(.worldStagePassed, of: .worldStage(.half), by: &party, at: .seconds(41))
        #expect(party.isOnAdventure)
    }

    @Test(
        "when nothing of the pool is left, the shift ends as a victory with the boss's experience")
    func fallen() throws {
        var party = try Shift.party()
        let events = try party.apply(.worldStage(.fallen), at: .seconds(5))
        #expect(
            events.suffix(2).map(\.kind)
                == [.worldBossDefeated(Shift.boss), .over(.worldBossDefeated, in: Shift.pack)])
        #expect(party.adventure?.outcome == .worldBossDefeated)
        #expect(party.members.map(\.hero.exp) == Array(repeating: 250 * 115 / 100, count: 4))
        #expect(party.members.count { $0.hero.home.hardestWin == .normal } == 4)
        #expect(throws: RuleError.noAdventure) {
            try party.apply(.worldStage(.fallen), at: .seconds(6))
        }
    }

    @Test("no other adventure has stages or points")
    func others() throws {
        var party = try Rush.party()
        #expect(throws: RuleError.noShift) {
            try party.apply(.worldStage(.half), at: .seconds(5))
        }
        #expect(Shift.points(of: party.advance(to: .minutes(60))).isEmpty)
    }

    @Test("replay gives the same events: the engine never reads the pool")
    func replay() throws {
        let begun = try Fixtures.party(of: Fixtures.four)
        let commands: [(Command, GameTime)] = [
            (.start(seed: 9, Shift.pack, Departure()), .zero),
            (.worldStage(.threeQuarters), .seconds(77)), (.worldStage(.fallen), .seconds(333)),
        ]
        var party = begun
        var events: [PartyEvent] = []
        for (command, time) in commands {
            // One step or many.
            events += party.advance(to: GameTime(milliseconds: time.milliseconds / 2))
            events += try party.apply(command, at: time)
        }
        let replayed = try Party.replay(from: begun, commands: commands, through: nil)
        #expect(replayed.0 == party)
        #expect(replayed.1 == events)
    }

    @Test("a reward gives experience and a crystal, and does not count as the player's action")
    func reward() throws {
        var party = try Fixtures.party(of: [Fixtures.panda])
        let reward = Command.change(
            Fixtures.panda.id, .worldReward(event: 1, exp: 300, crystals: 1))
        #expect(reward.actor == nil)
        #expect(try party.apply(reward, at: .zero).isEmpty)
        #expect(party.members[0].hero.exp == Fixtures.panda.exp + 300)
        #expect(party.members[0].hero.home.gear[.crystal] == 1)
    }

    @Test(
        "the stage of a pool is the quarter that it has fallen to",
        arguments: [
            (1000, nil), (751, nil), (750, WorldStage.threeQuarters), (501, .threeQuarters),
            (500, .half), (251, .half), (250, .quarter), (1, .quarter), (0, .fallen),
        ])
    func quarters(remaining: Int, stage: WorldStage?) {
        #expect(WorldStage(remaining: Int64(remaining), of: 1000) == stage)
    }
}
