import Foundation
import Testing

@testable import PartyStore

/// What a move refuses before anybody notices it, and what it finds although checksums are right.
@Suite("What a move refuses")
struct MoveRefusalTests: MoveSuite {
    let scene: MoveScene

    init() throws { scene = try MoveScene() }

    /// Moves a game as it is. Returns why it was refused.
    private func refusal(_ source: GamePlace, _ target: GamePlace) async -> String? {
        do throws(StoreError) {
            let move = try GameMove(
                from: source, to: target, damaged: .kept, onNote: { _ throws(StoreError) in })
            _ = try await move.copy()
            try await move.finish()
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Targets

    @Test("a target that cannot take the game stops nobody who serves the source")
    func wrongTarget() async throws {
        let store = try await StoreKind.postgreSQL.open(in: folder)
        let epoch = try await store.takeOwnership()
        let played = folder.file + ".played"
        let other = try await SQLiteStore.open(path: played)
        _ = try await other.takeOwnership()
        await other.close()
        for target in [played, folder.file + "/missing/rangers.db"] {
            #expect(await refusal(database, .file(target)) != nil)
            try await store.commit(Fixture.newParty("p-\(target.count)"), epoch: epoch)
        }
        await store.close()
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

    // MARK: Giving up

    @Test("the move of another schema is not given up")
    func otherSchema() async throws {
        let store = try await StoreKind.postgreSQL.open(in: folder)
        await store.close()
        let address = try folder.schema()
        try DatabaseSource(address, target: "elsewhere", run: 1).claim()
        let link = try PostgreSQLLink(address)
        for other in [Schema.version + 1, Schema.version - 1] {
            try link.run(script: "UPDATE store_schema SET version = \(other)")
            await #expect(throws: StoreError.self) { try await GameMove.cancel(database) }
        }
        try link.run(script: "UPDATE store_schema SET version = \(Schema.version)")
        #expect(try await GameMove.cancel(database) == "elsewhere")
        #expect(try await GameMove.cancel(database) == nil)
    }

    @Test("a move that ends between its two marks says so, and goes on when it is repeated")
    func betweenMarks() async throws {
        try await MovedGame.make(.sqlite, in: folder)
        let address = try folder.schema()
        let move = try GameMove(
            from: file, to: database, damaged: .refused
        ) { note throws(StoreError) in
            guard note.step == .finishing else { return }
            do {
                try PostgreSQLLink(address).run(script: "UPDATE store_move SET run = -run")
            } catch {
                Issue.record(error)
            }
        }
        _ = try await move.copy()
        let error = await #expect(throws: StoreError.self) { try await move.finish() }
        #expect(error.map { "\($0)".contains("is marked as moved") } == true)
        try await move.release()
        #expect(await refusal(file, database) == nil)
        #expect(try await GameMove.cancel(file) == "\(database)")
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
        "a damaged key hides no row behind it, nor is it read for ever",
        arguments: [
            // In the middle of the first block, at its end, and no text at the end of the table.
            ("damaged-name-13", [UInt8(ascii: "z")], "out of order"),
            ("damaged-name-25", [UInt8(ascii: "z")], "were found in order"),
            ("damaged-name-39", [0xf0], "out of order"),
        ])
    func keys(name: String, bytes: [UInt8], words: String) async throws {
        let store = try await SQLiteStore.open(path: folder.file)
        await store.close()
        try damage(name, with: bytes)
        let refusal = await refusal(file, database)
        #expect(refusal?.contains(words) == true, "\(refusal ?? "moved")")
    }
}
