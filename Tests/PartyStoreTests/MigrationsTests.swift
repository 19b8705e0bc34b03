import Foundation
import GameLogic
import Testing

@testable import PartyStore

/// Steps of a test, over a file and over a database: each kind opens a game of schema 1 with them.
@Suite("Migrations from one schema to the next")
struct MigrationsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Adds a table with a row, in SQLite's words.
    private static let first = Migrations.Step(from: 1) { session throws(SQLFailure) in
        try session.execute(
            """
            CREATE TABLE badges (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            INSERT INTO badges (id, name) VALUES (1, 'first')
            """)
    }

    /// Fails after it has changed something.
    private static let failing = Migrations.Step(from: 2) { session throws(SQLFailure) in
        try session.execute("DROP TABLE badges")
        try session.execute("INSERT INTO badges (id, name) VALUES (2, 'second')")
    }

    /// Opens the game for a server, with these steps; returns why that is refused.
    private func open(
        _ kind: StoreKind, _ migrations: Migrations = .product
    ) throws -> StoreError? {
        switch kind {
        case .sqlite:
            let file = SQLiteFile(path: folder.file, upgrades: true, migrations: migrations)
            do throws(StoreError) {
                _ = try file.examine(try file.open())
                return nil
            } catch {
                return error
            }
        case .postgreSQL:
            return try PostgreSQLSession(folder.schema()).prepare(migrations)
        }
    }

    private func session(_ kind: StoreKind) throws -> any MigratedSession {
        switch kind {
        case .sqlite: try Database(path: folder.file, access: .readWrite)
        case .postgreSQL: try PostgreSQLSession(folder.schema())
        }
    }

    private func badges(_ kind: StoreKind) throws -> [String] {
        try session(kind).rows("SELECT name FROM badges ORDER BY id") { $0.text(0) }
    }

    /// Creates a game of schema 1 with a party.
    private func make(_ kind: StoreKind) async throws {
        let store = try await kind.open(in: folder)
        _ = try await Fixture.party("p", in: store, epoch: try await store.takeOwnership())
        await store.close()
    }

    @Test(
        "the first start with a step takes it, once, and keeps the game",
        arguments: StoreKind.allCases)
    func upgraded(kind: StoreKind) async throws {
        try await make(kind)
        let migrations = Migrations(to: 2, [Self.first])
        for _ in 1...2 { #expect(try open(kind, migrations) == nil) }
        #expect(try badges(kind) == ["first"])
        #expect(try session(kind).schema() == 2)
        #expect(try session(kind).integer("SELECT count(*) FROM parties") == 1)
    }

    @Test("a step that fails changes nothing", arguments: StoreKind.allCases)
    func failed(kind: StoreKind) async throws {
        try await make(kind)
        let migrations = Migrations(to: 3, [Self.first, Self.failing])
        switch kind {
        case .sqlite: #expect(try open(kind, migrations) != nil)
        case .postgreSQL:
            #expect(throws: SQLFailure.self) { try open(kind, migrations) }
        }
        #expect(try session(kind).schema() == 1)
        #expect(throws: SQLFailure.self) { try badges(kind) }
        #expect(try open(kind) == nil)
    }

    @Test(
        "another schema is refused: what was found, what is read, what to do",
        arguments: StoreKind.allCases, [0, 2, 99] as [Int64])
    func refused(kind: StoreKind, found: Int64) async throws {
        try await make(kind)
        try session(kind).set(schema: found)
        let name = kind == .sqlite ? folder.file : "the database"
        let sentence =
            "\(name) has schema \(found), and this program reads schema 1: use the program that "
            + "wrote it, or restore a backup of schema 1"
        #expect(try open(kind) == .broken(sentence))
        #expect(try session(kind).schema() == found)
    }

    @Test("a file of another schema is left as it is")
    func unchanged() async throws {
        try await make(.sqlite)
        try session(.sqlite).set(schema: 2)
        let before = try Data(contentsOf: URL(filePath: folder.file))
        await #expect(throws: StoreError.self) { try await SQLiteStore.open(path: folder.file) }
        #expect(try Data(contentsOf: URL(filePath: folder.file)) == before)
    }

    @Test("a schema from which a step is missing is refused", arguments: StoreKind.allCases)
    func missing(kind: StoreKind) async throws {
        try await make(kind)
        let second = Migrations.Step(from: 2) { _ throws(SQLFailure) in }
        #expect(try open(kind, Migrations(to: 3, [second])) != nil)
        #expect(try open(kind, Migrations(to: 3, [Self.first])) != nil)
        #expect(try session(kind).schema() == 1)
    }

    @Test("a command is told to start a server, which upgrades")
    func commands() async throws {
        try await make(.sqlite)
        let file = SQLiteFile(path: folder.file, migrations: Migrations(to: 2, [Self.first]))
        let refusal = #expect(throws: StoreError.self) { try file.examine(try file.open()) }
        #expect(
            refusal?.detail.hasSuffix("start `rangers serve` on it once, which upgrades it") == true
        )
        #expect(try session(.sqlite).schema() == 1)
    }

    @Test("a server that runs writes nothing after an upgrade", arguments: StoreKind.allCases)
    func fenced(kind: StoreKind) async throws {
        let store = try await kind.open(in: folder)
        let epoch = try await store.takeOwnership()
        #expect(try open(kind, Migrations(to: 2, [Self.first])) == nil)
        await #expect(throws: StoreError.notTheOwner) {
            try await store.commit(Fixture.newParty("late"), epoch: epoch)
        }
        #expect(try await store.parties(after: nil, limit: 1).isEmpty)
        await store.close()
    }

    @Test("a node of another schema does not join again")
    func rejoining() async throws {
        let store = try await StoreKind.postgreSQL.open(in: folder)
        _ = try await store.takeOwnership()
        #expect(try open(.postgreSQL, Migrations(to: 2, [Self.first])) == nil)
        let refusal = await #expect(throws: StoreError.self) { try await store.takeOwnership() }
        #expect(refusal?.detail.contains("has schema 2") == true)
        await store.close()
    }

    @Test("of nodes that start at the same time one upgrades, once")
    func together() async throws {
        try await make(.postgreSQL)
        let address = try folder.schema()
        let migrations = Migrations(to: 2, [Self.first])
        let refusals = try await withThrowingTaskGroup(of: StoreError?.self) { group in
            for _ in 1...3 {
                group.addTask { try PostgreSQLSession(address).prepare(migrations) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals == [nil, nil, nil])
        #expect(try badges(.postgreSQL) == ["first"])
    }

    @Test("reading creates no tables")
    func noTables() async throws {
        let address = try folder.schema()
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await PostgreSQLStore.openReadOnly(address)
        }
        #expect(refusal.map { "\($0)".contains("has no game") } == true)
        #expect(try PostgreSQLSession(address).storedVersion() == nil)
    }
}
