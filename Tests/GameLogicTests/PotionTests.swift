@testable import GameLogic
import Testing

/// Potions: who may give one to whom, and what it does.
struct PotionTests {
    let panda = Fixtures.panda
    let foxy = Fixtures.foxy

    @Test("a potion gives half of all health")
    func heals() throws {
        var party = try wounded(200)
        let events = try party.apply(.usePotion(by: panda.id, on: panda.id), at: .zero)
        #expect(events.map(\.kind) == [.potionUsed(by: panda.tag, on: panda.tag)])
        #expect(party.members[0].health.thousandths == 700)
        #expect(party.members[0].potions == 1)
    }

    @Test("a potion heals no further than full health")
    func healsFully() throws {
        var party = try wounded(900)
        _ = try party.apply(.usePotion(by: panda.id, on: panda.id), at: .zero)
        #expect(party.members[0].health == .full)
    }

    @Test("a friend's potion revives a knocked-down hero at half health")
    func friend() throws {
        var party = try wounded(0)
        let events = try party.apply(.usePotion(by: foxy.id, on: panda.id), at: .zero)
        #expect(
            events.map(\.kind) == [
                .potionUsed(by: foxy.tag, on: panda.tag), .revived(panda.tag),
            ])
        #expect(party.members[0].health.thousandths == 500)
        #expect(party.members[0].isStanding)
        #expect(party.member(foxy.id)?.potions == 1)
    }

    @Test("Q10: a knocked-down hero can drink their own potion")
    func ownPotion() throws {
        var party = try wounded(0)
        _ = try party.apply(.usePotion(by: panda.id, on: panda.id), at: .zero)
        #expect(party.lastEvent?.kind == .revived(panda.tag))
    }

    @Test("a knocked-down hero cannot help others")
    func downGiver() throws {
        var party = try wounded(0)
        party.members[1].knockOut()
        expectRefusal(
            .heroIsDown(panda.tag), of: .usePotion(by: panda.id, on: Fixtures.egghead.id),
            by: &party, at: .zero)
    }

    @Test("nobody can give what they have not")
    func none() throws {
        var party = try wounded(200)
        party.members[0].potions = 0
        expectRefusal(
            .noPotionLeft(panda.tag), of: .usePotion(by: panda.id, on: panda.id), by: &party)
    }

    @Test("a hero at full health needs no potion")
    func healthy() throws {
        var party = try wounded(1000)
        expectRefusal(
            .heroIsHealthy(panda.tag), of: .usePotion(by: foxy.id, on: panda.id), by: &party,
            at: .zero)
    }

    @Test("a hero in the woods can neither give nor get a potion")
    func woods() throws {
        var party = try wounded(200)
        party.members[0].condition = .lostConnection(until: .minutes(9))
        for (giver, taker) in [(panda, panda), (panda, foxy), (foxy, panda)] {
            expectRefusal(
                .heroLostConnection(panda.tag), of: .usePotion(by: giver.id, on: taker.id),
                by: &party)
        }
    }

    @Test("only heroes of the party share potions")
    func strangers() throws {
        var party = try wounded(200)
        let stranger = HeroID("stranger")
        for (giver, taker) in [(stranger, panda.id), (panda.id, stranger)] {
            expectRefusal(
                .notInParty(stranger), of: .usePotion(by: giver, on: taker), by: &party)
        }
    }

    @Test("there is nothing to heal at home")
    func atHome() throws {
        var party = try Fixtures.party()
        expectRefusal(.noAdventure, of: .usePotion(by: panda.id, on: panda.id), by: &party)
    }

    @Test("after the end no potion helps")
    func afterTheEnd() throws {
        var party = try wounded(200)
        _ = try party.apply(.end, at: .zero)
        expectRefusal(.noAdventure, of: .usePotion(by: panda.id, on: panda.id), by: &party)
    }

    @Test("a potion after the adventure's end is refused, and the end has no event yet")
    func tooLate() throws {
        var party = try wounded(200)
        expectRefusal(
            .noAdventure, of: .usePotion(by: panda.id, on: panda.id), by: &party,
            at: Adventure.timeLimit)
        #expect(party.isOnAdventure)
    }

    /// Four adventurers, of whom Power Panda has only this much health.
    private func wounded(_ thousandths: Int) throws -> Party {
        var party = try Fixtures.adventurers()
        party.members[0].health = Health(thousandths: thousandths)
        if thousandths == 0 { party.members[0].knockOut() }
        return party
    }
}
