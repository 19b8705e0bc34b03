internal import GameLogic
internal import Isolation

/// A store in a PostgreSQL database, for any number of servers. Of each one's connections, one
/// writes parties, one what belongs to no party, one keeps the lease, others read.
///
/// Nothing is kept on the machine. A database that is away makes calls fail with `.unavailable`,
/// and the store goes on by itself when it is back.
package final class PostgreSQLStore: TableStore {
    static let readerCount = 4

    package let tables: Tables
    /// Writes what belongs to no party, once it is this server's turn, and the parties with it.
    let writer: PostgreSQLWriter
    /// Writes parties, which wait for no other server.
    private let ticks: PostgreSQLWriter
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
        let refusals = Refusals(report: onEvent)
        let departures = HostDepartures()
        func writer(_ name: String, _ turns: PostgreSQLWriter.Turns) -> PostgreSQLWriter {
            PostgreSQLWriter(
                name, address, pauseMilliseconds: pauseMilliseconds, damage: damage,
                refusals: refusals, departures: departures, turns: turns)
        }
        self.writer = writer("writer", .taken)
        ticks = writer("ticks", .notTaken)
        leases = writer("leases", .notTaken)
        readers = Readers(
            (0..<Self.readerCount).map { _ in
                PostgreSQLReader(
                    address, pauseMilliseconds: pauseMilliseconds, departures: departures)
            })
        tables = Tables(
            sessions: PostgreSQLSessions(readers: readers, writer: self.writer), damage: damage)
    }

    package func takeOwnership() async throws(StoreError) -> Epoch {
        Epoch(number: try await leases.submit { try $0.takeOwnership() })
    }

    package func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        (batch.hasFurtherRows ? writer : ticks).write(batch, epoch: epoch, done: done)
    }

    package func ping() async throws(StoreError) {
        _ = try await read { try $0.integer("SELECT count(*) FROM store_schema") }
        // The connection of the lease waits for nobody, and writes by itself soon.
        for writer in [ticks, writer] { try await writer.probeIfRefused() }
    }

    package func close() async {
        for writer in [ticks, writer, leases] { await writer.close() }
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
