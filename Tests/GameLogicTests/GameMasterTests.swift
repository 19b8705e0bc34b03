import Content
@testable import GameLogic
import Testing

/// What game masters can do to a party.
struct GameMasterTests {
    @Test("a storm hurts everybody on the road, and its event precedes the wounds")
    func storm() throws {
        var party = try Fixtures.adventurers()
        let events = try party.apply(.raiseStorm, at: .zero)
        #expect(events.first?.kind == .stormRaised)
        #expect(events.count == 5)
        #expect(party.members.count { (860...940).contains($0.health.thousandths) } == 4)
    }

    @Test("in a storm all wounds come first, then the knock-downs, then the defeat")
    func deadlyStorm() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy])
        for index in 0...1 {
            party.members[index].health = Health(thousandths: 10)
            party.members[index].potions = 0
        }
        let events = try party.apply(.raiseStorm, at: .zero)
        #expect(
            events.map(\.kind) == [
                .stormRaised,
                .hurt(Fixtures.panda.tag, by: .storm, damage: 10),
                .hurt(Fixtures.foxy.tag, by: .storm, damage: 10),
                .knockedDown(Fixtures.panda.tag), .knockedDown(Fixtures.foxy.tag),
                .partyDefeated, .over(.partyDefeated),
            ])
    }

    @Test("the woods shelter from a storm")
    func shelter() throws {
        var party = try Fixtures.adventurers()
        party.members[0].condition = .lostConnection(until: .minutes(9))
        _ = try party.apply(.raiseStorm, at: .zero)
        #expect(party.members[0].health == .full)
    }

    @Test("dropped loot is rare and brings a potion, for one hero")
    func loot() throws {
        var party = try Fixtures.adventurers()
        let events = try party.apply(.dropLoot(Fixtures.foxy.id), at: .zero)
        guard case .rareLootFound(let hero, let item) = events.last?.kind else {
            Issue.record("no rare loot: \(events)")
            return
        }
        #expect(hero == Fixtures.foxy.tag)
        #expect(EmbeddedPacks.classic.rareLoot.contains { $0.choice == item })
        #expect(party.members.map(\.potions) == [2, 2, 2, 3])
    }

    @Test("loot for all reaches every hero")
    func lootForAll() throws {
        var party = try Fixtures.adventurers()
        #expect(try party.apply(.dropLoot(nil), at: .zero).map(\.kind.name) == [.lootForAll])
        #expect(party.members.map(\.potions) == [3, 3, 3, 3])
    }

    @Test("a bag holds at most nine potions")
    func bag() throws {
        var party = try Fixtures.adventurers([Fixtures.panda])
        for _ in 0..<20 { _ = try party.apply(.dropLoot(nil), at: .zero) }
        #expect(party.members.map(\.potions) == [Balance.potionsMax])
    }

    @Test("loot for a stranger is refused")
    func lootForStranger() throws {
        var party = try Fixtures.adventurers([Fixtures.panda])
        expectRefusal(
            .notInParty(Fixtures.foxy.id), of: .dropLoot(Fixtures.foxy.id), by: &party, at: .zero)
    }

    @Test("the boss comes when called")
    func boss() throws {
        var party = try Fixtures.adventurers()
        let events = try party.apply(.summonBoss, at: .seconds(1))
        let boss = try #require(party.adventure?.boss)
        #expect(events.map(\.kind) == [.bossAppeared(boss)])
        #expect(party.adventure?.bossHealth == 1000)
    }

    @Test("there is only one boss")
    func secondBoss() throws {
        var party = try Fixtures.adventurers()
        _ = try party.apply(.summonBoss, at: .zero)
        expectRefusal(.bossAlreadyHere, of: .summonBoss, by: &party, at: .zero)
    }

    @Test("a game master can end the adventure")
    func end() throws {
        var party = try Fixtures.adventurers()
        let events = try party.apply(.end, at: .seconds(9))
        #expect(events.map(\.kind) == [.over(.endedByGameMaster)])
        #expect(party.adventure?.outcome == .endedByGameMaster)
        #expect(party.nextChangeAt == nil)
    }

    @Test(
        "nothing of it works at home",
        arguments: [Command.summonBoss, .dropLoot(nil), .raiseStorm, .end])
    func atHome(_ command: Command) throws {
        var party = try Fixtures.party()
        expectRefusal(.noAdventure, of: command, by: &party)
    }
}
