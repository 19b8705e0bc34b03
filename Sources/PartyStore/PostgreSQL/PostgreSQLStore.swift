internal import GameLogic
internal import Isolation

/// A store in a PostgreSQL database, for any number of servers: one connection of each writes, one
/// keeps its lease, others read.
///
/// Nothing is kept on the machine. A database that is away makes calls fail with `.unavailable`,
/// and the store goes on by itself when it is back.
package final class PostgreSQLStore: TableStore {
    private static let readerCount = 4

    package let tables: Tables
    let writer: PostgreSQLWriter
    /// Renews the node's lease, however busy the writer is.
    let leases: PostgreSQLWriter
    private let readers: Readers<PostgreSQLReader>

    /// Opens the database, which must exist, and creates its tables if it has none, or upgrades
    /// them. Does not take ownership. `onEvent` receives the events for an operator, on the store's threads. It must not
    /// block.
    ///
    /// - Throws: `.unavailable` when PostgreSQL cannot be reached now, `.broken` when the database
    ///   has tables of a newer version, or a game that is being moved.
    package static func open(
        _ address: PostgreSQLAddress,
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) async throws(StoreError) -> PostgreSQLStore {
        try await open(
            address, pauseMilliseconds: PostgreSQLConnector.pauseMilliseconds, onEvent: onEvent)
    }

    static func open(
        _ address: PostgreSQLAddress, pauseMilliseconds: Int64,
        onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) async throws(StoreError) -> PostgreSQLStore {
        let store = PostgreSQLStore(
            address, pauseMilliseconds: pauseMilliseconds, onEvent: onEvent)
        do throws(StoreError) {
            try await store.writer.prepare()
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// Opens a database to read it, even while a server runs on it, or its game is being moved.
    package static func openReadOnly(
        _ address: PostgreSQLAddress,
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) async throws(StoreError) -> PostgreSQLStore {
        let store = PostgreSQLStore(
            address, pauseMilliseconds: PostgreSQLConnector.pauseMilliseconds, onEvent: onEvent)
        do throws(StoreError) {
            try await store.writer.examine()
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    private init(
        _ address: PostgreSQLAddress, pauseMilliseconds: Int64,
        onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        let damage = Damage(report: onEvent)
        writer = PostgreSQLWriter(address, pauseMilliseconds: pauseMilliseconds, damage: damage)
        leases = PostgreSQLWriter(
            address, pauseMilliseconds: pauseMilliseconds, damage: damage, takesTurns: false)
        readers = Readers(
            (0..<Self.readerCount).map { _ in
                PostgreSQLReader(address, pauseMilliseconds: pauseMilliseconds)
            })
        tables = Tables(
            sessions: PostgreSQLSessions(readers: readers, writer: writer), damage: damage)
    }

    package func takeOwnership() async throws(StoreError) -> Epoch {
        Epoch(number: try await leases.submit { try $0.takeOwnership() })
    }

    package func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        writer.write(batch, epoch: epoch, done: done)
    }

    package func ping() async throws(StoreError) {
        _ = try await read { try $0.integer("SELECT count(*) FROM store_schema") }
        guard writer.isRefusing.withLock({ $0 }) else { return }
        // No other write may follow, so this attempt shows whether writing works again.
        _ = try await writer.submit { session in
            Int64(try session.run("UPDATE turn SET id = id WHERE id = 1", []))
        }
    }

    package func close() async {
        await writer.close()
        await leases.close()
        await readers.close()
    }
}

/// The sessions of a database: its reading connections, and its writer.
struct PostgreSQLSessions: TableSessions {
    let readers: Readers<PostgreSQLReader>
    let writer: PostgreSQLWriter

    func read<Result: Sendable>(
        _ body: @Sendable (any SQLSession) throws -> Result
    ) async throws(ReadFailure) -> Result {
        try await readers.read { try body($0) }
    }

    func write(
        _ change: @escaping @Sendable (any SQLSession) throws -> Int64
    ) async throws(StoreError) -> Int64 {
        try await writer.submit { try change($0) }
    }
}
