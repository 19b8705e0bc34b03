internal import Isolation

/// Copies the write-ahead log into the file, on its own connection, so that no commit waits for it.
actor Checkpointer {
    enum Turn {
        case beside
        /// The log has outgrown its limit: write no more until it has started again.
        case waitForIt
    }

    /// The size of the log, in bytes, beyond which writing waits for a checkpoint.
    static let logBytesMax: Int64 = 128 * 1024 * 1024

    private nonisolated let logPagesMax: Int64
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

    init(
        database: sending Database, pageBytes: Int64,
        onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        logPagesMax = Self.logBytesMax / pageBytes
        executor = QueueExecutor(label: "PartyStore checkpoints")
        self.database = database
        self.onEvent = onEvent
    }

    /// Starts a checkpoint in parallel with the commits, unless one is running.
    nonisolated func request() -> Turn {
        let (starts, logPages) = progress.withLock { progress in
            defer { progress.isRunning = true }
            return (!progress.isRunning, progress.logPages)
        }
        guard logPages < logPagesMax else { return .waitForIt }
        // Nobody waits for it: `close` queues behind it on the executor.
        if starts { Task { await copyLog(.passive) } }
        return .beside
    }

    /// Copies all of the log and restarts it; waits for readers to leave it.
    func restartLog() { copyLog(.restart) }

    /// Copies the rest, truncates the log, and closes the connection.
    func close() {
        copyLog(.truncate)
        database = nil
    }

    /// How a checkpoint treats other connections.
    private enum Mode {
        /// It does not wait for them, and copies what it can.
        case passive
        case restart, truncate

        var sql: StaticString {
            switch self {
            case .passive: "PRAGMA wal_checkpoint(PASSIVE)"
            case .restart: "PRAGMA wal_checkpoint(RESTART)"
            case .truncate: "PRAGMA wal_checkpoint(TRUNCATE)"
            }
        }
    }

    private func copyLog(_ mode: Mode) {
        guard database?.isReadOnly == false else { return }
        var logPages: Int64 = 0
        do throws(SQLiteFailure) {
            let result = try database?.row(mode.sql) { row in
                (log: row.integer(1), copied: row.integer(2))
            }
            if let result, result.copied < result.log || mode == .passive {
                logPages = result.log
            }
        } catch {
            onEvent(.checkpointFailed("\(error.message) (code \(error.code))"))
        }
        let pages = logPages
        progress.withLock { $0 = Progress(isRunning: false, logPages: pages) }
    }
}
