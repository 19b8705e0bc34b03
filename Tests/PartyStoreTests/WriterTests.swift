import Dispatch
import GameLogic
import Isolation
import PushPolicy
import Testing

@testable import PartyStore

@Suite("The writer")
struct WriterTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let epoch: Epoch

    init() async throws {
        folder = try TemporaryFolder()
        store = try await SQLiteStore.open(path: folder.file)
        epoch = try await store.takeOwnership()
    }

    /// Commits, and says how it ended.
    private func outcome(_ commit: PartyCommit) async -> StoreError? {
        do throws(StoreError) {
            try await store.commit(commit, epoch: epoch)
            return nil
        } catch {
            return error
        }
    }

    /// Holds the writer within a change, until the returned semaphore is signalled.
    private func holdWriter() async -> (release: DispatchSemaphore, held: Task<Void, Never>) {
        let release = DispatchSemaphore(value: 0)
        let store = store
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let held = Task {
            _ = try? await store.writer.submit { _ in
                signal.finish()
                release.wait()
                return 0
            }
        }
        for await _ in started {}
        return (release, held)
    }

    @Test("every commit of many at once is answered and written")
    func many() async throws {
        let outcomes = await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<200 {
                group.addTask { await outcome(Fixture.newParty("p\(number)")) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 200 && outcomes.allSatisfy { $0 == nil })
        #expect(try await store.parties(after: nil, limit: 1000).count == 200)
        await store.close()
    }

    @Test("an attempt to write shares its transaction with no other work")
    func alone() async throws {
        let pages = try await store.read { try $0.integer("PRAGMA page_count") }
        _ = try await store.writer.submit { database in
            try database.execute("PRAGMA max_page_count = \(pages)")
            return 0
        }
        let full = SQLFailure(code: 13, message: "database or disk is full")
        store.writer.refusals.add("writer", full, bytes: 100_000)
        let (release, held) = await holdWriter()
        // There is room for the party alone.
        async let attempt: Void = store.writer.refusals.tryAgain()
        async let accepted = outcome(Fixture.newParty("good"))
        release.signal()
        await held.value
        await attempt
        #expect(await accepted == nil)
        #expect(store.writer.refusals.error != nil)
        await store.close()
    }

    @Test("a commit that is refused does not disturb the others of its transaction")
    func refused() async throws {
        let (release, held) = await holdWriter()
        let outcomes = await withTaskGroup(of: (Int, StoreError?).self) { group in
            for number in 0..<50 {
                var commit = Fixture.newParty("p\(number)")
                if number == 20 {
                    var stored = commit.stored
                    stored.version = 7
                    commit = PartyCommit(stored: stored, isAwake: false, at: Fixture.noon)
                }
                group.addTask { [commit] in (number, await outcome(commit)) }
            }
            release.signal()
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        await held.value
        #expect(outcomes == [20: .staleVersion(PartyID("p20"))])
        #expect(try await store.parties(after: nil, limit: 100).count == 49)
        await store.close()
    }

    @Test("PR19: a commit that SQLite refuses freezes its party and disturbs no other")
    func poison() async throws {
        var poison = Fixture.newParty("poison")
        poison.events = [PartyEvent(sequence: 1, time: .zero, kind: .stormRaised)]
        let key = poison.stored.key.number
        _ = try await store.writer.submit { database in
            let row = JournalRow(party: key, version: 1, at: 0, data: [])
            return Int64(
                try database.run(
                    """
                    INSERT INTO journal (party, version, at, data, crc)
                    VALUES (?1, ?2, ?3, ?4, ?5)
                    """, row.values))
        }
        let (release, held) = await holdWriter()
        async let refused = outcome(poison)
        async let accepted = outcome(Fixture.newParty("good"))
        release.signal()
        await held.value
        let detail = "UNIQUE constraint failed: journal.party, journal.version"
        #expect(await refused == .corrupt(PartyID("poison"), detail: detail))
        #expect(await accepted == nil)
        #expect(try await store.party(PartyID("poison")) == nil)
        await store.close()
    }

    @Test("a full queue refuses, and what it took is written")
    func bound() async throws {
        let (release, held) = await holdWriter()
        let store = store
        let results = await withTaskGroup(of: StoreError?.self) { group in
            for _ in 0..<(WriterLimits.closuresMax + 3) {
                group.addTask {
                    do throws(StoreError) {
                        _ = try await store.writer.submit { _ in 1 }
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var results: [StoreError?] = []
            // Only refusals can come while the writer is held.
            while results.count < 3, let result = await group.next() { results.append(result) }
            release.signal()
            for await result in group { results.append(result) }
            return results
        }
        await held.value
        let refusal = StoreError.unavailable(
            "\(WriterLimits.closuresMax) changes are already waiting")
        #expect(results.count == WriterLimits.closuresMax + 3)
        #expect(results.prefix(3).allSatisfy { $0 == refusal })
        #expect(results.dropFirst(3).allSatisfy { $0 == nil })
        await store.close()
    }

    @Test("closing writes what waits")
    func closing() async throws {
        let (release, held) = await holdWriter()
        async let first = outcome(Fixture.newParty("p"))
        async let closed: Void = store.close()
        release.signal()
        await held.value
        _ = await closed
        let result = await first
        #expect(result == nil || result == .closed)
        let again = try await SQLiteStore.open(path: folder.file)
        #expect(try await (again.party(PartyID("p")) != nil) == (result == nil))
        await again.close()
    }

    /// Puts a row into the journal that stands in the way of this change.
    private func block(_ commit: PartyCommit) async throws {
        let row = JournalRow(
            party: commit.stored.key.number, version: commit.stored.version, at: 0, data: [])
        _ = try await store.writer.submit { database in
            Int64(
                try database.run(
                    """
                    INSERT INTO journal (party, version, at, data, crc)
                    VALUES (?1, ?2, ?3, ?4, ?5)
                    """, row.values))
        }
    }

    @Test("PR19: of a batch only the party that SQLite refuses freezes")
    func poisonInBatch() async throws {
        var poison = Fixture.newParty("poison")
        poison.events = [PartyEvent(sequence: 1, time: .zero, kind: .stormRaised)]
        try await block(poison)
        var batch = Batch()
        batch.add(Fixture.newParty("a"))
        batch.add(poison)
        batch.add(Fixture.newParty("b"))
        batch.add(outcomes: [Fixture.outcome(of: poison.stored.key)], row: 1)
        let result = await store.write(batch, epoch: epoch)
        let detail = "UNIQUE constraint failed: journal.party, journal.version"
        let refusal = StoreError.corrupt(PartyID("poison"), detail: detail)
        #expect(result.parties.map(\.error) == [nil, refusal, nil])
        #expect(result.failure == nil)
        let parties = try await store.parties(after: nil, limit: 9).map(\.id.rawValue)
        #expect(parties == ["a", "b"])
        #expect(try await store.outcomes().count == 1)
        await store.close()
    }

    @Test("what a late statement refuses undoes all of its party, and nothing of the others")
    func refusedInBatch() async throws {
        let first = try await Fixture.party("p", in: store, epoch: epoch)
        let joining = try Fixture.next(Fixture.newParty("q"), .join(Fixture.hero(1)))
        try await store.commit(Fixture.newParty("q"), epoch: epoch)
        var batch = Batch()
        batch.add(Fixture.touched(first))
        batch.add(joining)
        batch.add(Fixture.newParty("r"))
        let result = await store.write(batch, epoch: epoch)
        #expect(result.parties.map(\.error) == [nil, .heroIsTaken(HeroID("hero-1")), nil])
        #expect(try await store.party(PartyID("q"))?.version == 1)
        #expect(try await store.events(of: PartyID("q"), after: 0, limit: 9).isEmpty)
        await store.close()
    }

    @Test("PR9: a full disk fails whole batches, the outcomes included")
    func fullDisk() async throws {
        _ = try await store.writer.submit { database in
            // A pragma's row is of no interest.
            try database.execute("PRAGMA max_page_count = 1")
            return 0
        }
        var batch = Batch()
        for number in 0..<200 { batch.add(Fixture.newParty("p\(number)")) }
        batch.add(outcomes: [Fixture.outcome(of: Fixture.key("p1"))], row: 1)
        let result = await store.write(batch, epoch: epoch)
        let isUnavailable = { (error: StoreError?) in
            if case .unavailable = error { true } else { false }
        }
        #expect(result.parties.count { isUnavailable($0.error) } == 200)
        #expect(isUnavailable(result.failure))
        #expect(try await store.parties(after: nil, limit: 1).isEmpty)
        await store.close()
    }

    @Test("a ledger page waits for decisions that come later of its last event")
    func ledgerPage() {
        var page = LedgerPage(after: 0, limit: 2)
        let first = JournalEntry(
            events: [1, 2].map { PartyEvent(sequence: $0, time: .zero, kind: .stormRaised) },
            decisions: [1, 2].map { Fixture.decision($0) })
        _ = page.add(first, at: Fixture.noon)
        #expect(!page.isComplete(before: 3))
        let later = JournalEntry(
            decisions: [Fixture.decision(2, "other")])
        _ = page.add(later, at: Fixture.noon)
        #expect(page.isComplete(before: 4))
        #expect(page.decisions.map(\.sequence) == [1, 2, 2])
    }
}
