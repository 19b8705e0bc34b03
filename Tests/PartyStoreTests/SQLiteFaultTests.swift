import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("Full disks and busy files")
struct SQLiteFaultTests {
    private let owned: OwnedStore
    private var folder: TemporaryFolder { owned.folder }
    private var store: SQLiteStore { owned.store }
    private var epoch: Epoch { owned.epoch }
    private var events: Locked<[StoreEvent]> { owned.events }

    init() async throws { owned = try await OwnedStore() }

    /// Bounds the file as a full disk would.
    private func limit(toPages pages: Int64) async throws {
        _ = try await store.writer.submit { database in
            // A pragma's row is of no interest.
            try database.execute("PRAGMA max_page_count = \(pages)")
            return 0
        }
    }

    private func pages() async throws -> Int64 {
        try await store.read { database throws(SQLFailure) in
            try database.integer("PRAGMA page_count")
        }
    }

    /// Creates parties with many events until one is refused; returns the created ones.
    private func fill() async -> (created: [PartyCommit], refusal: StoreError) {
        var created: [PartyCommit] = []
        while true {
            var commit = Fixture.newParty("p\(created.count)")
            commit.events = (1...100).map {
                PartyEvent(sequence: $0, time: .zero, kind: .stormRaised)
            }
            do throws(StoreError) {
                try await store.commit(commit, epoch: epoch)
                created.append(commit)
            } catch {
                return (created, error)
            }
        }
    }

    @Test("PR9: a full disk refuses writes, serves reads, loses nothing, and comes back by itself")
    func fullDisk() async throws {
        for _ in 0..<3 {
            try await limit(toPages: pages() + 20)
            let (created, refusal) = await fill()
            guard case .unavailable = refusal else {
                Issue.record("a full disk is reported as \(refusal)")
                return
            }
            for commit in created {
                let party = try await store.party(commit.stored.id)
                #expect(party == commit.stored)
            }
            try await limit(toPages: 1_000_000)
            let again = Fixture.newParty("p\(created.count)")
            try await store.commit(again, epoch: epoch)
            try await startOver()
        }
        let said = events.withLock { $0.filter { $0 == .writingResumed }.count }
        #expect(said == 3)
        await store.close()
    }

    @Test("PR9: on a full disk a small change that fits neither makes it ready nor fills the log")
    func smallChangesFit() async throws {
        try await limit(toPages: pages())
        var large = Fixture.newParty("p")
        large.events = (1...2000).map { PartyEvent(sequence: $0, time: .zero, kind: .stormRaised) }
        await #expect(throws: StoreError.self) { try await store.commit(large, epoch: epoch) }
        for _ in 0..<3 {
            // It rewrites one page.
            _ = try await store.writer.submit { database in
                Int64(try database.run("UPDATE ownership SET epoch = epoch"))
            }
            await store.writer.refusals.tryAgain()
            await #expect {
                try await store.ping()
            } throws: { error in
                if case StoreError.unavailable = error { true } else { false }
            }
        }
        #expect(events.withLock { $0.count } == 1)
        try await limit(toPages: 1_000_000)
        await store.writer.refusals.tryAgain()
        try await store.ping()
        #expect(events.withLock { $0.suffix(1) } == [.writingResumed])
        #expect(events.withLock { $0.count } == 2)
        try await store.commit(large, epoch: epoch)
        await store.close()
    }

    @Test("PR9: an attempt writes as much as a change of its size, and leaves no row")
    func attempt() async throws {
        let bytes: Int64 = 100_000
        let log = folder.file + "-wal"
        let before = DiskSpace.size(of: log)
        await store.writer.tryWriting(bytes: bytes)
        let written = DiskSpace.size(of: log) - before
        #expect((bytes..<2 * bytes).contains(written))
        let rows = try await store.read { try $0.integer("SELECT count(*) FROM write_checks") }
        #expect(rows == 0)
        await store.close()
    }

    /// Takes the parties away, so that their names are free for the next cycle.
    private func startOver() async throws {
        _ = try await store.writer.submit { database in
            try database.execute("DELETE FROM journal; DELETE FROM parties")
            return 1
        }
    }

    @Test("PR11: a commit waits for another process's lock")
    func lockedForAWhile() async throws {
        let other = try Database(path: folder.file, access: .readWrite)
        try other.begin()
        let store = store
        let epoch = epoch
        async let commit: Void = store.commit(Fixture.newParty("p"), epoch: epoch)
        other.rollBack()
        try await commit
        #expect(try await store.party(PartyID("p")) != nil)
        await store.close()
    }

    @Test("PR11: a lock that stays gives `.unavailable`, writes nothing, and disturbs no reader")
    func lockedForLong() async throws {
        let other = try Database(path: folder.file, access: .readWrite)
        try other.begin()
        // No patience here, where a server has seconds.
        await store.writer.waitForLocks(milliseconds: 0)
        await #expect {
            try await store.commit(Fixture.newParty("p"), epoch: epoch)
        } throws: { error in
            guard case StoreError.unavailable = error else { return false }
            return true
        }
        #expect(try await store.party(PartyID("p")) == nil)
        await #expect(throws: StoreError.self) { try await store.ping() }
        other.rollBack()
        // Nobody else writes: the attempt finds out.
        await store.writer.refusals.tryAgain()
        try await store.ping()
        try await store.commit(Fixture.newParty("p"), epoch: epoch)
        #expect(events.withLock { $0.last } == .writingResumed)
        await store.close()
    }
}
