import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: broadcast channels")
struct ChannelContractTests {
    private let name = ChannelName("c0ffee00")

    /// A party, and a channel of its in the sandbox.
    private func withChannel(
        _ kind: StoreKind, _ body: (any Store, Epoch, PartyCommit) async throws -> Void
    ) async throws {
        try await kind.withStore { store, epoch in
            var commit = Fixture.touched(try await Fixture.party("p", in: store, epoch: epoch))
            commit.channels = [Fixture.channel(party: "p")]
            try await store.commit(commit, epoch: epoch)
            try await body(store, epoch, commit)
        }
    }

    @Test("A8: a channel is known in its own environment alone", arguments: StoreKind.allCases)
    func environments(kind: StoreKind) async throws {
        try await withChannel(kind) { store, _, _ in
            let sandbox = try await store.channels(in: .sandbox)
            let production = try await store.channels(in: .production)
            #expect(sandbox == [Fixture.channel(party: "p")])
            #expect(production.isEmpty)
        }
    }

    @Test("A8: channels come in the order of their ids", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async throws {
        try await withChannel(kind) { store, epoch, commit in
            var next = Fixture.touched(commit)
            next.channels = [
                Fixture.channel("zzzz", party: "p"), Fixture.channel("aaaa", party: "p"),
            ]
            try await store.commit(next, epoch: epoch)
            let names = try await store.channels(in: .sandbox).map(\.id.rawValue)
            #expect(names == ["aaaa", "c0ffee00", "zzzz"])
        }
    }

    @Test("A8: the end of a channel is written over it", arguments: StoreKind.allCases)
    func over(kind: StoreKind) async throws {
        try await withChannel(kind) { store, epoch, commit in
            var next = Fixture.touched(commit)
            let over = Fixture.channel(party: "p", overSince: Fixture.noon.adding(seconds: 9))
            next.channels = [over]
            try await store.commit(next, epoch: epoch)
            let known = try await store.channels(in: .sandbox)
            #expect(known == [over])
        }
    }

    @Test("PR1: a commit that is refused makes no channel", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withChannel(kind) { store, epoch, commit in
            var stale = commit
            stale.channels = [Fixture.channel("stale000", party: "p")]
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await store.commit(stale, epoch: epoch)
            }
            let known = try await store.channels(in: .sandbox)
            #expect(known.map(\.id) == [name])
        }
    }

    @Test("a channel stays its party's", arguments: StoreKind.allCases)
    func otherParty(kind: StoreKind) async throws {
        try await withChannel(kind) { store, epoch, _ in
            var other = Fixture.newParty("q")
            other.channels = [Fixture.channel(party: "q")]
            await #expect(throws: StoreError.exists("channel c0ffee00 of another party")) {
                try await store.commit(other, epoch: epoch)
            }
            let known = try await store.channels(in: .sandbox)
            #expect(known == [Fixture.channel(party: "p")])
        }
    }

    @Test(
        "a channel that was deleted at Apple is forgotten, in its environment alone",
        arguments: StoreKind.allCases)
    func forgotten(kind: StoreKind) async throws {
        try await withChannel(kind) { store, epoch, _ in
            try await store.forget([name], in: .production, epoch: epoch)
            let before = try await store.channels(in: .sandbox)
            #expect(before.count == 1)
            try await store.forget([name], in: .sandbox, epoch: epoch)
            let after = try await store.channels(in: .sandbox)
            #expect(after.isEmpty)
        }
    }

    @Test("a stale owner forgets nothing", arguments: StoreKind.allCases)
    func fence(kind: StoreKind) async throws {
        try await withChannel(kind) { store, epoch, _ in
            _ = try await store.takeOwnership()
            await #expect(throws: StoreError.notTheOwner) {
                try await store.forget([name], in: .sandbox, epoch: epoch)
            }
            let known = try await store.channels(in: .sandbox)
            #expect(known.count == 1)
        }
    }
}
