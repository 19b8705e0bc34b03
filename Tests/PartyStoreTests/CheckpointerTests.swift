import Isolation
import Testing

@testable import PartyStore

@Suite("Checkpoints")
struct CheckpointerTests {
    @Test("PR9: an operator hears of the first of several checkpoints that fail")
    func failing() async throws {
        let folder = try TemporaryFolder()
        let events = Locked<[StoreEvent]>([])
        let database = try Database(path: folder.file, access: .readWrite)
        // No checkpoint is possible within a transaction.
        try database.begin()
        try database.execute("CREATE TABLE things (id INTEGER)")
        let checkpointer = Checkpointer(
            database: database, path: folder.file, pageBytes: 4096, ballast: nil
        ) { event in
            events.withLock { $0.append(event) }
        }
        for _ in 0..<3 { await checkpointer.restartLog() }
        let heard = events.withLock { $0 }
        #expect(heard.count == 1)
        guard case .checkpointFailed? = heard.first else {
            Issue.record("a checkpoint within a transaction gave \(heard)")
            return
        }
        await checkpointer.close()
    }
}
