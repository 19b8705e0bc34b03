/// The sessions of a file: its reading connections, and its writer.
struct SQLiteSessions: TableSessions {
    let readers: Readers<Reader>
    let writer: Writer

    func read<Result: Sendable>(
        _ body: @Sendable (any SQLSession) throws -> Result
    ) async throws(ReadFailure) -> Result {
        try await readers.read { try body($0) }
    }

    func write(
        _ locks: RowLocks, _ change: @escaping @Sendable (any SQLSession) throws -> Int64
    ) async throws(StoreError) -> Int64 {
        try await writer.submit(locks) { try change($0) }
    }
}
