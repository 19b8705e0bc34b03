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

    @Test("R19: a commit that SQLite refuses freezes its party and disturbs no other")
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
            for _ in 0..<(Writer.closuresMax + 3) {
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
            "\(Writer.closuresMax) changes are waiting already")
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
}
