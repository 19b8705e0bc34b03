import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: parties")
struct PartyContractTests {
    @Test(
        "R1: all of a commit is there after the store was closed and opened again",
        arguments: StoreKind.allCases)
    func reopening(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await kind.open(in: folder)
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        var started = try Fixture.next(joined, .start(seed: .max))
        started.activities = [Fixture.activity(party: "p")]
        started.changedHeroes = [Fixture.hero(1, exp: 42)]
        started.decisions = [Fixture.decision(1)]
        try await store.commit(started, epoch: epoch)
        await store.close()

        let again = try await kind.open(in: folder)
        let party = try #require(try await again.party(PartyID("p")))
        #expect(party.record == started.record)
        #expect(party.registrations == [Fixture.activity(party: "p")])
        #expect(try await again.hero(HeroID("hero-1"))?.exp == 42)
        #expect(try await again.party(of: HeroID("hero-1")) == PartyID("p"))
        #expect(try await again.party(withInviteCode: "code-p") == PartyID("p"))
        let events = try await again.events(of: PartyID("p"), after: 0, limit: 100)
        #expect(events.map(\.event) == joined.events + started.events)
        #expect(try await again.commands(of: PartyID("p")) == [joined.command, started.command])
        let decisions = try await again.decisions(of: PartyID("p"), after: 0, limit: 10)
        #expect(decisions == [LoggedDecision(decision: Fixture.decision(1), at: Fixture.noon)])
        await again.close()
    }

    @Test("R2: a commit with a stale version writes nothing", arguments: StoreKind.allCases)
    func staleVersion(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            var stale = try Fixture.next(Fixture.newParty("p"), .join(Fixture.hero(9)))
            stale.activities = [Fixture.activity(party: "p")]
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await store.commit(stale, epoch: epoch)
            }
            let party = try await store.party(PartyID("p"))
            #expect(party == StoredParty(record: joined.record, registrations: []))
        }
    }

    @Test("a party that exists is not created again", arguments: StoreKind.allCases)
    func createdTwice(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.commit(Fixture.newParty("p"), epoch: epoch)
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await store.commit(Fixture.newParty("p"), epoch: epoch)
            }
        }
    }

    @Test("two parties cannot have one invite code", arguments: StoreKind.allCases)
    func inviteCodeTwice(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            try await store.commit(Fixture.newParty("p"), epoch: epoch)
            let other = Fixture.newParty("p").record
            let record = PartyRecord(
                id: PartyID("q"), version: 1, party: Party(id: PartyID("q")), outbox: [],
                clock: other.clock, inviteCode: other.inviteCode, createdAt: Fixture.noon,
                nextDueAt: nil)
            await #expect(throws: StoreError.exists("a party with this invite code")) {
                try await store.commit(PartyCommit(record: record, at: Fixture.noon), epoch: epoch)
            }
            #expect(try await store.party(PartyID("q")) == nil)
        }
    }

    @Test(
        "a hero is in one party only, and can join another after leaving",
        arguments: StoreKind.allCases)
    func oneParty(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let first = try await Fixture.party("p", in: store, epoch: epoch)
            let second = Fixture.newParty("q")
            try await store.commit(second, epoch: epoch)
            let join = try Fixture.next(second, .join(Fixture.hero(1)))
            await #expect(throws: StoreError.heroIsTaken(HeroID("hero-1"))) {
                try await store.commit(join, epoch: epoch)
            }
            #expect(try await store.events(of: PartyID("q"), after: 0, limit: 9).isEmpty)
            let left = try Fixture.next(first, .leave(HeroID("hero-1")))
            try await store.commit(left, epoch: epoch)
            #expect(try await store.party(of: HeroID("hero-1")) == nil)
            try await store.commit(join, epoch: epoch)
            #expect(try await store.party(of: HeroID("hero-1")) == PartyID("q"))
        }
    }

    @Test(
        "parties are listed page by page, in the order of their ids", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            for name in ["c", "a", "b"] {
                try await store.commit(Fixture.newParty(name), epoch: epoch)
            }
            let first = try await store.parties(after: nil, limit: 2).map(\.id.rawValue)
            let second = try await store.parties(after: PartyID("b"), limit: 2).map(\.id.rawValue)
            #expect(first == ["a", "b"])
            #expect(second == ["c"])
        }
    }

    @Test("due parties come with the longest overdue first", arguments: StoreKind.allCases)
    func due(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            for (name, seconds) in [("a", 3), ("b", 1), ("c", 2), ("d", nil)] as [(String, Int64?)]
            {
                let due = seconds.map { Fixture.noon.adding(seconds: $0) }
                try await store.commit(Fixture.newParty(name, due: due), epoch: epoch)
            }
            let now = Fixture.noon.adding(seconds: 2)
            #expect(try await store.partiesDue(at: now, limit: 9) == [PartyID("b"), PartyID("c")])
            #expect(try await store.partiesDue(at: now, limit: 1) == [PartyID("b")])
        }
    }

    @Test("events are read page by page, in order", arguments: StoreKind.allCases)
    func eventPages(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var commit = Fixture.newParty("p")
            commit.events = (1...5).map {
                PartyEvent(sequence: $0, time: .seconds(Int64($0)), kind: .stormRaised)
            }
            try await store.commit(commit, epoch: epoch)
            let page = try await store.events(of: PartyID("p"), after: 2, limit: 2)
            #expect(page.map(\.event.sequence) == [3, 4])
            let last = try await store.events(of: PartyID("p"), after: 4, limit: 2)
            #expect(last == [LoggedEvent(event: commit.events[4], at: Fixture.noon)])
        }
    }

    @Test("B7: a page of the ledger never ends within an event", arguments: StoreKind.allCases)
    func ledgerPages(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var commit = Fixture.newParty("p")
            commit.decisions = (1...3).flatMap { sequence in
                ["x", "y"].map { Fixture.decision(sequence, $0) }
            }
            try await store.commit(commit, epoch: epoch)
            let page = try await store.decisions(of: PartyID("p"), after: 0, limit: 3)
            #expect(page.map(\.decision.sequence) == [1, 1, 2, 2])
            let rest = try await store.decisions(of: PartyID("p"), after: 2, limit: 3)
            #expect(rest.map(\.decision) == commit.decisions.suffix(2))
        }
    }
}
