@testable import GameLogic
import Testing

/// E1: what a game master chooses for a party.
struct ArrangementTests {
    private static func kinds(_ arrangement: Arrangement, _ party: inout Party) throws
        -> [PartyEvent.Kind]
    {
        try party.apply(.arrange(arrangement), at: .zero).map(\.kind)
    }

    @Test("a chosen boss appears, rolls no dice, and only one is there")
    func boss() throws {
        for boss in Boss.base {
            var party = try Fixtures.adventurers()
            #expect(try Self.kinds(.boss(boss), &party) == [.bossAppeared(boss)])
            #expect(party.adventure?.boss == boss)
            expectRefusal(.bossAlreadyHere, of: .arrange(.boss(.kraken)), by: &party)
        }
    }

    @Test("a chosen item is found; a rare one comes with a potion")
    func item() throws {
        var party = try Fixtures.adventurers()
        let random = party.adventure?.random
        #expect(
            try Self.kinds(.item(.sword, for: Fixtures.foxy.id), &party)
                == [.rareLootFound(Fixtures.foxy.tag, .sword)])
        #expect(
            try Self.kinds(.item(.coin, for: nil), &party)
                == Fixtures.four.map { .commonLootFound($0.tag, .coin) })
        #expect(party.members.map(\.potions) == [2, 2, 2, 3])
        #expect(party.adventure?.random == random)
        expectRefusal(
            .notInParty(HeroID("nobody")), of: .arrange(.item(.coin, for: HeroID("nobody"))),
            by: &party)
    }

    @Test("a rare item for all is one event, and each hero has it with a potion")
    func itemForAll() throws {
        for arrangement: Arrangement? in [.item(.sword, for: nil), nil] {
            var party = try Rush.party()
            let events =
                try arrangement.map { try Self.kinds($0, &party) }
                ?? party.apply(.dropLoot(nil), at: .zero).map(\.kind)
            #expect(events == [.lootForAll(.sword)])
            #expect(party.members.map(\.potions) == [3, 3, 3, 3])
            #expect(party.members.map(\.outing.found) == Array(repeating: [.sword], count: 4))
        }
        var party = try Rush.party()
        #expect(
            try Self.kinds(.item(.coin, for: nil), &party)
                == Fixtures.four.map { .commonLootFound($0.tag, .coin) })
    }

    @Test("potions go into the bag, nine at most")
    func potions() throws {
        var party = try Fixtures.adventurers()
        #expect(
            try Self.kinds(.potions(3, for: Fixtures.panda.id), &party)
                == [.potionsFound(Fixtures.panda.tag, count: 3)])
        for _ in 1...3 { _ = try Self.kinds(.potions(3, for: nil), &party) }
        #expect(party.members.map(\.potions) == [9, 9, 9, 9])
    }

    @Test("a storm is as strong as chosen, with the same dice")
    func storm() throws {
        var damages: [Int: Int] = [:]
        for strength in [50, 100, 200] {
            var party = try Fixtures.adventurers([Fixtures.panda])
            _ = try party.apply(.arrange(.storm(strength: strength)), at: .zero)
            damages[strength] = 1000 - party.members[0].health.thousandths
        }
        var ordinary = try Fixtures.adventurers([Fixtures.panda])
        _ = try ordinary.apply(.raiseStorm, at: .zero)
        let full = try #require(damages[100])
        #expect(1000 - ordinary.members[0].health.thousandths == full)
        #expect(damages == [50: full / 2, 100: full, 200: 2 * full])
    }

    @Test("healing reaches standing heroes, and knocked-down ones only with wake")
    func heal() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy, Fixtures.spouty])
        party.members[0].health = Health(thousandths: 900)
        party.members[1].knockOut()
        #expect(
            try Self.kinds(.heal(nil, amount: 300, .none), &party)
                == [.smallHeal(Fixtures.panda.tag, amount: 100)])
        expectRefusal(
            .heroIsDown(Fixtures.foxy.tag),
            of: .arrange(.heal(Fixtures.foxy.id, amount: 300, .none)), by: &party)
        expectRefusal(
            .heroIsHealthy(Fixtures.spouty.tag),
            of: .arrange(.heal(Fixtures.spouty.id, amount: 300, .wakes)), by: &party)
        #expect(
            try Self.kinds(.heal(nil, amount: 300, .wakes), &party)
                == [.revived(Fixtures.foxy.tag)])
        #expect(party.members[1].health.thousandths == 300)
        #expect(party.members[1].isStanding)
    }

    @Test("an adventure ends as chosen")
    func end() throws {
        for (ending, kinds) in [
            (
                Arrangement.Ending.timeLimit,
                [PartyEvent.Kind.nightFell, .over(.timeLimit)]
            ),
            (.partyDefeated, [.partyDefeated, .over(.partyDefeated)]),
        ] {
            var party = try Fixtures.adventurers()
            #expect(try Self.kinds(.end(ending), &party) == kinds)
            #expect(!party.isOnAdventure)
            expectRefusal(.noAdventure, of: .arrange(.end(ending)), by: &party)
        }
    }
}
