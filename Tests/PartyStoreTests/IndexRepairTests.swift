import Foundation
import Testing

@testable import PartyStore

/// PR10: what of a damaged file can be rebuilt is rebuilt; what is missing refuses the start.
@Suite("Damaged indices and missing tables")
struct IndexRepairTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        try await store.insert(Fixture.record(), epoch: epoch)
        for number in 0..<3 { try await store.insert(Fixture.hero(number), epoch: epoch) }
        await store.close()
    }

    private func execute(_ sql: String) throws {
        try Database(path: folder.file, access: .readWrite).execute(sql)
    }

    /// Flips a bit of a key in an index, where its page has it.
    private func damage(index name: String, key: String) throws {
        let root = try Database(path: folder.file, access: .readOnly).row(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(name)]
        ) { Int($0.integer(0)) }
        let start = (try #require(root) - 1) * Int(Database.pageBytes)
        let url = URL(fileURLWithPath: folder.file)
        var bytes = try Data(contentsOf: url)
        let page = start..<start + Int(Database.pageBytes)
        let place = try #require(bytes.range(of: Data(key.utf8), in: page))
        bytes[place.upperBound - 1] ^= 1
        try bytes.write(to: url)
    }

    private func refusal() async -> String? {
        do throws(StoreError) {
            try await SQLiteStore.open(path: folder.file).close()
            return nil
        } catch {
            guard case .broken(let text) = error else { return "not .broken: \(error)" }
            return text
        }
    }

    @Test(
        "PR10: a damaged index refuses the start, and a repair rebuilds it",
        arguments: [
            ("heroes_of_owner", "player-1hero-1"), ("sqlite_autoindex_heroes_1", "hero-1"),
        ])
    func damagedIndex(name: String, key: String) async throws {
        try damage(index: name, key: key)
        let text = await refusal()
        #expect(text?.contains("an index of") == true, "\(text ?? "opened")")
        #expect(text?.contains("--repair") == true)
        let repair = try await SQLiteStore.repairIndices(ofFile: folder.file)
        #expect(repair.problems.contains { $0.contains(name) })
        #expect(repair.left.isEmpty)
        #expect(await refusal() == nil)
        let store = try await SQLiteStore.open(path: folder.file)
        #expect(try await store.heroes(of: Fixture.player).count == 3)
        #expect(try await store.check().isEmpty)
        await store.close()
    }

    @Test("a missing index is created")
    func missingIndex() async throws {
        try execute("DROP INDEX heroes_of_owner")
        let repair = try await SQLiteStore.repairIndices(ofFile: folder.file)
        #expect(repair.problems.count == 1)
        #expect(try await SQLiteStore.repairIndices(ofFile: folder.file).problems.isEmpty)
    }

    @Test("no repair while a server uses the file")
    func serverRuns() async throws {
        let store = try await SQLiteStore.open(path: folder.file)
        await #expect {
            try await SQLiteStore.repairIndices(ofFile: folder.file)
        } throws: { error in
            "\(error)".contains("a server uses")
        }
        await store.close()
        #expect(try await SQLiteStore.repairIndices(ofFile: folder.file).problems.isEmpty)
    }

    @Test(
        "a missing table or column refuses the start with its name",
        arguments: [
            ("DROP TABLE journal_snapshots", "the table journal_snapshots"),
            ("ALTER TABLE channels DROP COLUMN crc", "the column crc of the table channels"),
        ])
    func missingPart(change: String, name: String) async throws {
        try execute(change)
        let text = await refusal()
        #expect(text?.contains("lacks \(name)") == true, "\(text ?? "opened")")
    }
}
