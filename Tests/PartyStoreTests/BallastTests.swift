import Foundation
import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

/// PR9: what the server does about a full disk by itself.
@Suite("The ballast and the size of the log", .timeLimit(.minutes(2)))
struct BallastTests {
    private static let mebibyte: Int64 = 1024 * 1024
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func size(_ path: String) -> Int64 { DiskSpace.size(of: path) }

    @Test("PR9: the ballast is made, freed but for its reserve, and made again")
    func life() {
        let ballast = Ballast(of: folder.file, bytes: 4 * Self.mebibyte)
        #expect(ballast.make() == .made)
        #expect(ballast.make() == .isWhole)
        #expect(size(ballast.path) == 4 * Self.mebibyte)
        #expect(ballast.free())
        #expect(!ballast.free())
        #expect(size(ballast.path) == Ballast.reserveBytes)
        #expect(ballast.freeReserve())
        #expect(size(ballast.path) == 0)
        #expect(ballast.make() == .made)
        // Another start finds it whole.
        #expect(Ballast(of: folder.file, bytes: 4 * Self.mebibyte).make() == .isWhole)
        // And one with the setting 0 removes it.
        #expect(Ballast(of: folder.file, bytes: 0).make() == .isWhole)
        #expect(!FileManager.default.fileExists(atPath: ballast.path))
    }

    @Test("PR9: no ballast is made where it would fill the disk")
    func tooLarge() throws {
        let free = try #require(DiskSpace.free(beside: folder.file))
        let ballast = Ballast(of: folder.file, bytes: free)
        #expect(ballast.make() == .noRoom)
        #expect(size(ballast.path) == 0)
    }

    @Test("PR9: a full disk frees the ballast before a write fails, and it comes back")
    func freed() async throws {
        let events = Locked<[StoreEvent]>([])
        let store = try await SQLiteStore.open(
            path: folder.file, ballastBytes: 2 * Self.mebibyte
        ) { event in events.withLock { $0.append(event) } }
        let epoch = try await store.takeOwnership()
        let pages = try await store.read { try $0.integer("PRAGMA page_count") }
        try await limit(store, toPages: pages + 10)
        var number = 0
        var refusal: StoreError?
        while refusal == nil {
            do throws(StoreError) {
                try await store.commit(Fixture.newParty("p\(number)"), epoch: epoch)
                number += 1
            } catch { refusal = error }
        }
        guard case .unavailable? = refusal else {
            Issue.record("a full disk is reported as \(String(describing: refusal))")
            return
        }
        let freed = events.withLock { $0.firstIndex(of: .ballastFreed) }
        let stopped = events.withLock { events in
            events.firstIndex { if case .writingStopped = $0 { true } else { false } }
        }
        #expect(try #require(freed) < (try #require(stopped)))
        #expect(size(folder.file + "-ballast") == Ballast.reserveBytes)
        try await limit(store, toPages: 1_000_000)
        // It is made at the start, and again now.
        while events.withLock({ $0.filter { $0 == .ballastMade }.count }) < 2 {
            try await store.commit(Fixture.newParty("p\(number)"), epoch: epoch)
            number += 1
        }
        #expect(size(folder.file + "-ballast") == 2 * Self.mebibyte)
        #expect(try await store.parties(after: nil, limit: 10_000).count == number)
        await store.close()
    }

    private func limit(_ store: SQLiteStore, toPages pages: Int64) async throws {
        _ = try await store.writer.submit { database in
            try database.execute("PRAGMA max_page_count = \(pages)")
            return 0
        }
    }

    @Test("PR9: a start that cannot write serves reads, and takes the file over by itself")
    func startWithoutWriting() async throws {
        let first = try await SQLiteStore.open(path: folder.file)
        let old = try await first.takeOwnership()
        try await first.commit(Fixture.newParty("p"), epoch: old)
        await first.close()
        let other = try Database(path: folder.file, access: .readWrite)
        try other.begin()
        let store = try await SQLiteStore.open(path: folder.file)
        await store.writer.waitForLocks(milliseconds: 0)
        let epoch = try await store.takeOwnership()
        #expect(epoch.number > old.number)
        #expect(try await store.party(PartyID("p")) != nil)
        let refused = await #expect(throws: StoreError.self) {
            try await store.commit(Fixture.newParty("q"), epoch: epoch)
        }
        guard case .unavailable? = refused else {
            Issue.record("a write gave \(String(describing: refused))")
            return
        }
        #expect(try other.epoch() == old.number)
        other.rollBack()
        try await store.commit(Fixture.newParty("q"), epoch: epoch)
        #expect(try other.epoch() == epoch.number)
        await store.close()
    }

    @Test(
        "PR2: a start that cannot write does not take the file from a server that came later",
        arguments: 1...3)
    func laterServer(takeovers: Int) async throws {
        let other = try await SQLiteStore.open(path: folder.file)
        _ = try await other.takeOwnership()
        let blocker = try Database(path: folder.file, access: .readWrite)
        try blocker.begin()
        let store = try await SQLiteStore.open(path: folder.file)
        await store.writer.waitForLocks(milliseconds: 0)
        let epoch = try await store.takeOwnership()
        blocker.rollBack()
        for _ in 0..<takeovers { _ = try await other.takeOwnership() }
        await #expect(throws: StoreError.notTheOwner) {
            try await store.commit(Fixture.newParty("q"), epoch: epoch)
        }
        await store.close()
        await other.close()
    }

    @Test(
        "PR9: the log may be as large as the file, within bounds and half of the free space",
        arguments: [
            (0, 1_000_000, 32), (100, 1_000_000, 100), (5000, 1_000_000, 128), (5000, 100, 50),
            (5000, 8, 4), (5000, 0, 4), (0, 20, 10),
        ])
    func logLimits(fileMebibytes: Int64, freeMebibytes: Int64, mebibytes: Int64) {
        let limits = LogLimits(
            fileBytes: fileMebibytes << 20, freeBytes: freeMebibytes << 20)
        #expect(limits.bytes == mebibytes << 20)
        #expect(limits.bytesPerCheckpoint * 8 == limits.bytes)
    }
}
