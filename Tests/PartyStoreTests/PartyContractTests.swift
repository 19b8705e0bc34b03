import Content
import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: parties")
struct PartyContractTests {
    @Test(
        "PR1: all of a commit is there after the store was closed and opened again",
        arguments: StoreKind.allCases)
    func reopening(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = try await kind.open(in: folder)
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        var started = try Fixture.next(joined, .start(seed: .max, EmbeddedPacks.classic))
        started.changedHeroes = [Fixture.hero(1, exp: 42)]
        started.decisions = [Fixture.decision(2)]
        try await store.commit(started, epoch: epoch)
        let registered = Fixture.touched(started, activities: [Fixture.activity(party: "p")])
        try await store.commit(registered, epoch: epoch)
        await store.close()

        let again = try await kind.open(in: folder)
        let party = try #require(try await again.party(PartyID("p")))
        #expect(party == registered.stored)
        #expect(try await again.hero(HeroID("hero-1"))?.exp == 42)
        #expect(try await again.party(of: HeroID("hero-1")) == PartyID("p"))
        #expect(try await again.party(withInviteCode: "code-p") == PartyID("p"))
        let events = try await again.events(of: PartyID("p"), after: 0, limit: 100)
        #expect(events.map(\.event) == joined.events + started.events)
        let history = try #require(try await again.history(of: PartyID("p")))
        #expect(history.commands == [joined.command, started.command])
        let decisions = try await again.decisions(
            of: PartyID("p"), activity: nil, after: 0, limit: 10)
        let rule = "the start of an adventure cannot wait (Q5)"
        let kind = PartyEvent.Kind.adventureBegan(EmbeddedPacks.classic.reference)
        #expect(decisions == [Fixture.loggedDecision(2, rule: rule, kind: kind)])
        await again.close()
    }

    @Test("PR2: a commit with a stale version writes nothing", arguments: StoreKind.allCases)
    func staleVersion(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            var stale = try Fixture.next(Fixture.newParty("p"), .join(Fixture.hero(9)))
            stale.activities = [Fixture.activity(party: "p")]
            await #expect(throws: StoreError.staleVersion(PartyID("p"))) {
                try await store.commit(stale, epoch: epoch)
            }
            let party = try await store.party(PartyID("p"))
            #expect(party == joined.stored)
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
            let other = Fixture.newParty("q", inviteCode: "code-p")
            await #expect(throws: StoreError.exists("a party with this invite code")) {
                try await store.commit(other, epoch: epoch)
            }
            #expect(try await store.party(PartyID("q")) == nil)
        }
    }

    @Test("a party gets another code, unless another party has it", arguments: StoreKind.allCases)
    func newCode(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            let first = Fixture.newParty("p")
            try await store.commit(first, epoch: epoch)
            try await store.commit(Fixture.newParty("q"), epoch: epoch)
            func renamed(_ code: String) -> PartyCommit {
                var stored = first.stored
                stored.version += 1
                stored.code = InviteCode(text: code, renewedAt: Fixture.noon)
                var commit = PartyCommit(stored: stored, isAwake: false, at: Fixture.noon)
                commit.hasNewCode = true
                return commit
            }
            await #expect(throws: StoreError.exists("a party with this invite code")) {
                try await store.commit(renamed("code-q"), epoch: epoch)
            }
            #expect(try await store.party(PartyID("p")) == first.stored)
            try await store.commit(renamed("NEW"), epoch: epoch)
            #expect(try await store.party(withInviteCode: "code-p") == nil)
            #expect(try await store.party(withInviteCode: "NEW") == PartyID("p"))
            #expect(try await store.party(PartyID("p"))?.inviteCode == "NEW")
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
        "a hero joins as it is at home, and not as it was when it was read",
        arguments: StoreKind.allCases)
    func staleHero(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            _ = try await Fixture.party("p", in: store, epoch: epoch, heroes: 2)
            let created = Fixture.newParty("q")
            try await store.commit(created, epoch: epoch)
            let hero = Fixture.hero(2)
            let join = try Fixture.next(created, .join(hero))
            let changed = try await store.change(
                hero.id, .orders(.init(whenDown: .drink)), keeping: nil, epoch: epoch)
            await #expect(throws: StoreError.staleHero(hero.id)) {
                try await store.commit(join, epoch: epoch)
            }
            #expect(try await store.party(PartyID("q")) == created.stored)
            #expect(try await store.party(of: hero.id) == nil)
            let current = try #require(changed)
            try await store.commit(try Fixture.next(created, .join(current)), epoch: epoch)
            let stored = try await store.party(PartyID("q"))?.party.anyHero(hero.id)
            #expect(stored?.home.orders == StandingOrders(whenDown: .drink))
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

    @Test(
        "parties with something ahead are listed in the order of their keys",
        arguments: StoreKind.allCases)
    func awake(kind: StoreKind) async throws {
        try await kind.withStore { store, epoch in
            var commits: [PartyCommit] = []
            for name in ["a", "b", "c", "d"] {
                commits.append(Fixture.newParty(name, name == "d" ? .asleep : .awake))
                try await store.commit(commits[commits.count - 1], epoch: epoch)
            }
            try await store.commit(Fixture.touched(commits[0], .asleep), epoch: epoch)
            try await store.commit(Fixture.touched(commits[3], .awake), epoch: epoch)
            var keys: [PartyKey] = []
            var next: PartyKey?
            repeat {
                let page = try await store.awakeParties(after: next, limit: 2)
                keys += page.parties.map(\.key)
                next = page.next
            } while next != nil
            #expect(keys == ["b", "c", "d"].map(Fixture.key).sorted())
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
            commit.events = (1...3).map {
                PartyEvent(sequence: $0, time: .zero, kind: .stormRaised)
            }
            commit.decisions = (1...3).flatMap { sequence in
                ["x", "y"].map { Fixture.decision(sequence, $0) }
            }
            try await store.commit(commit, epoch: epoch)
            let page = try await store.decisions(
                of: PartyID("p"), activity: nil, after: 0, limit: 3)
            #expect(page.map(\.sequence) == [1, 1, 2, 2])
            let rest = try await store.decisions(
                of: PartyID("p"), activity: nil, after: 2, limit: 3)
            #expect(rest.map(\.sequence) == [3, 3])
            #expect(rest.map(\.activity.rawValue) == ["x", "y"])
        }
    }

    @Test(
        "a party's clock wakes it at its moment or just after, never before",
        arguments: [1, 7, 999, 1000, 1001, 60_000])
    func clock(millisecondsPerSecond: Int64) {
        let clock = PartyClock(
            beganAt: Fixture.noon, millisecondsPerSecond: millisecondsPerSecond)
        for milliseconds in stride(from: Int64(0), through: 100_000, by: 333) {
            let moment = GameTime(milliseconds: milliseconds)
            let wakesAt = clock.wallTime(of: moment)
            let justBefore = wakesAt.adding(milliseconds: -1)
            #expect(clock.gameTime(at: wakesAt) >= moment)
            #expect(moment == .zero || clock.gameTime(at: justBefore) < moment)
        }
    }
}
