import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Push tokens: one living activity each")
struct ActivityTokenTests {
    private static func ended(_ name: String, token: String) -> ActivityRegistration {
        var activity = Fixture.activity(name, party: "p", token: token)
        activity.state = .ended
        return activity
    }

    private static func tokens(in file: String) throws -> [String] {
        try Database(path: file, access: .readOnly).rows(
            "SELECT activity, environment, token FROM activity_tokens ORDER BY activity"
        ) { "\($0.text(0)) \($0.text(1)) \($0.text(2))" }
    }

    /// Writes a party with these activities into a new file.
    private static func write(
        _ activities: [ActivityRegistration], into file: String
    ) async throws {
        let store = try await SQLiteStore.open(path: file)
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        try await store.commit(Fixture.touched(joined, activities: activities), epoch: epoch)
        await store.close()
    }

    @Test("T5: a token of another activity is refused, and the change with it")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        let first = Fixture.touched(joined, activities: [Fixture.activity("one", party: "p")])
        try await store.commit(first, epoch: epoch)
        var second = Fixture.touched(first)
        second.activities = [Fixture.activity("two", party: "p")]
        let refusal = StoreError.tokenIsTaken(by: ActivityID("one"))
        let refused = second
        await #expect(throws: refusal) { try await store.commit(refused, epoch: epoch) }
        #expect(try await store.activity(ActivityID("two")) == nil)
        // In one change the token moves, in either order.
        second.activities = [
            Fixture.activity("two", party: "p"), Fixture.activity("one", party: "p", token: nil),
        ]
        try await store.commit(second, epoch: epoch)
        await store.close()
        #expect(try Self.tokens(in: folder.file) == ["two sandbox 00ff"])
    }

    @Test("T5: an activity that ends, loses its token or is removed gives the token back")
    func released() async throws {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        var commit = try await Fixture.party("p", in: store, epoch: epoch)
        commit = Fixture.touched(
            commit,
            activities: [
                Fixture.activity("a", party: "p", token: "aa"),
                Fixture.activity("b", party: "p", token: "bb"),
                Fixture.activity("c", party: "p", token: "cc"),
                Fixture.activity("d", party: "p", token: "dd"),
            ])
        try await store.commit(commit, epoch: epoch)
        commit = Fixture.touched(
            commit,
            activities: [
                Self.ended("a", token: "aa"), Fixture.activity("b", party: "p", token: nil),
            ])
        commit.removedActivities = [ActivityID("c")]
        try await store.commit(commit, epoch: epoch)
        await store.close()
        #expect(try Self.tokens(in: folder.file) == ["d sandbox dd"])
    }
}
