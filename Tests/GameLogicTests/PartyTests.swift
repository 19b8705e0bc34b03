@testable import GameLogic
import Content
import Testing

/// Who is in the party: joining, leaving, leading, starting.
struct PartyTests {
    @Test("the first member's owner leads, and the next one when they leave")
    func leader() throws {
        var party = try Fixtures.party()
        #expect(party.leader == Fixtures.panda.owner)
        _ = try party.apply(.leave(Fixtures.panda.id), at: .zero)
        #expect(party.leader == Fixtures.egghead.owner)
    }

    @Test("C2: a new leader is an event: promoted, by their own claim, or when the leader leaves")
    func leaderChanged() throws {
        let commands: [Command] = [
            .promote(Fixtures.egghead.id), .claimLead(Fixtures.egghead.id),
            .leave(Fixtures.panda.id),
        ]
        for command in commands {
            var party = try Fixtures.party()
            let shown = party.lastEvent
            let events = try party.apply(command, at: .zero)
            #expect(events.last?.kind == .leaderChanged(Fixtures.egghead.tag))
            #expect(party.leaderEvent == events.last)
            #expect(party.lastEvent == (events.count > 1 ? events.first : shown))
            let joined = try party.apply(.join(Fixtures.hero("late", "Late", "🐢")), at: .zero)
            #expect(party.lastEvent == joined.last && party.leaderEvent == nil)
        }
    }

    @Test("C2: on an adventure too, and before it ends")
    func leaderChangedUnderway() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy])
        let promoted = try party.apply(.promote(Fixtures.foxy.id), at: .seconds(3))
        #expect(promoted.map(\.kind) == [.leaderChanged(Fixtures.foxy.tag)])
        #expect(promoted.map(\.time) == [.seconds(3)])
        party.members[1].knockOut()
        party.members[1].potions = 0
        let left = try party.apply(.leave(Fixtures.foxy.id), at: .seconds(3))
        #expect(
            left.map(\.kind) == [
                .heroLeft(Fixtures.foxy.tag), .leaderChanged(Fixtures.panda.tag), .partyDefeated,
                .over(.partyDefeated),
            ])
    }

    @Test(
        "C2: nobody new leads when a leader's other hero goes first, a friend goes, or nobody is left"
    )
    func sameLeader() throws {
        let second = Hero(
            id: HeroID("second"), owner: Fixtures.panda.owner, name: "Second", avatar: "🐢",
            heroType: "Bear")
        var party = try Fixtures.party(of: [Fixtures.panda, second, Fixtures.foxy])
        for command in [Command.promote(second.id), .leave(second.id), .kick(Fixtures.foxy.id)] {
            let events = try party.apply(command, at: .zero)
            #expect(!events.contains { $0.kind.name == .leaderChanged })
        }
        let last = try party.apply(.leave(Fixtures.panda.id), at: .zero)
        #expect(last.map(\.kind) == [.heroLeft(Fixtures.panda.tag)])
    }

    @Test("a party without heroes has no leader")
    func nobody() { #expect(Party(id: PartyID("party")).leader == nil) }

    @Test("C2: a party takes at most eight heroes")
    func full() throws {
        var party = try Fixtures.party(of: Fixtures.heroes(8))
        expectRefusal(.partyFull(limit: 8), of: .join(Fixtures.panda), by: &party)
    }

    @Test("a hero cannot join twice")
    func twice() throws {
        var party = try Fixtures.party()
        expectRefusal(
            .alreadyInParty(Fixtures.panda.tag), of: .join(Fixtures.panda), by: &party)
    }

    @Test("a hero who is not in the party cannot leave")
    func stranger() throws {
        var party = try Fixtures.party(of: [Fixtures.panda])
        expectRefusal(.notInParty(Fixtures.foxy.id), of: .leave(Fixtures.foxy.id), by: &party)
    }

    @Test("an adventure needs a hero")
    func noHero() {
        var party = Party(id: PartyID("party"))
        expectRefusal(.noHero, of: .start(seed: 1, EmbeddedPacks.classic), by: &party)
    }

    @Test("a party cannot go on two adventures at once")
    func running() throws {
        var party = try Fixtures.adventurers()
        expectRefusal(.adventureRunning, of: .start(seed: 1, EmbeddedPacks.classic), by: &party)
    }

    @Test("L6: heroes set out with their own health and two potions")
    func settingOut() throws {
        let weary = Fixtures.hero("weary", "Weary", "🐢", health: Health(thousandths: 640))
        let party = try Fixtures.adventurers([weary])
        #expect(party.members.map(\.health) == [weary.healthLevel])
        #expect(party.members.map(\.potions) == [2])
        #expect(party.lastEvent?.kind == .adventureBegan(EmbeddedPacks.classic.reference))
    }

    @Test("nobody sets out knocked down")
    func tooWeak() throws {
        let party = try Fixtures.adventurers([
            Fixtures.hero("weak", "Weak", "🐌", health: .none)
        ])
        #expect(party.members.map(\.health.thousandths) == [Home.healthToSetOut])
    }

    @Test("after a day at home an adventure begins fresh: time, health and potions")
    func again() throws {
        var party = try Fixtures.adventurers(seed: 1)
        _ = party.advance(to: Adventure.timeLimit)
        let pack = EmbeddedPacks.classic
        let departure = Departure(at: 24 * 3_600_000, restedSince: 0)
        let events = try party.apply(.start(seed: 2, pack, departure), at: .minutes(99))
        #expect(events.map(\.kind) == [.adventureBegan(pack.reference)])
        #expect(events.map(\.time) == [.zero])
        #expect(!party.members.isEmpty)
        #expect(party.members.allSatisfy { $0.health == .full && $0.potions == 2 })
    }

    @Test("heroes join and leave while the party is at home")
    func atHome() throws {
        var party = try Fixtures.party(of: [Fixtures.panda])
        let left = try party.apply(.leave(Fixtures.panda.id), at: .minutes(5))
        #expect(left.map(\.kind) == [.heroLeft(Fixtures.panda.tag)])
        #expect(left.map(\.time) == [.zero])
        #expect(party.members.isEmpty)
    }

    @Test("a hero may join on the way")
    func joinOnTheWay() throws {
        var party = try Fixtures.adventurers([Fixtures.panda])
        let events = try party.apply(.join(Fixtures.foxy), at: .seconds(5))
        #expect(events.map(\.kind) == [.heroJoined(Fixtures.foxy.tag)])
        #expect(events.map(\.time) == [.seconds(5)])
        #expect(party.member(Fixtures.foxy.id)?.isStanding == true)
    }

    @Test("leaving and coming back heals no wound and fills no bag")
    func comeBack() throws {
        var party = try Fixtures.adventurers()
        party.members[0].health = Health(thousandths: 300)
        party.members[0].potions = 0
        _ = try party.apply(.leave(Fixtures.panda.id), at: .zero)
        _ = try party.apply(.join(Fixtures.panda), at: .seconds(1))
        let member = try #require(party.member(Fixtures.panda.id))
        #expect(member.health.thousandths == 300 && member.potions == 0)
        #expect(party.leader == Fixtures.egghead.owner)
    }

    @Test("who left while lost in the woods comes back found, once the time is over")
    func comeBackFound() throws {
        var party = try Fixtures.adventurers()
        party.members[0].condition = .lostConnection(until: .seconds(10))
        _ = try party.apply(.leave(Fixtures.panda.id), at: .zero)
        _ = try party.apply(.join(Fixtures.panda), at: .seconds(10))
        #expect(party.member(Fixtures.panda.id)?.isStanding == true)
    }

    @Test("only the latest heroes who left are remembered")
    func departedMax() throws {
        var party = try Fixtures.adventurers()
        for hero in Fixtures.heroes(40) {
            _ = try party.apply(.join(hero), at: .zero)
            _ = try party.apply(.leave(hero.id), at: .zero)
        }
        #expect(party.adventure?.departed.count == Adventure.departedMax)
    }

    @Test("when the last hero leaves, the adventure is abandoned")
    func abandoned() throws {
        var party = try Fixtures.adventurers([Fixtures.panda])
        let events = try party.apply(.leave(Fixtures.panda.id), at: .seconds(3))
        #expect(
            events.map(\.kind) == [.heroLeft(Fixtures.panda.tag), .over(.abandoned)])
    }

    @Test("when the last hero on their feet leaves, a party without potions is defeated")
    func defeatedByLeaving() throws {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.foxy])
        party.members[1].knockOut()
        party.members[1].potions = 0
        let events = try party.apply(.leave(Fixtures.panda.id), at: .zero)
        #expect(events.last?.kind == .over(.partyDefeated))
    }
}
