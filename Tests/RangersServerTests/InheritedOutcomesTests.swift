import PushPolicy
import Testing

@testable import PartyStore
@testable import RangersServer

@Suite("Outcomes that other nodes have written")
struct InheritedOutcomesTests {
    private func row(_ number: Int64, of parties: Int64...) -> StoredOutcomes {
        StoredOutcomes(
            row: number,
            outcomes: parties.map { party in
                StoredOutcome(
                    party: PartyKey(number: party), activity: ActivityID("activity"), timestamp: 1,
                    outcome: .accepted)
            })
    }

    @Test("the end of one take of shards leaves what the parties of another need")
    func overlap() {
        let inherited = InheritedOutcomes(loops: 1)
        inherited.add(ofOthers: [row(1, of: 1, 2)])
        inherited.add(ofOthers: [row(1, of: 1, 2)])
        #expect(inherited.take(PartyKey(number: 1)).map(\.stored.timestamp) == [1])
        inherited.endTake()
        #expect(inherited.take(PartyKey(number: 2)).map(\.stored.timestamp) == [1])
        inherited.endTake()
    }

    @Test("a later take finds again what an earlier one has left")
    func later() {
        let inherited = InheritedOutcomes(loops: 1)
        for _ in 1...2 {
            inherited.add(ofOthers: [row(1, of: 1)])
            #expect(inherited.take(PartyKey(number: 1)).map(\.stored.timestamp) == [1])
            inherited.endTake()
        }
        inherited.add(ofOthers: [row(2, of: 3)])
        inherited.endTake()
        #expect(inherited.take(PartyKey(number: 3)).isEmpty)
    }
}
