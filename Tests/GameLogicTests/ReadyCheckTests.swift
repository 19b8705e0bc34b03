@testable import GameLogic
import Content
import Testing

/// A ready check of four heroes, each of another player, at a time of the server.
private struct Scene {
    static let now: Int64 = 1_700_000_000_000
    static let end = now + ReadyCheck.length
    var party: Party
    let ask: Int

    init(
        _ quorum: ReadyCheck.Quorum = .half, along: [Hero] = [], heroes: [Hero] = Fixtures.four
    ) throws {
        party = try Fixtures.party(of: heroes)
        for hero in along {
            let along = StandingOrders.Change(setOut: .along)
            _ = try party.apply(.change(hero.id, .orders(along)), at: .zero)
        }
        let events = try party.apply(.checkReadiness(try Self.plan(quorum)), at: .zero)
        ask = try #require(events.first).sequence
    }

    static func plan(
        _ quorum: ReadyCheck.Quorum = .half, _ difficulty: Difficulty = .normal
    ) throws -> ReadyCheck.Plan {
        let pack = try #require(EmbeddedPacks.document(named: "forest-quest")).pack
        return ReadyCheck.Plan(seed: 7, pack, difficulty, endsAt: end, quorum: quorum)
    }

    mutating func answer(_ hero: Hero, _ yes: Bool) throws {
        _ = try party.apply(.answer(hero.id, ask: ask, yes: yes), at: .zero)
    }

    @discardableResult
    mutating func finish(at time: Int64 = end) throws -> [EventName] {
        try party.apply(.finishReadyCheck(Departure(at: time)), at: .zero).map(\.kind.name)
    }

    var names: [String] { party.members.map(\.hero.name) }
}

@Suite("C2: a ready check")
struct ReadyCheckTests {
    private let panda = Fixtures.panda
    private let egghead = Fixtures.egghead
    private let spouty = Fixtures.spouty
    private let foxy = Fixtures.foxy

    @Test("it is over when all are ready, or when its time is; the leader is ready by asking")
    func over() throws {
        var scene = try Scene()
        #expect(scene.party.readyCheck?.yes == [panda.id])
        for hero in [egghead, spouty, foxy] {
            #expect(!scene.party.isReadyCheckOver(at: Scene.now))
            try scene.answer(hero, true)
        }
        #expect(scene.party.isReadyCheckOver(at: Scene.now))
        try scene.answer(foxy, false)
        #expect(!scene.party.isReadyCheckOver(at: Scene.end - 1))
        #expect(scene.party.isReadyCheckOver(at: Scene.end))
        try scene.answer(foxy, true)
        #expect(try scene.finish(at: Scene.now) == [.adventureBegan])
        #expect(scene.names == ["Power Panda", "Egghead", "Spouty", "Foxy"])
        #expect(scene.party.readyCheck == nil && scene.party.inn == [])
    }

    @Test("who is not ready stays at the inn, unless the order says along; a no is a no")
    func inn() throws {
        var scene = try Scene(along: [spouty, foxy])
        try scene.answer(foxy, false)
        #expect(try scene.finish() == [.heroStayed, .heroStayed, .adventureBegan])
        #expect(scene.names == ["Power Panda", "Spouty"])
        #expect(scene.party.inn.map(\.id) == [egghead.id, foxy.id])
        #expect(scene.party.heroes.count == 4)
        let alone = try Fixtures.party(of: [panda, spouty])
        var same = alone
        let pack = try Scene.plan().pack
        _ = try same.apply(.start(seed: 7, pack, Departure(at: Scene.end)), at: .zero)
        // No formula counts the heroes at the inn.
        #expect(scene.party.nextChangeAt == same.nextChangeAt)
        let (first, second) = (
            scene.party.advance(to: .minutes(20)), same.advance(to: .minutes(20))
        )
        #expect(first.map(\.kind) == second.map(\.kind) && first.count > 20)
    }

    @Test("fewer than half begin nothing, unless the leader said so; half is enough")
    func quorum() throws {
        var few = try Scene()
        #expect(try few.finish() == [.readyCheckEnded])
        #expect(!few.party.isOnAdventure && few.names.count == 4)
        var half = try Scene()
        try half.answer(foxy, true)
        #expect(try half.finish().last == .adventureBegan)
        var anybody = try Scene(.anybody)
        #expect(try anybody.finish().last == .adventureBegan)
        #expect(anybody.names == ["Power Panda"])
        var nobody = try Scene(.anybody)
        try nobody.answer(panda, false)
        #expect(try nobody.finish() == [.readyCheckEnded])
    }

    @Test("an adventure for which nobody waits any more does not begin")
    func late() throws {
        var late = try Scene(.anybody)
        #expect(try late.finish(at: Scene.end + ReadyCheck.lateMax + 1) == [.readyCheckEnded])
        var justInTime = try Scene(.anybody)
        #expect(
            try justInTime.finish(at: Scene.end + ReadyCheck.lateMax).last == .adventureBegan)
    }

    @Test("answers after the end, or to another question, are refused with what has happened")
    func refused() throws {
        var scene = try Scene()
        expectRefusal(
            .noSuchAsk(99), of: .answer(foxy.id, ask: 99, yes: true), by: &scene.party)
        try scene.answer(egghead, true)
        try scene.finish()
        let late = Command.answer(foxy.id, ask: scene.ask, yes: true)
        expectRefusal(.isAtInn(foxy.tag), of: late, by: &scene.party, at: .zero)
        let known = Command.answer(egghead.id, ask: scene.ask, yes: false)
        expectRefusal(.hasSetOut, of: known, by: &scene.party, at: .zero)
        var failed = try Scene()
        try failed.finish()
        expectRefusal(.readyCheckOver, of: late, by: &failed.party, at: .zero)
        expectRefusal(.readyCheckOver, of: .cancelReadyCheck, by: &failed.party, at: .zero)
        expectRefusal(
            .readyCheckOver, of: .finishReadyCheck(Departure()), by: &failed.party, at: .zero)
    }

    @Test("the adventure's own questions count on, so that no late answer meets another question")
    func numbers() throws {
        var scene = try Scene(.anybody)
        try scene.finish()
        #expect(scene.party.adventure?.course.nextAsk == scene.ask + 1)
    }

    @Test("one check at a time, only while the party gathers, if its difficulty is opened")
    func asking() throws {
        var scene = try Scene()
        expectRefusal(
            .readyCheckRunning, of: .checkReadiness(try Scene.plan()), by: &scene.party)
        var locked = try Fixtures.party()
        expectRefusal(
            .difficultyLocked(.heroic, requires: .hard),
            of: .checkReadiness(try Scene.plan(.half, .heroic)), by: &locked)
        var underway = try Fixtures.adventurers()
        expectRefusal(
            .adventureRunning, of: .checkReadiness(try Scene.plan()), by: &underway, at: .zero)
        var empty = Party(id: PartyID("empty"))
        expectRefusal(.noHero, of: .checkReadiness(try Scene.plan()), by: &empty)
    }

    @Test("who leaves is not waited for; who joins is; the last one ends the check")
    func comeAndGo() throws {
        var scene = try Scene()
        try scene.answer(egghead, true)
        _ = try scene.party.apply(.leave(spouty.id), at: .zero)
        _ = try scene.party.apply(.kick(foxy.id), at: .zero)
        #expect(scene.party.isReadyCheckOver(at: Scene.now))
        _ = try scene.party.apply(.join(foxy), at: .zero)
        #expect(!scene.party.isReadyCheckOver(at: Scene.now))
        for hero in [panda, egghead] { _ = try scene.party.apply(.leave(hero.id), at: .zero) }
        #expect(scene.party.readyCheck?.yes == [])
        _ = try scene.party.apply(.leave(foxy.id), at: .zero)
        #expect(scene.party.readyCheck == nil)
        var disbanded = try Scene()
        _ = try disbanded.party.apply(.disband, at: .zero)
        #expect(disbanded.party.readyCheck == nil)
        var started = try Scene()
        let pack = try Scene.plan().pack
        _ = try started.party.apply(.start(seed: 1, pack, Departure(at: 1)), at: .zero)
        #expect(started.party.readyCheck == nil && started.names.count == 4)
    }

    @Test("a check goes on with another leader; a leader who stays behind leads no adventure")
    func leader() throws {
        var scene = try Scene()
        _ = try scene.party.apply(.promote(foxy.id), at: .zero)
        #expect(scene.party.readyCheck?.yes == [panda.id])
        try scene.answer(egghead, true)
        #expect(
            try scene.finish()
                == [.heroStayed, .heroStayed, .leaderChanged, .adventureBegan])
        #expect(scene.names == ["Power Panda", "Egghead"])
        #expect(scene.party.leader == panda.owner)
    }

    @Test("a hero follows until half of the way is behind, with its home, and has missed the rest")
    func follow() throws {
        var scene = try Scene()
        try scene.answer(egghead, true)
        try scene.finish()
        expectRefusal(.notAtInn(egghead.tag), of: .follow(egghead.id, at: 0), by: &scene.party)
        _ = scene.party.advance(to: .minutes(3))
        let told = try #require(scene.party.adventure?.course.told)
        #expect(told > 0)
        let events = try scene.party.apply(
            .follow(spouty.id, at: Scene.end + 180_000), at: .minutes(3))
        #expect(events.map(\.kind) == [.heroFollowed(spouty.tag)])
        let member = try #require(scene.party.member(spouty.id))
        #expect(member.outing.hasSetOut && member.outing.missed == told)
        // As at a start: the potions of the class are topped up, and the day is counted.
        #expect(member.potions == 2)
        #expect(member.hero.home.adventuresOfDay == 1)
        #expect(scene.party.inn.map(\.id) == [foxy.id])
        var time = GameTime.minutes(3)
        while scene.party.adventure?.mayBeFollowed == true {
            time = time + .seconds(10)
            _ = scene.party.advance(to: time)
        }
        #expect(scene.party.adventure?.wayBehind ?? 0 >= 50)
        expectRefusal(
            .tooLateToFollow(foxy.tag), of: .follow(foxy.id, at: 0), by: &scene.party, at: time)
    }

    @Test("heroes at the inn come back behind the others when the adventure is over")
    func comeBack() throws {
        var scene = try Scene(.anybody)
        try scene.finish()
        _ = try scene.party.apply(.leave(spouty.id), at: .zero)
        expectRefusal(.isAtInn(foxy.tag), of: .promote(foxy.id), by: &scene.party, at: .zero)
        _ = try scene.party.apply(.change(foxy.id, .orders(StandingOrders.Change())), at: .zero)
        _ = try scene.party.apply(.end, at: .seconds(5))
        #expect(scene.names == ["Power Panda", "Egghead", "Foxy"])
        #expect(scene.party.inn == [])
        #expect(scene.party.adventurers.map(\.hero.id) == [panda.id])
        let adventure = try #require(scene.party.adventure)
        let first = adventure.attendance(of: scene.party.members[0], in: scene.party)
        #expect(first.company == 1)
    }

    @Test("when the last adventurer leaves, a hero from the inn leads")
    func abandoned() throws {
        var scene = try Scene(.anybody)
        try scene.finish()
        let pack = try #require(scene.party.adventure).pack
        let events = try scene.party.apply(.leave(panda.id), at: .zero).map(\.kind)
        #expect(
            events == [
                .heroLeft(panda.tag), .over(.abandoned, in: pack), .leaderChanged(egghead.tag),
            ])
        #expect(scene.names == ["Egghead", "Spouty", "Foxy"])
    }

    @Test("erased heroes leave no name in a check, nor at the inn")
    func erased() throws {
        var scene = try Scene(.anybody)
        try scene.finish()
        scene.party.erase([foxy.id])
        #expect(scene.party.anyHero(foxy.id)?.name == Hero.erasedName)
        #expect(scene.party.anyHero(spouty.id)?.name == "Spouty")
    }

    @Test("the commands alone give the same party and the same events")
    func replay() throws {
        let commands: [Command] = [
            .checkReadiness(try Scene.plan()), .answer(egghead.id, ask: 5, yes: true),
            .finishReadyCheck(Departure(at: Scene.end)),
        ]
        var party = try Fixtures.party()
        var events: [PartyEvent] = []
        for command in commands { events += try party.apply(command, at: .zero) }
        events += party.advance(to: .minutes(2))
        events += try party.apply(.follow(foxy.id, at: Scene.end + 120_000), at: .minutes(2))
        events += party.advance(to: .minutes(300))
        let all =
            commands.map { ($0, GameTime.zero) }
            + [(.follow(foxy.id, at: Scene.end + 120_000), .minutes(2))]
        let (again, told) = try Party.replay(
            from: try Fixtures.party(), commands: all, through: .minutes(300))
        #expect(again == party && told == events)
        #expect(party.adventure?.isOver == true && party.members.count == 4)
    }
}
