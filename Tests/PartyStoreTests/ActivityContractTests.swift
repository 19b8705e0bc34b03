import GameLogic
import PartyStore
import PushPolicy
import Testing

@Suite("The store contract: activities and outboxes")
struct ActivityContractTests {
    private let token = PushToken(hex: "00ff")
    private let activity = ActivityID("activity-1")

    /// A party with one activity, whose token was registered at noon.
    private func withActivity(
        _ kind: StoreKind, _ body: (any Store, PartyCommit, Epoch) async throws -> Void
    ) async throws {
        try await kind.withStore { store, epoch in
            let joined = try await Fixture.party("p", in: store, epoch: epoch)
            var commit = Fixture.touched(joined)
            commit.activities = [Fixture.activity(party: "p")]
            try await store.commit(commit, epoch: epoch)
            try await body(store, commit, epoch)
        }
    }

    @Test(
        "T1: an activity is written with its party, overwritten, removed",
        arguments: StoreKind.allCases)
    func writing(kind: StoreKind) async throws {
        try await withActivity(kind) { store, commit, epoch in
            #expect(try await store.activity(activity) == Fixture.activity(party: "p"))
            var rotated = Fixture.touched(commit)
            rotated.activities = [Fixture.activity(party: "p", token: "11ee")]
            try await store.commit(rotated, epoch: epoch)
            #expect(try await store.activity(activity)?.pushToken == PushToken(hex: "11ee"))
            var removed = Fixture.touched(rotated)
            removed.removedActivities = [activity]
            try await store.commit(removed, epoch: epoch)
            #expect(try await store.activity(activity) == nil)
            #expect(try await store.party(PartyID("p"))?.registrations.isEmpty == true)
        }
    }

    @Test("an activity cannot be taken over by another party", arguments: StoreKind.allCases)
    func takeover(kind: StoreKind) async throws {
        try await withActivity(kind) { store, _, epoch in
            var newcomer = Fixture.newParty("other")
            newcomer.activities = [Fixture.activity(party: "other", token: "dead")]
            let taken = newcomer
            let refusal = StoreError.exists("Live Activity \(activity) of another party")
            await #expect(throws: refusal) { try await store.commit(taken, epoch: epoch) }
            let kept = try await store.activity(activity)
            let other = try await store.party(PartyID("other"))
            #expect(kept?.party == PartyID("p"))
            #expect(other == nil)
        }
    }

    @Test(
        "an acknowledgement changes the outbox and not the version", arguments: StoreKind.allCases)
    func acknowledge(kind: StoreKind) async throws {
        try await withActivity(kind) { store, commit, epoch in
            var expected = commit.record
            expected.outbox = [
                ActivityOutbox(
                    activity: activity, hero: HeroID("hero-1"), startedAt: Fixture.noon)
            ]
            let outbox = OutboxRecord(
                party: expected.id, version: expected.version, outbox: expected.outbox)
            try await store.acknowledge([outbox], epoch: epoch)
            #expect(try await store.party(PartyID("p"))?.record == expected)
            try await store.commit(Fixture.touched(commit), epoch: epoch)
        }
    }

    @Test(
        "an acknowledgement of an older version is skipped, the others are written",
        arguments: StoreKind.allCases)
    func staleAcknowledgement(kind: StoreKind) async throws {
        try await withActivity(kind) { store, commit, epoch in
            let other = Fixture.newParty("q")
            try await store.commit(other, epoch: epoch)
            let outbox = [
                ActivityOutbox(
                    activity: activity, hero: HeroID("hero-1"), startedAt: Fixture.noon)
            ]
            try await store.acknowledge(
                [
                    OutboxRecord(
                        party: commit.record.id, version: commit.record.version - 1,
                        outbox: outbox),
                    OutboxRecord(party: PartyID("q"), version: 1, outbox: outbox),
                ], epoch: epoch)
            #expect(try await store.party(PartyID("p"))?.record == commit.record)
            #expect(try await store.party(PartyID("q"))?.record.outbox == outbox)
        }
    }
}
