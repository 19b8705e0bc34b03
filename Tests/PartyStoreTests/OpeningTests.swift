import Foundation
import GameLogic
import Testing

@testable import PartyStore

@Suite("Opening a file")
struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What opening the file is refused with.
    private func refusal(_ path: String? = nil) async -> String? {
        do throws(StoreError) {
            try await SQLiteStore.open(path: path ?? folder.file).close()
            return nil
        } catch {
            guard case .broken(let instructions) = error else { return "not .broken: \(error)" }
            return instructions
        }
    }

    private func put(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file))
    }

    @Test("a missing folder is named")
    func missingFolder() async throws {
        let text = await refusal(folder.file + ".d/rangers.db")
        #expect(
            text?.contains("the folder \(folder.file).d/ of the data file does not exist") == true)
    }

    @Test("a folder in the file's place is refused")
    func isFolder() async throws {
        #expect(await refusal(folder.url.path)?.contains("is not a file") == true)
    }

    @Test("PR10: a file that is no database is refused with instructions, and left alone")
    func notADatabase() async throws {
        let text = String(repeating: "Dear diary, ", count: 1000)
        try put(text)
        #expect(await refusal()?.contains("is not a database, or is damaged") == true)
        #expect(try String(contentsOfFile: folder.file, encoding: .utf8) == text)
    }

    @Test("another program's database is refused")
    func otherProgram() async throws {
        try Database(path: folder.file, access: .readWrite).execute("CREATE TABLE notes (text)")
        #expect(await refusal()?.contains("is a database of another program") == true)
    }

    @Test("PR10: a damaged header is refused with instructions")
    func damagedHeader() async throws {
        try await SQLiteStore.open(path: folder.file).close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        bytes[3] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder.file))
        #expect(await refusal()?.contains("restore the newest backup") == true)
    }

    @Test("nobody but the owner may read the file")
    func permissions() async throws {
        try await SQLiteStore.open(path: folder.file).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("PR10: a large file is checked beside the stories, and its damage is reported")
    func largeFile() async throws {
        let first = try await SQLiteStore.open(path: folder.file)
        let epoch = try await first.takeOwnership()
        for number in 0..<3 {
            try await first.commit(Fixture.newParty("p\(number)"), epoch: epoch)
        }
        await first.close()
        try Database(path: folder.file, access: .readWrite)
            .execute("UPDATE parties SET invite_code = 'other' WHERE id = 'p1'")
        let (events, heard) = AsyncStream.makeStream(of: StoreEvent.self)
        let store = try SQLiteStore(SQLiteFile(path: folder.file, checkedBytesMax: 0)) {
            heard.yield($0)
        }
        for await event in events {
            guard case .fileChecked(let problems) = event else { continue }
            #expect(problems.count == 1 && problems[0].hasPrefix("parties p1: its checksum is"))
            break
        }
        await store.close()
    }

    @Test("new files have pages of 2 KiB")
    func pageSize() async throws {
        try await SQLiteStore.open(path: folder.file).close()
        let bytes = try Database(path: folder.file, access: .readOnly).integer("PRAGMA page_size")
        #expect(bytes == 2048)
    }

    @Test("PR1: every commit is synced to the disk before it is acknowledged")
    func synchronous() throws {
        let database = try Database(path: folder.file, access: .readWrite)
        // 2 is FULL: in a file with a write-ahead log, NORMAL leaves the log unsynced.
        #expect(try database.integer("PRAGMA synchronous") == 2)
    }
}
