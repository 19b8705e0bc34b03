import GameLogic
import PartyStore
import Testing

@Suite("The store contract: players and heroes")
struct PlayerContractTests {
    @Test(
        "a player is found by the hash of the token, and by no other", arguments: StoreKind.allCases
    )
    func playerByTokenHash(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            #expect(
                try await store.device(withTokenHash: Fixture.record().tokenHash)
                    == Fixture.record())
            #expect(try await store.device(withTokenHash: [1, 2, 3]) == nil)
        }
    }

    @Test("a second player with the same id or token is refused", arguments: StoreKind.allCases)
    func playerTwice(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            let other = PlayerID("player-2")
            await #expect(throws: StoreError.exists("player player-1")) {
                try await store.insert(Fixture.record(hash: 2), epoch: epoch)
            }
            await #expect(throws: StoreError.exists("player player-2")) {
                try await store.insert(Fixture.record(of: other), epoch: epoch)
            }
        }
    }

    @Test("heroes are found by id and by owner, in order", arguments: StoreKind.allCases)
    func heroes(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            try await store.insert(Fixture.hero(2), epoch: epoch)
            try await store.insert(Fixture.hero(1), epoch: epoch)
            #expect(try await store.hero(HeroID("hero-2")) == Fixture.hero(2))
            #expect(try await store.hero(HeroID("hero-3")) == nil)
            let heroes = try await store.heroes(of: Fixture.player)
            #expect(heroes == [Fixture.hero(1), Fixture.hero(2)])
            #expect(try await store.heroes(of: PlayerID("nobody")).isEmpty)
        }
    }

    @Test("a second hero with the same id is refused", arguments: StoreKind.allCases)
    func heroTwice(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            try await store.insert(Fixture.hero(1), epoch: epoch)
            await #expect(throws: StoreError.exists("hero hero-1")) {
                try await store.insert(Fixture.hero(1, exp: 7), epoch: epoch)
            }
            #expect(try await store.hero(HeroID("hero-1")) == Fixture.hero(1))
        }
    }
}
