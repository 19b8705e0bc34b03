import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("PR12: the server's time of a file of schema 9")
struct ClockMigrationTests {
    private static let anchor = ClockAnchor(
        time: Fixture.noon.adding(seconds: 9),
        reading: ClockReading(bootID: "2f3d", sinceBoot: 9000, wall: Fixture.noon))

    /// A file of schema 9 with a party, and that party.
    private static func oldFile() async throws -> (folder: TemporaryFolder, stored: StoredParty) {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        let joined = try await Fixture.party("p", in: store, epoch: epoch)
        try await store.save(anchor, epoch: epoch)
        await store.close()
        try OlderFile.makeSchema9(folder.file)
        return (folder, joined.stored)
    }

    private static func schema(of file: String) throws -> Int64 {
        try Database(path: file, access: .readOnly).integer("PRAGMA user_version")
    }

    @Test("what schema 9 has stays as it is, and the server's time begins empty")
    func added() async throws {
        let (folder, stored) = try await Self.oldFile()
        #expect(try Self.schema(of: folder.file) == 9)
        let before = try Database(path: folder.file, access: .readOnly)
            .rows("SELECT id, data, crc FROM journal ORDER BY id") { $0.bytes(1) }
        let store = try await SQLiteStore.open(path: folder.file)
        // Nobody reads the file before a server has brought it up to date.
        await #expect(throws: StoreError.self) { _ = try await store.clockRecord() }
        let epoch = try await store.takeOwnership()
        #expect(try await store.party(stored.id) == stored)
        #expect(try await store.clockRecord() == ClockRecord(newest: Fixture.noon))
        try await store.save(Self.anchor, epoch: epoch)
        #expect(try await store.clockRecord().anchor == Self.anchor)
        #expect(try await store.check() == [])
        await store.close()
        let database = try Database(path: folder.file, access: .readOnly)
        let after = try database.rows("SELECT id, data, crc FROM journal ORDER BY id") {
            $0.bytes(1)
        }
        #expect(after == before && !before.isEmpty)
        #expect(try Self.schema(of: folder.file) == Schema.version)
        #expect(try SchemaCheck().missing(from: database) == [])
    }

    @Test("PR1: one transaction is the whole step: a stop before its commit leaves schema 9")
    func interrupted() async throws {
        let (folder, stored) = try await Self.oldFile()
        for isCommitted in [false, true] {
            let database = try Database(path: folder.file, access: .readWrite)
            #expect(try Migration.isNeeded(on: database))
            try database.begin()
            try Migration(database).begin()
            try database.execute(isCommitted ? "COMMIT" : "ROLLBACK")
            #expect(try Migration.isNeeded(on: database) == !isCommitted)
        }
        let store = try await SQLiteStore.open(path: folder.file)
        #expect(try await store.party(stored.id) == stored)
        #expect(try await store.clockRecord().anchor == nil)
        await store.close()
    }
}
