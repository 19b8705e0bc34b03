import GameLogic
import Testing

@testable import PartyStore

/// Databases of older and newer schemas.
@Suite("Upgrades of a PostgreSQL database")
struct PostgreSQLUpgradeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Turns the tables into those of schema 15: it counts heroes by buckets of sums only.
    private func makeSchema15() async throws {
        try await MovedGame.make(.postgreSQL, in: folder)
        try PostgreSQLLink(folder.schema()).run(
            script: """
                DELETE FROM standings;
                INSERT INTO standings (season, hero, points, reached_at)
                    VALUES (3, 'a', 50, 1), (3, 'b', 50, 2), (3, 'c', 70, 3);
                DROP TABLE standing_counts;
                UPDATE store_schema SET version = 15
                """)
    }

    private func rows() throws -> [String] {
        try PostgreSQLSession(folder.schema()).rows(
            "SELECT season, points, heroes FROM standing_counts ORDER BY points"
        ) { "\($0.integer(0)) \($0.integer(1)) \($0.integer(2))" }
    }

    @Test("the first start upgrades the tables of an older program, and keeps the game")
    func upgraded() async throws {
        try await makeSchema15()
        let store = try await PostgreSQLStore.open(folder.schema())
        _ = try await store.takeOwnership()
        #expect(try await store.party(PartyID("p")) != nil)
        await store.close()
        #expect(try rows() == ["3 50 2", "3 70 1"])
        #expect(try PostgreSQLSession(folder.schema()).storedVersion() == Schema.version)
    }

    @Test("the first start adds the column `leaving` to an earlier program's table of nodes")
    func withoutLeaving() async throws {
        let old = try await PostgreSQLStore.open(folder.schema())
        let link = try PostgreSQLLink(folder.schema())
        try link.run(script: "ALTER TABLE node DROP COLUMN leaving")
        let address = try folder.schema()
        async let first = PostgreSQLStore.open(address)
        async let second = PostgreSQLStore.open(address)
        let stores = try await [first, second]
        let epoch = try await stores[0].join(name: "one", address: "127.0.0.1:1")
        #expect(try await stores[1].nodeTable().nodes.map(\.isLeaving) == [false])
        try await stores[0].prepareToLeave(epoch)
        #expect(try await stores[1].nodeTable().nodes.map(\.isLeaving) == [true])
        for store in stores + [old] { await store.close() }
    }

    @Test("of nodes that start at the same time one upgrades, once")
    func together() async throws {
        try await makeSchema15()
        let address = try folder.schema()
        async let first = PostgreSQLStore.open(address)
        async let second = PostgreSQLStore.open(address)
        async let third = PostgreSQLStore.open(address)
        for store in try await [first, second, third] { await store.close() }
        #expect(try rows() == ["3 50 2", "3 70 1"])
    }

    @Test("an upgrade that fails changes nothing")
    func failed() async throws {
        try await makeSchema15()
        let session = try PostgreSQLSession(folder.schema())
        let steps =
            PostgreSQLUpgrade.all + [
                PostgreSQLUpgrade(version: 17) { session throws(SQLFailure) in
                    try session.link.run(script: "CREATE TABLE parties ()")
                }
            ]
        #expect(throws: SQLFailure.self) { try session.upgrade(to: 17, by: steps) }
        #expect(try session.storedVersion() == 15)
        #expect(throws: SQLFailure.self) { try rows() }
    }

    @Test("nodes of the program before write nothing after an upgrade, and do not join again")
    func fenced() async throws {
        let store = try await StoreKind.postgreSQL.open(in: folder)
        let epoch = try await store.takeOwnership()
        let session = try PostgreSQLSession(folder.schema())
        let step = PostgreSQLUpgrade(version: 17) { session throws(SQLFailure) in
            try session.link.run(script: "CREATE TABLE newer (id bigint PRIMARY KEY)")
        }
        #expect(try session.upgrade(to: 17, by: [step]) == 17)
        await #expect(throws: StoreError.notTheOwner) {
            try await store.commit(Fixture.newParty("late"), epoch: epoch)
        }
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await store.takeOwnership()
        }
        #expect(refusal.map { "\($0)".contains("start the newer program") } == true)
        #expect(try await store.parties(after: nil, limit: 1).isEmpty)
        await store.close()
    }

    @Test("tables that are too old for this program are refused and stay as they are")
    func tooOld() async throws {
        try await makeSchema15()
        try PostgreSQLLink(folder.schema()).run(script: "UPDATE store_schema SET version = 12")
        await #expect(throws: StoreError.self) {
            _ = try await PostgreSQLStore.open(folder.schema())
        }
        #expect(try PostgreSQLSession(folder.schema()).storedVersion() == 12)
    }

    @Test("reading neither creates tables nor upgrades them")
    func readOnly() async throws {
        let address = try folder.schema()
        let none = await #expect(throws: StoreError.self) {
            _ = try await PostgreSQLStore.openReadOnly(address)
        }
        #expect(none.map { "\($0)".contains("has no game") } == true)
        #expect(try PostgreSQLSession(address).storedVersion() == nil)
        try await makeSchema15()
        await #expect(throws: StoreError.self) {
            _ = try await PostgreSQLStore.openReadOnly(address)
        }
        #expect(try PostgreSQLSession(address).storedVersion() == 15)
    }
}
