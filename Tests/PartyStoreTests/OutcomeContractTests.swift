import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: outcomes")
struct OutcomeContractTests {
    private let first = Fixture.outcome(of: Fixture.key("p"), 1)
    private let second = Fixture.outcome(of: Fixture.key("q"), 2)

    @Test("PR4: outcomes are kept in the order of their rows", arguments: StoreKind.allCases)
    func kept(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var batch = Batch()
            batch.add(outcomes: [second], row: 8)
            batch.add(outcomes: [first, second], row: 7)
            #expect(await store.write(batch, epoch: epoch).failure == nil)
            let kept = try await store.outcomes()
            #expect(kept.map(\.row) == [7, 8])
            #expect(kept.map(\.outcomes) == [[first, second], [second]])
        }
    }

    @Test(
        "PR4: outcomes that a party's row covers are forgotten with it",
        arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var batch = Batch()
            batch.add(outcomes: [first], row: 1)
            batch.add(outcomes: [second], row: 2)
            _ = await store.write(batch, epoch: epoch)
            var next = Batch()
            next.add(Fixture.newParty("p"))
            next.forget(outcomeRows: [1])
            #expect(await store.write(next, epoch: epoch).failure == nil)
            let kept = try await store.outcomes()
            #expect(kept.map(\.row) == [2])
        }
    }

    @Test("a row of outcomes that exists is not written over", arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            for outcome in [first, second] {
                var batch = Batch()
                batch.add(outcomes: [outcome], row: 1)
                let failure = await store.write(batch, epoch: epoch).failure
                #expect(failure == (outcome == first ? nil : .exists("outcome row 1")))
            }
            let kept = try await store.outcomes()
            #expect(kept.map(\.outcomes) == [[first]])
        }
    }
}
