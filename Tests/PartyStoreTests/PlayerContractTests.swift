import GameLogic
import PartyStore
import PushPolicy
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

    private static let later = Fixture.noon.adding(seconds: 1)

    @Test(
        "PR22: an account is unused if no hero of it was ever in a party or away",
        arguments: StoreKind.allCases)
    func unused(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let lone = PlayerID("player-0")
            _ = try await Fixture.party("p", in: store, epoch: epoch)
            try await store.insert(Fixture.record(of: lone, hash: 7), epoch: epoch)
            let page = try await store.unusedAccounts(
                registeredBefore: Self.later, after: nil, limit: 10)
            #expect(page.elements == [lone] && page.next == nil)
            let none = try await store.unusedAccounts(
                registeredBefore: Fixture.noon, after: nil, limit: 10)
            #expect(none.elements == [])
            let ended = try await store.removeUnused(
                [lone, Fixture.player], registeredBefore: Self.later, epoch: epoch)
            #expect(ended == [lone: [[UInt8](repeating: 7, count: 32)]])
            #expect(try await store.registrationTime(of: lone) == nil)
            #expect(try await store.registrationTime(of: Fixture.player) != nil)
            let again = try await store.removeUnused(
                [lone], registeredBefore: Self.later, epoch: epoch)
            #expect(again == [:])
        }
    }

    @Test(
        "PR22: an account that is removed goes with its heroes; one with experience stays",
        arguments: StoreKind.allCases)
    func removedHeroes(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.insert(Fixture.record(), epoch: epoch)
            try await store.insert(Fixture.hero(1, exp: 5), epoch: epoch)
            let kept = try await store.removeUnused(
                [Fixture.player], registeredBefore: Self.later, epoch: epoch)
            #expect(kept == [:])
            let other = PlayerID("player-2")
            try await store.insert(Fixture.record(of: other, hash: 2), epoch: epoch)
            let hero = Hero(
                id: HeroID("hero-2"), owner: other, name: "Hero", avatar: "🐼",
                heroType: "Forest Dweller")
            try await store.insert(hero, epoch: epoch)
            _ = try await store.removeUnused(
                [other], registeredBefore: Self.later, epoch: epoch)
            #expect(try await store.hero(hero.id) == nil)
            // What was on its way brings nobody back.
            await #expect(throws: StoreError.account(.unknownDevice)) {
                try await store.insert(hero, epoch: epoch)
            }
        }
    }

    @Test("unused accounts are found page by page", arguments: StoreKind.allCases)
    func unusedPages(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            for number in UInt8(1)...5 {
                try await store.insert(
                    Fixture.record(of: PlayerID("player-\(number)"), hash: number), epoch: epoch)
            }
            var (found, after): ([PlayerID], PlayerID?) = ([], nil)
            repeat {
                let page = try await store.unusedAccounts(
                    registeredBefore: Self.later, after: after, limit: 2)
                found += page.elements
                after = page.next
            } while after != nil
            #expect(found == (1...5).map { PlayerID("player-\($0)") })
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
