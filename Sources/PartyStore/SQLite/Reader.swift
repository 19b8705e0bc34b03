internal import Isolation

/// A connection that reads, on an executor of its own: neither the writer nor the cooperative
/// pool waits for it.
actor Reader {
    private let executor: QueueExecutor
    private var database: Database?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(database: sending Database) {
        executor = QueueExecutor(label: "PartyStore reader")
        self.database = database
    }

    func read<Result: Sendable>(
        _ body: @Sendable (Database) throws(SQLiteFailure) -> Result
    ) throws(ReadFailure) -> Result {
        guard let database else { throw .closed }
        do throws(SQLiteFailure) {
            return try body(database)
        } catch {
            throw .failed(error)
        }
    }

    func close() { database = nil }
}

/// Why a connection gave nothing.
enum ReadFailure: Error {
    case closed
    case failed(SQLiteFailure)
}
