internal import Isolation

/// Copies the write-ahead log into the file, on its own connection, so that no commit waits for it.
actor Checkpointer {
    enum Turn {
        case beside
        /// The log has outgrown its limit: write no more until it has started again.
        case waitForIt
    }

    private nonisolated let pageBytes: Int64
    private let path: String
    private let ballast: Ballast?
    private let disk: Disk
    private let executor: QueueExecutor
    private let onEvent: @Sendable (StoreEvent) -> Void
    private nonisolated let progress = Locked(Progress())
    private var database: Database?
    /// Whether the last checkpoint failed: an operator hears of the first of several.
    private var isFailing = false

    private struct Progress: Sendable {
        var isRunning = false
        var logPages: Int64 = 0
        var limits = LogLimits.standard
    }

    /// How large the log may become now.
    nonisolated var limits: LogLimits { progress.withLock { $0.limits } }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        database: sending Database, path: String, pageBytes: Int64, ballast: Ballast?,
        disk: Disk = .machine, onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        self.pageBytes = pageBytes
        self.path = path
        self.ballast = ballast
        self.disk = disk
        executor = QueueExecutor(label: "PartyStore checkpoints")
        self.database = database
        self.onEvent = onEvent
        let limits = Self.limits(of: path, on: disk)
        progress.withLock { $0.limits = limits }
        makeBallast()
    }

    private static func limits(of path: String, on disk: Disk) -> LogLimits {
        LogLimits(
            fileBytes: DiskSpace.size(of: path, on: disk),
            freeBytes: DiskSpace.free(beside: path, on: disk))
    }

    /// Makes the ballast again if there is room for it.
    private nonisolated func makeBallast() {
        if ballast?.make() == .made { onEvent(.ballastMade) }
    }

    /// Starts a checkpoint in parallel with the commits, unless one is running.
    nonisolated func request() -> Turn {
        let (starts, logBytes, limits) = progress.withLock { progress in
            defer { progress.isRunning = true }
            return (!progress.isRunning, progress.logPages * pageBytes, progress.limits)
        }
        guard logBytes < limits.bytes else { return .waitForIt }
        // Nobody waits for it: `close` queues behind it on the executor.
        if starts { Task { await copyLog(.passive) } }
        return .beside
    }

    /// Copies all of the log and restarts it; waits for readers to leave it.
    ///
    /// On a disk with little space it also shrinks the log.
    func restartLog() { copyLog(limits.bytes == LogLimits.bytesMin ? .truncate : .restart) }

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
        do throws(SQLFailure) {
            let result = try database?.row(mode.sql) { row in
                (log: row.integer(1), copied: row.integer(2))
            }
            if let result, result.copied < result.log || mode == .passive {
                logPages = result.log
            }
            isFailing = false
        } catch {
            if !isFailing { onEvent(.checkpointFailed("\(error.message) (code \(error.code))")) }
            isFailing = true
        }
        let (pages, limits) = (logPages, Self.limits(of: path, on: disk))
        progress.withLock { progress in
            progress = Progress(isRunning: false, logPages: pages, limits: limits)
        }
        makeBallast()
    }
}
