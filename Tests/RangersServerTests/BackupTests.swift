import Foundation
import Playtest
import PushPolicy
import RangersServer
import Testing

@testable import PartyStore

/// Backups that are made while a party plays, and put back.
@Suite("Backup and restore", .timeLimit(.minutes(2)), .simulated)
struct BackupTests {
    private let backup = TestServer.freshFile()

    private func differences(_ file: String) async -> [String] {
        await Replay.report(file: file, party: nil).differences
    }

    /// A party in the middle of its adventure, and a backup of that moment.
    private func stageWithBackup() async throws -> (stage: Stage, report: Backup.Report) {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.server.step(until: { stage.apns.pushes.count > 5 }))
        return (stage, try await Backup.make(of: stage.server.file, to: backup))
    }

    @Test("PR1, PR2: a backup made while a party plays replays, and disturbs no one")
    func whilePlaying() async throws {
        let (stage, report) = try await stageWithBackup()
        #expect(report.parties == 1)
        #expect(report.events > 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: backup)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        for suffix in ["-wal", "-shm", ".unfinished"] {
            #expect(!FileManager.default.fileExists(atPath: backup + suffix), "\(suffix)")
        }
        #expect(await stage.untilEnded())
        try await stage.requireWholeStory()
        await stage.server.server.drain()
        #expect(await differences(stage.server.file) == [])
        #expect(await differences(backup) == [])
        let later = await Replay.report(file: stage.server.file, party: nil)
        #expect(later.events > report.events)
    }

    @Test("a backup never replaces a file")
    func existing() async throws {
        let (stage, _) = try await stageWithBackup()
        await #expect(throws: StoreError.exists("a file \(backup)")) {
            _ = try await Backup.make(of: stage.server.file, to: backup)
        }
        #expect(await differences(backup) == [])
        await stage.server.server.drain()
    }

    @Test("PR10: a copy that does not verify does not get the name of a backup")
    func damagedFile() async throws {
        let (stage, _) = try await stageWithBackup()
        await stage.server.server.drain()
        let file = stage.server.file
        #expect(try FileBytes.replace("Power Panda", with: "Power Pandb", in: file) > 0)
        let second = TestServer.freshFile()
        let error = await #expect(throws: Backup.Unsound.self) {
            _ = try await Backup.make(of: file, to: second)
        }
        #expect(error?.description.contains("does not verify") == true)
        #expect(!FileManager.default.fileExists(atPath: second))
        #expect(FileManager.default.fileExists(atPath: second + ".damaged"))
    }

    @Test("no restore while a server uses the file")
    func serverRuns() async throws {
        let (stage, _) = try await stageWithBackup()
        let error = await #expect(throws: StoreError.self) {
            _ = try await Backup.restore(backup, to: stage.server.file)
        }
        #expect(error?.description.contains("a server uses") == true)
        #expect(await stage.untilEnded())
        try await stage.requireWholeStory()
        await stage.server.server.drain()
    }

    @Test("a damaged backup is refused, and the data file stays")
    func damagedBackup() async throws {
        let (stage, _) = try await stageWithBackup()
        await stage.server.server.drain()
        let before = try Data(contentsOf: URL(fileURLWithPath: stage.server.file))
        #expect(try FileBytes.replace("Power Panda", with: "Power Pandb", in: backup) > 0)
        let error = await #expect(throws: StoreError.self) {
            _ = try await Backup.restore(backup, to: stage.server.file)
        }
        #expect(error?.description.contains("does not verify") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: stage.server.file)) == before)
        #expect(!FileManager.default.fileExists(atPath: stage.server.file + ".restoring"))
    }

    @Test("PR2, PR5: after a restore the adventure goes on once, with newer timestamps than any")
    func restored() async throws {
        let (stage, report) = try await stageWithBackup()
        // Pushes that phones have seen, and the backup does not know.
        #expect(await stage.untilEnded())
        let newest = try #require(stage.timestamps.max())
        await stage.server.server.drain()
        let file = stage.server.file
        let restored = try await Backup.restore(backup, to: file)
        #expect(restored.report.events == report.events)
        let old = try #require(restored.old)
        #expect(await differences(old) == [])
        // Timestamps may lead the clock by five seconds (PR5); a restore and a start take longer.
        let clock = VirtualClock(now: stage.server.clock.now.adding(seconds: 6))
        let server = try await TestServer(file: file, clock: clock, apns: FakeAPNs())
        let second = stage.moved(to: server)
        #expect(await second.untilEnded())
        try await second.requireWholeStory()
        #expect(!second.timestamps.isEmpty)
        #expect(second.timestamps.allSatisfy { $0 > newest })
        await server.server.drain()
        #expect(await differences(file) == [])
        // Restored again: the first old file keeps its name.
        let again = try await Backup.restore(backup, to: file)
        #expect(again.old != old)
        #expect(await differences(old) == [])
    }

    @Test("a restore to a new place needs no old file")
    func newPlace() async throws {
        let (stage, report) = try await stageWithBackup()
        await stage.server.server.drain()
        let place = TestServer.freshFile()
        let restored = try await Backup.restore(backup, to: place)
        #expect(restored.old == nil)
        #expect(restored.report.events == report.events)
        #expect(await differences(place) == [])
    }

    @Test(
        "no backup of a file of another schema is made: the sentence names the file, not the copy")
    func otherSchema() async throws {
        let (stage, _) = try await stageWithBackup()
        await stage.server.server.drain()
        let file = stage.server.file
        try Database(path: file, access: .readWrite).execute("PRAGMA user_version = 99")
        let target = TestServer.freshFile()
        let error = await #expect(throws: StoreError.self) {
            _ = try await Backup.make(of: file, to: target)
        }
        #expect(error?.description.contains("\(file) has schema 99") == true)
        for left in [target, target + ".unfinished", target + ".damaged"] {
            #expect(!FileManager.default.fileExists(atPath: left), "\(left)")
        }
    }

    @Test("a backup of another schema is refused, and the data file stays")
    func backupOfOtherSchema() async throws {
        let (stage, _) = try await stageWithBackup()
        await stage.server.server.drain()
        let before = try Data(contentsOf: URL(filePath: stage.server.file))
        try Database(path: backup, access: .readWrite).execute("PRAGMA user_version = 99")
        let error = await #expect(throws: StoreError.self) {
            _ = try await Backup.restore(backup, to: stage.server.file)
        }
        #expect(error?.description.contains("\(backup) has schema 99") == true)
        #expect(try Data(contentsOf: URL(filePath: stage.server.file)) == before)
        #expect(!FileManager.default.fileExists(atPath: stage.server.file + ".restoring"))
    }
}
