import Content
import Testing

@testable import GameLogic

@Suite("Fights have a beginning and an end")
struct FightStoryTests {
    /// A story with the events of each moment together.
    private static func moments(seed: UInt64, heroes: Int = 4) throws -> [[PartyEvent]] {
        var party = try Fixtures.adventurers(Fixtures.heroes(heroes), seed: seed)
        var moments: [[PartyEvent]] = []
        while let next = party.nextChangeAt { moments.append(party.advance(to: next)) }
        return moments
    }

    @Test("a foe appears before its first blow, and falls or leaves before the next thing")
    func fights() throws {
        var appeared = 0
        for seed in UInt64(1)...100 {
            var foe: Foe?
            for event in try Self.moments(seed: seed, heroes: Int(seed % 8) + 1).flatMap(\.self) {
                switch event.kind {
                case .foeAppeared(let new):
                    #expect(foe == nil)
                    foe = new
                    appeared += 1
                case .hurt(_, by: let by, damage: _), .criticallyHit(_, by: let by, damage: _):
                    #expect(foe == nil ? Boss.base.map(\.foe).contains(by) : by == foe)
                case .foeDefeated(let fallen, by: _):
                    #expect(fallen == foe)
                    foe = nil
                case .foeLeft(let gone):
                    #expect(gone == foe)
                    foe = nil
                case .bossAppeared, .partyDefeated, .adventureOver: #expect(foe == nil)
                default: break
                }
            }
            #expect(foe == nil)
        }
        #expect(appeared > 100)
    }

    @Test("the first blow is in the step that brings the foe")
    func firstBlow() throws {
        let moments = try Self.moments(seed: 13)
        let fights = moments.filter { $0.contains { $0.kind.name == .foeAppeared } }
        #expect(fights.count > 3)
        for fight in fights {
            #expect([.hurt, .criticallyHit].contains(fight.dropFirst().first?.kind.name))
        }
    }

    /// A party of two that fights with a bat.
    private func fighting() throws -> Party {
        var party = try Fixtures.adventurers([Fixtures.panda, Fixtures.egghead])
        party.adventure?.fight = Adventure.Fight(foe: .bat, prey: nil, health: 500)
        return party
    }

    /// The party, with a question whether it flees.
    private func fleeing(_ party: Party) throws -> [PartyEvent.Kind] {
        var party = party
        party.adventure?.course.asks = [Ask(id: 1, kind: .flee, endsAt: .seconds(60))]
        party.adventure?.course.nextAsk = 2
        var events: [PartyEvent] = []
        for hero in [Fixtures.panda, Fixtures.egghead] {
            events += try party.apply(.answer(hero.id, ask: 1, yes: true), at: .seconds(1))
        }
        return events.map(\.kind)
    }

    @Test("a party that runs away leaves the foe, or flees from the boss")
    func flight() throws {
        #expect(try fleeing(fighting()) == [.foeLeft(.bat)])
        var party = try fighting()
        party.adventure?.fight = nil
        party.adventure?.phase = .boss(.kraken, health: 500)
        #expect(try fleeing(party) == [.fled(.kraken), .over(.fled(.kraken))])
    }

    @Test("whatever else ends the fight, the foe leaves")
    func otherEnds() throws {
        for (command, next) in [
            (Command.summonBoss, EventName.bossAppeared), (.end, .adventureOver),
            (.arrange(.end(.timeLimit)), .timeLimitReached),
            (.arrange(.end(.partyDefeated)), .partyDefeated),
        ] {
            var party = try fighting()
            let events = try party.apply(command, at: .seconds(1))
            #expect(events.first?.kind == .foeLeft(.bat))
            #expect(events.dropFirst().first?.kind.name == next)
            #expect(party.adventure?.fight == nil)
        }
    }

    @Test("an end names its pack")
    func ending() throws {
        var party = try Fixtures.adventurers()
        let over = try party.apply(.end, at: .seconds(1))
        #expect(
            over.last?.kind
                == .adventureOver(
                    .endedByGameMaster, in: Pack.Reference(id: "classic", version: 1)))
    }

    @Test("a danger and the question for a guard in one step are one event; the question is open")
    func danger() throws {
        var (silent, told) = (0, 0)
        for seed in UInt64(1)...200 {
            var party = try Fixtures.adventurers(seed: seed)
            while let next = party.nextChangeAt {
                let kinds = party.advance(to: next).map(\.kind)
                for member in party.members {
                    let (tag, asks) = (member.hero.tag, party.adventure?.course.asks ?? [])
                    let isAsked = asks.contains { $0.kind == .guardFriend(tag.id) }
                    if kinds.contains(.inDanger(tag)) {
                        #expect(!kinds.contains(.guardAsked(tag)))
                        if isAsked { silent += 1 }
                    } else if kinds.contains(.guardAsked(tag)) {
                        #expect(isAsked)
                        told += 1
                    }
                }
            }
        }
        #expect(silent > 0 && told > 0)
    }

    @Test("on a card an ending depends on how the hero came out of the adventure")
    func conditions() {
        let won = Outcome.bossDefeated(.dragon, by: Fixtures.panda.tag)
        let conditions: [Member.Condition] = [
            .standing, .knockedDown, .lostConnection(until: .seconds(5)),
        ]
        #expect(
            conditions.map(won.sentenceKey(for:)) == ["ends.won", "ends.won.down", "ends.won.away"])
        #expect(
            conditions.map(Outcome.partyDefeated.sentenceKey(for:))
                == ["ends.lost", "ends.lost", "ends.lost"])
        let over = PartyEvent.Kind.over(won)
        #expect(
            over.tellingConditions.map(won.sentenceKey(for:))
                == conditions.map(won.sentenceKey(for:)))
        #expect(over.sentenceKey == "classic/1.ends.party")
        #expect(PartyEvent.Kind.nightFell.sentenceKey == "classic/1.party.night")
        #expect(PartyEvent.Kind.stormRaised.tellingConditions == [.standing])
    }
}
