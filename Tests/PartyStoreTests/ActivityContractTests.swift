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
            let commit = Fixture.touched(joined, activities: [Fixture.activity(party: "p")])
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
            let rotated = Fixture.touched(
                commit, activities: [Fixture.activity(party: "p", token: "11ee")])
            try await store.commit(rotated, epoch: epoch)
            #expect(try await store.activity(activity)?.pushToken == PushToken(hex: "11ee"))
            var removed = Fixture.touched(rotated, activities: [])
            removed.removedActivities = [activity]
            try await store.commit(removed, epoch: epoch)
            #expect(try await store.activity(activity) == nil)
            #expect(try await store.party(PartyID("p"))?.activities.isEmpty == true)
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

    @Test("an activity's outbox is read as it was written", arguments: StoreKind.allCases)
    func outbox(kind: StoreKind) async throws {
        try await withActivity(kind) { store, commit, epoch in
            var stored = commit.stored
            stored.version += 1
            stored.activities[0].outbox = ActivityOutbox(
                activity: activity, hero: HeroID("hero-1"), startedAt: Fixture.noon)
            let next = PartyCommit(stored: stored, isAwake: true, at: Fixture.noon)
            try await store.commit(next, epoch: epoch)
            #expect(try await store.party(PartyID("p")) == stored)
        }
    }
}
