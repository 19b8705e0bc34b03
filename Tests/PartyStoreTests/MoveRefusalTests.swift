import Foundation
import GameLogic
import Testing

@testable import PartyStore

/// Targets that cannot take a game, and damage that a move finds.
@Suite("What a move refuses")
struct MoveRefusalTests: MoveSuite {
    let scene: MoveScene

    init() throws { scene = try MoveScene() }

    /// Returns why a game is not moved; `nil`: it was.
    private func refusal(
        _ source: GamePlace, _ target: GamePlace, damaged: GameMove.Damaged = .refused
    ) async -> String? {
        do {
            try await move(source, target, damaged: damaged)
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Targets

    @Test("a target that has been served is refused, even if nobody has played", arguments: [0, 1])
    func servedTarget(leases: Int) async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let other = try await StoreKind.postgreSQL.open(in: folder)
        _ = try await other.takeOwnership()
        await other.close()
        let address = try folder.schema()
        if leases == 0 {
            try MovedGame.stopServers(of: address)
        } else {
            try MovedGame.keepLeases(of: address)
        }
        let words = leases == 0 ? "has a game already, or has been served" : "servers use"
        #expect(await refusal(file, database)?.contains(words) == true)
        #expect(await refusal(of: database) == nil)
        #expect(await refusal(of: file) == nil)
    }

    @Test("a file that has been served is refused as a target, and so is one without a folder")
    func wrongFile() async throws {
        try await MovedGame.make(.postgreSQL, in: folder)
        let other = try await SQLiteStore.open(path: folder.file)
        _ = try await other.takeOwnership()
        await other.close()
        #expect(await refusal(database, file)?.contains("has a game already") == true)
        let nowhere = GamePlace.file(folder.file + ".none/rangers.db")
        #expect(await refusal(database, nowhere)?.contains("does not exist") == true)
        #expect(await refusal(of: database) == nil)
    }

    @Test("a database with tables of another program gets none of ours")
    func otherProgram() async throws {
        let address = try folder.schema()
        try PostgreSQLLink(address).run(script: "CREATE TABLE orders (id bigint)")
        let store = try await SQLiteStore.open(path: folder.file)
        await store.close()
        #expect(await refusal(file, database)?.contains("tables of another program") == true)
        #expect(try PostgreSQLSession(address).storedVersion() == nil)
    }

    @Test("an unfinished target takes no other game")
    func otherGame() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        await #expect(throws: Self.interruption) {
            try await move(file, database) { note throws(StoreError) in
                if note.step == .comparing { throw Self.interruption }
            }
        }
        let stranger = try TemporaryFolder()
        try await MovedGame.make(.sqlite, in: stranger)
        let refusal = await refusal(.file(stranger.file), database)
        #expect(refusal?.contains("unfinished target of a move from \(file)") == true)
    }

    // MARK: Damage

    @Test(
        "PR10: a damaged row stops the move and is named, or moves as it is",
        arguments: StoreKind.allCases)
    func damaged(kind: StoreKind) async throws {
        try await MovedGame.make(kind, in: folder)
        let (source, target) = kind == .sqlite ? (file, database) : (database, back)
        switch kind {
        case .sqlite:
            try Database(path: folder.file, access: .readWrite)
                .execute("UPDATE parties SET crc = crc + 1")
        case .postgreSQL: try Self.run("UPDATE parties SET crc = crc + 1", on: folder.schema())
        }
        let rows = try MovedGame.rows(source)
        #expect(await refusal(source, target)?.contains("parties p: its checksum") == true)
        #expect(await refusal(of: source) == nil)
        #expect(await refusal(of: target)?.contains("unfinished target") == true)
        let report = try await move(source, target, damaged: .kept)
        #expect(report?.faultCount == 1)
        #expect(try MovedGame.rows(target) == rows)
        let store = try await target.openReadOnly()
        let refusal = await #expect(throws: StoreError.self) {
            _ = try await store.party(PartyID("p"))
        }
        guard case .corrupt(PartyID("p"), _)? = refusal else {
            Issue.record("the damaged row is served: \(String(describing: refusal))")
            return await store.close()
        }
        await store.close()
    }

    @Test("in each table with a checksum, a damaged row is found")
    func checksums() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let data = try Database(path: folder.file, access: .readWrite)
        try data.execute("DROP TRIGGER audit_is_append_only")
        let tables = try MovedTable.all().filter { $0.columns.contains { $0.name == "crc" } }
        #expect(tables.count >= 19)
        #expect(try GameSurvey(data).faultCount == 0)
        for table in tables {
            try data.execute("UPDATE \(table.name) SET crc = crc + 1")
            #expect(try GameSurvey(data).faultCount > 0, "\(table.name)")
            try data.execute("UPDATE \(table.name) SET crc = crc - 1")
        }
    }

    @Test("PR10: a text that PostgreSQL cannot have is named, and never moved")
    func text() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        try Database(path: folder.file, access: .readWrite)
            .execute("INSERT INTO banned_names (folded, name, at) VALUES ('a' || char(0), 'a', 1)")
        let refusal = await refusal(file, database, damaged: .kept)
        #expect(refusal?.contains("of banned_names cannot be moved: its folded") == true)
        #expect(await self.refusal(of: file) == nil)
        #expect(await self.refusal(of: database)?.contains("unfinished target") == true)
    }

    @Test("a row that the target refuses is named, also when damaged rows are moved")
    func refusedRow() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let data = try Database(path: folder.file, access: .readWrite)
        try data.execute("PRAGMA foreign_keys = OFF")
        for number in 1...9 {
            let owner = number == 5 ? "nobody" : "player-1"
            try data.execute(
                "INSERT INTO heroes VALUES ('extra-\(number)', '\(owner)', x'00', 0)")
        }
        let refusal = await refusal(file, database)
        #expect(refusal?.contains("refers to a row of players that is missing") == true)
        let kept = await self.refusal(file, database, damaged: .kept)
        #expect(kept?.contains("the row extra-5 nobody of heroes cannot be moved") == true)
    }

    // MARK: Keys

    /// Names in their order, more than the first block takes.
    private static let names = (10..<40).map { "damaged-name-\($0)" }

    /// Writes other bytes over a key where the file has it, as a broken disk does.
    private func damage(_ name: String, with bytes: [UInt8]) throws {
        let data = try Database(path: folder.file, access: .readWrite)
        for name in Self.names {
            try data.execute("INSERT INTO banned_names VALUES ('\(name)', 'x', 1)")
        }
        try data.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let url = URL(fileURLWithPath: folder.file)
        var file = try Data(contentsOf: url)
        let range = try #require(file.range(of: Data(name.utf8)))
        file.replaceSubrange(range, with: bytes + Array(name.utf8).dropFirst(bytes.count))
        try file.write(to: url)
    }

    @Test(
        "a damaged key is found, and hides no row behind it",
        arguments: [
            // In the middle of the first block, at its end, and no text at the end of the table.
            ("damaged-name-13", [UInt8(ascii: "z")], "order"),
            ("damaged-name-25", [UInt8(ascii: "z")], "order"),
            ("damaged-name-39", [0xf0], "its folded is not a text"),
        ])
    func keys(name: String, bytes: [UInt8], words: String) async throws {
        let store = try await SQLiteStore.open(path: folder.file)
        await store.close()
        try damage(name, with: bytes)
        let refusal = await refusal(file, database)
        #expect(refusal?.contains(words) == true, "\(refusal ?? "moved")")
        if words == "order" {
            let report = try await move(file, database, damaged: .kept)
            let names = report?.tables.first { $0.name == "banned_names" }
            #expect(names?.rows == Int64(Self.names.count))
        }
    }
}
