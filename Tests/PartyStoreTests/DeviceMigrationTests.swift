import GameLogic
import PushPolicy
import Testing

@testable import PartyStore

@Suite("D4: the tokens of a file of schema 8")
struct DeviceMigrationTests {
    private static let players = (10..<30).map { PlayerID("player-\($0)") }

    private static func hash(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(number), count: 32)
    }

    /// A file of schema 8 with these players, each with a token and a hero.
    private static func oldFile() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        for (number, player) in players.enumerated() {
            let record = Fixture.record(of: player, hash: UInt8(number + 1))
            try await store.insert(record, epoch: epoch)
            let hero = Hero(
                id: HeroID("hero of \(player)"), owner: player, name: "H", avatar: "🐼",
                heroType: "T")
            try await store.insert(hero, epoch: epoch)
        }
        await store.close()
        try OlderFile.makeSchema8(folder.file)
        return folder
    }

    @Test("each player's token becomes that of a device without a name")
    func moved() async throws {
        let folder = try await Self.oldFile()
        let store = try await SQLiteStore.open(path: folder.file)
        let epoch = try await store.takeOwnership()
        for (number, player) in Self.players.enumerated() {
            let device = try await store.device(withTokenHash: Self.hash(number + 1))
            #expect(device == Fixture.record(of: player, hash: UInt8(number + 1)))
            #expect(try await store.registrationTime(of: player) == Fixture.noon)
        }
        #expect(try await store.check() == [])
        // A token is no recovery code.
        await #expect(throws: StoreError.account(.wrongCode)) {
            _ = try await store.change(
                .recover(
                    code: Self.hash(1), DeviceID("d"), tokenHash: Self.hash(99), at: Fixture.noon),
                keeping: nil, epoch: epoch)
        }
        await store.close()
    }

    @Test("PR1: a migration that is stopped after any transaction goes on")
    func interrupted() async throws {
        let folder = try await Self.oldFile()
        var steps = 0
        var progress = Migration.Progress.goesOn
        while progress == .goesOn {
            let database = try Database(path: folder.file, access: .readWrite)
            try database.execute("PRAGMA foreign_keys = OFF")
            #expect(try Migration.isNeeded(on: database))
            try database.begin()
            try Migration(database).begin()
            try database.commit()
            try database.begin()
            progress = try Migration(database).step(rows: 3)
            try database.commit()
            steps += 1
        }
        #expect(steps == 8)
        let store = try await SQLiteStore.open(path: folder.file)
        _ = try await store.takeOwnership()
        for player in Self.players {
            #expect(try await store.devices(of: player).map(\.key.device) == [.unnamed])
        }
        #expect(try await store.check() == [])
        await store.close()
    }

    @Test("PR10: a damaged player stays damaged, the others have their devices")
    func damaged() async throws {
        let folder = try await Self.oldFile()
        try Database(path: folder.file, access: .readWrite)
            .execute("UPDATE players SET created_at = 1 WHERE id = 'player-10'")
        let store = try await SQLiteStore.open(path: folder.file)
        _ = try await store.takeOwnership()
        #expect(try await store.device(withTokenHash: Self.hash(1)) == nil)
        #expect(try await store.device(withTokenHash: Self.hash(2)) != nil)
        #expect(try await store.check().count == 1)
        await store.close()
    }
}
