internal import GameLogic
internal import Isolation

/// A store in a PostgreSQL database, for any number of servers. Each has separate connections for
/// parties, for players, for other data, for its lease, and for reading.
///
/// Nothing is kept on the machine. A database that is away makes calls fail with `.unavailable`,
/// and the store goes on by itself when it is back.
package final class PostgreSQLStore: TableStore {
    static let readerCount = 4
    static let playerWriterCount = 4

    package let tables: Tables
    /// Writes what is no player's, once it is this server's turn, and what changes with it.
    let writer: PostgreSQLWriter
    /// Write players, and the parties that change with them, beside those of other servers.
    let playerWriters: [PostgreSQLWriter]
    private let sessions: PostgreSQLSessions
    /// Writes parties, which wait for no other server.
    private let ticks: PostgreSQLWriter
    /// Renews the node's lease, however busy the writer is.
    let leases: PostgreSQLWriter
    private let readers: Readers<PostgreSQLReader>
    /// Of all writers but that of the lease, which writes every two seconds, and reports itself.
    let refusals: Refusals

    /// Opens the database, which must exist, and creates its tables if it has none, or migrates
    /// them. Does not take ownership. `onEvent` receives the events for an operator, on the store's
    /// threads. It must not block.
    ///
    /// - Throws: `.unavailable` when PostgreSQL cannot be reached now, `.broken` when the database
    ///   has tables of a schema that this program does not read, or a game that is being moved.
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
        self.refusals = refusals
        let departures = HostDepartures()
        func writer(_ name: String, _ refusals: Refusals?) -> PostgreSQLWriter {
            PostgreSQLWriter(
                name, address, pauseMilliseconds: pauseMilliseconds, damage: damage,
                refusals: refusals, departures: departures)
        }
        self.writer = writer("writer", refusals)
        playerWriters = (1...Self.playerWriterCount).map { writer("players \($0)", refusals) }
        ticks = writer("ticks", refusals)
        leases = writer("leases", nil)
        readers = Readers(
            (0..<Self.readerCount).map { _ in
                PostgreSQLReader(
                    address, pauseMilliseconds: pauseMilliseconds, departures: departures)
            })
        let sessions = PostgreSQLSessions(
            readers: readers, writer: self.writer, playerWriters: playerWriters)
        tables = Tables(sessions: sessions, damage: damage)
        self.sessions = sessions
    }

    package func takeOwnership() async throws(StoreError) -> Epoch {
        Epoch(number: try await leases.submit { try $0.takeOwnership() })
    }

    package func write(
        _ batch: Batch, epoch: Epoch, done: @escaping @Sendable (BatchResult) -> Void
    ) {
        let writer = batch.hasFurtherRows ? sessions.writer(inTurn: batch.takesTurn) : ticks
        writer.write(batch, epoch: epoch, done: done)
    }

    package func ping() async throws(StoreError) {
        _ = try await read { try $0.integer("SELECT count(*) FROM store_schema") }
        if let error = refusals.error { throw error }
    }

    package func close() async {
        await refusals.close()
        for writer in [ticks, writer] + playerWriters + [leases] { await writer.close() }
        await readers.close()
    }
}

/// The sessions of a database: its reading connections, and its writers of shared rows.
struct PostgreSQLSessions: TableSessions {
    let readers: Readers<PostgreSQLReader>
    let writer: PostgreSQLWriter
    let playerWriters: [PostgreSQLWriter]
    /// Of `playerWriters`, counted on.
    private let next = Locked(0)

    init(
        readers: Readers<PostgreSQLReader>, writer: PostgreSQLWriter,
        playerWriters: [PostgreSQLWriter]
    ) {
        self.readers = readers
        self.writer = writer
        self.playerWriters = playerWriters
    }

    /// Returns the writer for a change. Those of players get work one after the other: their locks
    /// keep the transactions of this server apart too.
    func writer(inTurn takesTurn: Bool) -> PostgreSQLWriter {
        guard !takesTurn else { return writer }
        return next.withLock { next in
            next = (next + 1) % playerWriters.count
            return playerWriters[next]
        }
    }

    func read<Result: Sendable>(
        _ body: @Sendable (any SQLSession) throws -> Result
    ) async throws(ReadFailure) -> Result {
        try await readers.read { try body($0) }
    }

    func write(
        _ locks: RowLocks, _ change: @escaping @Sendable (any SQLSession) throws -> Int64
    ) async throws(StoreError) -> Int64 {
        try await writer(inTurn: locks.takesTurn).submit(locks) { try change($0) }
    }
}
