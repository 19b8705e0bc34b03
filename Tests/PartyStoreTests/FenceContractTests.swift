import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: ownership")
struct FenceContractTests {
    /// Runs `write` as the older of two owners of one store.
    private func asOlderOwner(
        _ kind: StoreKind, _ write: (any Store, PartyCommit, Epoch) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let older = try await kind.open(in: folder)
        let epoch = try await older.takeOwnership()
        let joined = try await Fixture.party("p", in: older, epoch: epoch)
        let newer = try await kind.open(in: folder)
        _ = try await newer.takeOwnership()
        await #expect(throws: StoreError.notTheOwner) {
            try await write(older, joined, epoch)
        }
        let party = try await newer.party(PartyID("p"))
        #expect(party == joined.stored)
        await older.close()
        await newer.close()
    }

    @Test("each owner's epoch is higher than the one before", arguments: StoreKind.allCases)
    func epochsGrow(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let next = try await store.takeOwnership()
            #expect(next > epoch)
        }
    }

    @Test("PR2: an older owner changes no party", arguments: StoreKind.allCases)
    func commit(kind: StoreKind) async throws {
        try await asOlderOwner(kind) { store, joined, epoch in
            try await store.commit(Fixture.touched(joined), epoch: epoch)
        }
    }

    @Test("PR2: an older owner creates no party", arguments: StoreKind.allCases)
    func create(kind: StoreKind) async throws {
        try await asOlderOwner(kind) { store, _, epoch in
            try await store.commit(Fixture.newParty("q"), epoch: epoch)
        }
    }

    @Test("PR2: an older owner registers no player", arguments: StoreKind.allCases)
    func player(kind: StoreKind) async throws {
        try await asOlderOwner(kind) { store, _, epoch in
            let record = Fixture.record(of: PlayerID("late"), hash: 9)
            try await store.insert(record, epoch: epoch)
        }
    }

    @Test("PR2: an older owner creates no hero", arguments: StoreKind.allCases)
    func hero(kind: StoreKind) async throws {
        try await asOlderOwner(kind) { store, _, epoch in
            try await store.insert(Fixture.hero(9), epoch: epoch)
        }
    }

    @Test("PR2: an older owner writes no outcomes", arguments: StoreKind.allCases)
    func outcomes(kind: StoreKind) async throws {
        try await asOlderOwner(kind) { store, joined, epoch in
            var batch = Batch()
            batch.add(outcomes: [Fixture.outcome(of: joined.stored.key)], row: 1)
            let result = await store.write(batch, epoch: epoch)
            let kept = try await store.outcomes()
            #expect(kept.isEmpty)
            if let failure = result.failure { throw failure }
        }
    }

    @Test("after closing, every call says so", arguments: StoreKind.allCases)
    func closed(kind: StoreKind) async throws {
        let store = try await kind.open(in: TemporaryFolder())
        await store.close()
        await #expect(throws: StoreError.closed) { try await store.ping() }
        await #expect(throws: StoreError.closed) { try await store.takeOwnership() }
    }
}
