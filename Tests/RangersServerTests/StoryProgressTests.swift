import Content
import GameLogic
import PartyStore
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Every story comes to its end, change by change")
struct StoryProgressTests {
    /// More changes than any story has.
    private static let changesMax = 4000

    private static func party(of heroes: Int) throws -> StoredParty {
        var party = Party(id: PartyID("party"))
        for number in 0..<heroes {
            let hero = Hero(
                id: HeroID("hero-\(number)"), owner: PlayerID("player-\(number)"),
                name: "Hero \(number)", avatar: "🐸", heroType: "Forest Dweller")
            _ = try party.apply(.join(hero), at: .zero)
        }
        let began = WallTime(milliseconds: 1_700_000_000_000)
        return StoredParty(
            key: PartyKey(number: 1), version: 1, party: party,
            clock: PartyClock(beganAt: began, millisecondsPerSecond: 1000), inviteCode: "",
            createdAt: began)
    }

    @Test(
        "a moment that nobody sees is written too, so that it is not due for ever",
        arguments: EmbeddedPacks.documents)
    func progress(document: PackDocument) throws {
        for seed in UInt64(1)...20 {
            var now = WallTime(milliseconds: 1_700_000_000_000)
            var stored = try Self.party(of: Int(seed % 4) + 1)
            var change = PartyChange(stored, now: now)
            try change.start(seed: seed, in: document.pack, millisecondsPerSecond: 1000)
            let begun = change.finish()
            stored = try #require(begun).commit.stored
            var changes = 0
            while stored.party.isOnAdventure, changes < Self.changesMax {
                now = try max(now, #require(stored.adventureDueAt))
                var next = PartyChange(stored, now: now)
                next.advance()
                // What is not written is lost: the next change begins with the same party.
                if let finished = next.finish() { stored = finished.commit.stored }
                changes += 1
            }
            #expect(!stored.party.isOnAdventure, "seed \(seed): \(changes) changes")
        }
    }
}
