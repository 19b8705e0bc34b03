internal import Isolation

/// Copies the write-ahead log into the file, on a connection of its own, so that no commit waits
/// for it.
actor Checkpointer {
    enum Turn {
        case beside
        /// The log has outgrown its bound: write no more until it has started again.
        case waitForIt
    }

    /// Pages in the log (of 4 KiB: 128 MiB) beyond which writing waits for a checkpoint.
    static let logPagesMax: Int64 = 32_768

    private let executor: QueueExecutor
    private let onEvent: @Sendable (StoreEvent) -> Void
    private nonisolated let progress = Locked(Progress())
    private var database: Database?

    private struct Progress: Sendable {
        var isRunning = false
        var logPages: Int64 = 0
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(database: sending Database, onEvent: @escaping @Sendable (StoreEvent) -> Void) {
        executor = QueueExecutor(label: "PartyStore checkpoints")
        self.database = database
        self.onEvent = onEvent
    }

    /// Starts a checkpoint beside the commits, unless one is running.
    nonisolated func request() -> Turn {
        let (starts, logPages) = progress.withLock { progress in
            defer { progress.isRunning = true }
            return (!progress.isRunning, progress.logPages)
        }
        guard logPages < Self.logPagesMax else { return .waitForIt }
        // Nobody waits for it: `close` queues behind it on the executor.
        if starts { Task { await copyLog("PASSIVE") } }
        return .beside
    }

    /// Copies all of the log and lets it start again; waits for readers to leave it.
    func restartLog() { copyLog("RESTART") }

    /// Copies what is left and cuts the log off, then closes the connection.
    func close() {
        copyLog("TRUNCATE")
        database = nil
    }

    private func copyLog(_ mode: String) {
        var logPages: Int64 = 0
        do throws(SQLiteFailure) {
            let sql = "PRAGMA wal_checkpoint(\(mode))"
            let answer = try database?.row(sql) { row in
                (log: row.integer(1), copied: row.integer(2))
            }
            if let answer, answer.copied < answer.log || mode == "PASSIVE" {
                logPages = answer.log
            }
        } catch {
            onEvent(.checkpointFailed("\(error.message) (code \(error.code))"))
        }
        let pages = logPages
        progress.withLock { $0 = Progress(isRunning: false, logPages: pages) }
    }
}
