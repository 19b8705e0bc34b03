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

    /// Turns the file into one of schema 7.
    private static func makeOld(_ file: String) throws {
        try OlderFile.makeSchema8(file)
        try Database(path: file, access: .readWrite).execute(
            "DROP TABLE activity_tokens; PRAGMA user_version = 7")
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

    @Test("a file of schema 7 gets its table of tokens: of two with one token the first has it")
    func migrated() async throws {
        let folder = try TemporaryFolder()
        let activities = [
            Fixture.activity("a", party: "p", token: "aa"), Self.ended("b", token: "bb"),
            Fixture.activity("c", party: "p", token: nil),
            Fixture.activity("d", party: "p", token: "dd"),
        ]
        try await Self.write(activities, into: folder.file)
        let before = try Self.tokens(in: folder.file)
        #expect(before == ["a sandbox aa", "d sandbox dd"])
        try Self.makeOld(folder.file)
        let store = try await SQLiteStore.open(path: folder.file)
        await #expect(throws: StoreError.self) { _ = try await store.party(PartyID("p")) }
        _ = try await store.takeOwnership()
        #expect(try await store.party(PartyID("p"))?.activities.count == 4)
        #expect(try await store.check() == [])
        await store.close()
        #expect(try Self.tokens(in: folder.file) == before)
    }

    @Test("PR1: the migration from schema 7, stopped after any transaction, goes on")
    func interrupted() async throws {
        let folder = try TemporaryFolder()
        let activities = (10..<30).map {
            Fixture.activity("activity-\($0)", party: "p", token: "00\($0)")
        }
        try await Self.write(activities, into: folder.file)
        let before = try Self.tokens(in: folder.file)
        #expect(before.count == 20)
        try Self.makeOld(folder.file)
        var steps = 0
        var progress = Migration.Progress.goesOn
        while progress == .goesOn {
            let database = try Database(path: folder.file, access: .readWrite)
            #expect(try Migration.isNeeded(on: database))
            try database.begin()
            try Migration(database).begin()
            try database.commit()
            try database.begin()
            progress = try Migration(database).step(rows: 3)
            try database.commit()
            steps += 1
        }
        // The last two move the only player's token.
        #expect(steps == 9)
        #expect(try Self.tokens(in: folder.file) == before)
        let database = try Database(path: folder.file, access: .readOnly)
        #expect(try !Migration.isNeeded(on: database))
    }

    @Test("a token that two activities of an old file have stays with the first")
    func doubled() async throws {
        let folder = try TemporaryFolder()
        try await Self.write(
            [
                Fixture.activity("a", party: "p", token: "aa"),
                Fixture.activity("b", party: "p", token: "bb"),
            ], into: folder.file)
        let database = try Database(path: folder.file, access: .readWrite)
        let table = ActivityTokenTable(database)
        let claim = ActivityTokenClaim(Fixture.activity("b", party: "p", token: "aa"))
        try table.release("b")
        try table.migrate(claim)
        #expect(try Self.tokens(in: folder.file) == ["a sandbox aa"])
    }
}
