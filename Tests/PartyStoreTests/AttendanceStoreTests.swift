import Content
import GameLogic
import Testing

@testable import PartyStore

/// What a score needs of an adventure is in the party's row.
struct AttendanceStoreTests {
    @Test(
        "who has missed what, and a game master's help, are stored and read again",
        arguments: StoreKind.allCases)
    func stored(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let document = try #require(EmbeddedPacks.document(named: "stolen-pie"))
            let pack = document.pack
            _ = try await store.put(
                PackRecord(document, status: .published), amongAtMost: 1, as: nil, epoch: epoch)
            var commit = try await Fixture.party("p", in: store, epoch: epoch, heroes: 3)
            let steps: [(Command, Int64)] = [
                (.start(seed: 5, pack, Departure()), 0), (.join(Fixture.hero(2)), 60),
                (.join(Fixture.hero(3)), 60), (.leave(Fixture.hero(2).id), 90),
                (.dropLoot(nil), 100),
            ]
            for (command, second) in steps {
                commit = try Fixture.next(commit, command, at: .seconds(second))
                try await store.commit(commit, epoch: epoch)
            }
            let adventure = try #require(commit.stored.party.adventure)
            #expect(adventure.course.told > 0 && adventure.course.isAssisted)
            #expect(commit.stored.party.members.last?.outing.missed ?? 0 > 0)
            #expect(adventure.departed.first?.outing.missed ?? 0 < 0)
            #expect(try await store.party(PartyID("p")) == commit.stored)
        }
    }

    @Test("a party whose adventure ended is a result of those who were there")
    func result() async throws {
        let pack = try #require(EmbeddedPacks.document(named: "stolen-pie")?.pack)
        var commit = try Fixture.next(Fixture.newParty("p"), .join(Fixture.hero(1)))
        commit = try Fixture.next(commit, .start(seed: 5, pack, Departure(.gentle)))
        #expect(AdventureResult(of: commit.stored.party, at: Fixture.noon) == nil)
        commit = try Fixture.next(commit, .join(Fixture.hero(2)), at: .seconds(120))
        commit = try Fixture.next(commit, .join(Fixture.hero(3)), at: .seconds(120))
        commit = try Fixture.next(commit, .leave(Fixture.hero(3).id), at: .seconds(125))
        commit = Fixture.advanced(commit, to: .minutes(20))
        let result = try #require(AdventureResult(of: commit.stored.party, at: Fixture.noon))
        #expect(result.entries.map(\.hero) == [Fixture.hero(1).id, Fixture.hero(2).id])
        #expect(result.partyPoints == result.entries[0].points)
        #expect((1..<result.entries[0].points).contains(result.entries[1].points))
        #expect(result.players == [Fixture.player])
    }
}
