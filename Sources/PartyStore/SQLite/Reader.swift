internal import Isolation

/// A reading connection on its own executor: neither the writer nor the cooperative pool waits for
/// it. It also decodes the rows.
actor Reader: SessionReader {
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
        _ body: @Sendable (Database) throws -> Result
    ) throws(ReadFailure) -> Result {
        guard let database else { throw .refused(.closed) }
        do {
            return try body(database)
        } catch {
            throw ReadFailure(error)
        }
    }

    func close() { database = nil }
}
