import Content
import GameLogic
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

@Suite("C6: the result of an adventure in a party's change")
struct AdventureResultTests {
    private static let began = WallTime(milliseconds: 1_700_000_000_000)
    /// More changes than the story has.
    private static let changesMax = 4000

    /// Two heroes of two players.
    private static func party() throws -> StoredParty {
        var party = Party(id: PartyID("party"))
        for number in 1...2 {
            let hero = Hero(
                id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                name: "Hero \(number)", avatar: "🐸", heroType: "Forest Dweller")
            _ = try party.apply(.join(hero), at: .zero)
        }
        return StoredParty(
            key: PartyKey(number: 1), version: 1, party: party,
            clock: PartyClock(beganAt: began, millisecondsPerSecond: 1000), inviteCode: "",
            createdAt: began)
    }

    private static func pack() throws -> Pack {
        try #require(EmbeddedPacks.document(named: "stolen-pie")?.pack)
    }

    /// The change that ends an adventure, before it is finished.
    private static func ending(wallOffset: Int64 = 0) throws -> PartyChange {
        var change = PartyChange(try party(), now: began)
        try change.start(seed: 3, in: pack(), .gentle, millisecondsPerSecond: 1000)
        let begun = try Self.finish(&change)
        #expect(begun.commit.result == nil)
        var stored = begun.commit.stored
        for _ in 0..<changesMax {
            let due = try #require(stored.adventureDueAt)
            var next = PartyChange(stored, now: max(due, began), wallOffset: wallOffset)
            next.advance()
            if !next.party.isOnAdventure { return next }
            if let finished = next.finish() { stored = finished.commit.stored }
        }
        Issue.record("the story has no end")
        return change
    }

    private static func finish(_ change: inout PartyChange) throws -> PartyChange.Finished {
        let finished = change.finish()
        return try #require(finished)
    }

    @Test("the change that ends the adventure has its result, by the wall clock, and no other has")
    func ending() throws {
        var change = try Self.ending(wallOffset: 5000)
        let finished = try Self.finish(&change)
        let result = try #require(finished.commit.result)
        #expect(result.entries.map(\.hero) == [HeroID("hero-1"), HeroID("hero-2")])
        #expect(result.entries.count { $0.points > 0 } == 2)
        #expect(result.players == [PlayerID("player-1"), PlayerID("player-2")])
        #expect(result.at == finished.commit.at.adding(milliseconds: 5000))
        var next = PartyChange(finished.commit.stored, now: finished.commit.at)
        try next.apply(.leave(HeroID("hero-2")))
        let left = try Self.finish(&next)
        #expect(left.commit.result == nil)
    }

    @Test("the party of an adventure that is over has the scores of its result")
    func scores() throws {
        var change = try Self.ending()
        let finished = try Self.finish(&change)
        let (result, party) = (try #require(finished.commit.result), finished.commit.stored.party)
        #expect(party.score == result.partyPoints && result.partyPoints > 0)
        #expect(party.members.map(party.score) == result.entries.map(\.points))
    }

    @Test("who leaves after the end takes nothing from the others' scores")
    func leavingLater() throws {
        var change = try Self.ending()
        let finished = try Self.finish(&change)
        let score = try #require(finished.commit.stored.party.score)
        var next = PartyChange(finished.commit.stored, now: finished.commit.at)
        try next.apply(.leave(HeroID("hero-2")))
        let left = try Self.finish(&next).commit.stored.party
        #expect(left.score == score)
        #expect(left.members.map(left.score) == [finished.commit.result?.entries[0].points])
    }

    @Test("a hero who leaves in the same change has scored")
    func leaving() throws {
        var change = try Self.ending()
        try change.apply(.leave(HeroID("hero-1")))
        let finished = try Self.finish(&change)
        let heroes = finished.commit.result?.entries.map(\.hero)
        #expect(heroes == [HeroID("hero-1"), HeroID("hero-2")])
    }

    @Test("the next adventure in the same change leaves the result as it is")
    func startingAgain() throws {
        var change = try Self.ending()
        try change.start(seed: 4, in: Self.pack(), .gentle, millisecondsPerSecond: 1000)
        #expect(change.party.isOnAdventure)
        let finished = try Self.finish(&change)
        #expect(finished.commit.result?.entries.count { $0.points > 0 } == 2)
    }
}
