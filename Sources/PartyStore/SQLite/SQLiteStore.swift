internal import GameLogic
internal import Isolation
internal import PushPolicy

/// A store in one SQLite file, for one server: one connection writes, others read, and one copies
/// the log. It encapsulates all SQL.
package final class SQLiteStore: TableStore {
    /// The schema of the files and databases that this program reads and writes.
    package static let schemaVersion = Schema.version
    private static let readerCount = 2

    let writer: Writer
    package let tables: Tables
    let readers: Readers<Reader>
    private let checkpointer: Checkpointer
    private let state = Locked(State())

    private struct State: Sendable {
        var fileCheck: Task<Void, Never>?
        /// Shared by the servers of the file, until `close`.
        var lock: FileLock?
    }

    /// Opens the file, and creates it if there is none; its folder must exist. Does not take
    /// ownership. A file of another schema is migrated (`Migrations`), or refused and left
    /// unchanged.
    ///
    /// `loss` says what to do if acknowledged changes in the write-ahead log cannot be read. A file
    /// of `ballastBytes` beside the data file is freed when the disk is full.
    /// `onEvent` receives the events for an operator, on the store's threads. It must not block. The
    /// store waits by `sleep`.
    /// Throws `.broken` with instructions when the file is unusable, `.unavailable` when it is busy
    /// or the disk is full.
    package static func open(
        path: String, loss: LossPolicy = .refused, ballastBytes: Int64 = 0,
        checking rows: RowChecking = .ofLargeFiles, disk: Disk = .machine,
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in },
        sleep: @escaping StoreSleep = { try await Task.sleep(for: $0) }
    ) async throws(StoreError) -> SQLiteStore {
        let file = SQLiteFile(
            path: path, checksRows: rows == .always, upgrades: true, disk: disk)
        try file.prepare()
        let lock = try FileLock(path, .shared, on: disk)
        if let lost = try LogGuard(file: file).inspect(loss) { onEvent(.changesLost(lost)) }
        let ballast = Ballast(of: path, bytes: ballastBytes, on: disk)
        let store = try withReserve(of: ballast) { () throws(StoreError) in
            try SQLiteStore(file, ballast: ballast, sleep: sleep, onEvent: onEvent)
        }
        store.state.withLock { $0.lock = lock }
        return store
    }

    /// Opens; if that needs room on a full disk, it tries once more with the ballast's last part.
    private static func withReserve(
        of ballast: Ballast, _ open: () throws(StoreError) -> SQLiteStore
    ) throws(StoreError) -> SQLiteStore {
        do throws(StoreError) {
            return try open()
        } catch {
            guard case .unavailable = error, ballast.freeReserve() else { throw error }
            return try open()
        }
    }

    /// Opens a file to read it, even while a server runs on it, and changes nothing of it. Every
    /// write fails.
    package static func openReadOnly(
        path: String, disk: Disk = .machine,
        onEvent: @escaping @Sendable (StoreEvent) -> Void = { _ in }
    ) async throws(StoreError) -> SQLiteStore {
        try SQLiteStore(
            SQLiteFile(path: path, access: .untouched, disk: disk), onEvent: onEvent)
    }

    /// Which files have all their rows checked while adventures run.
    package enum RowChecking: Sendable {
        case ofLargeFiles, always
    }

    /// Rows of a large file are checked while adventures run; `.fileChecked` reports the end.
    init(
        _ file: SQLiteFile, ballast: Ballast? = nil,
        sleep: @escaping StoreSleep = { try await Task.sleep(for: $0) },
        onEvent: @escaping @Sendable (StoreEvent) -> Void
    ) throws(StoreError) {
        let database = try file.open()
        let findings = try file.examine(database)
        let damage = Damage(report: onEvent)
        checkpointer = Checkpointer(
            database: try file.reopen(file.access), path: file.path,
            pageBytes: findings.pageBytes, ballast: ballast, disk: file.disk, onEvent: onEvent)
        writer = Writer(
            database: database, pageBytes: findings.pageBytes, checkpointer: checkpointer,
            ballast: ballast, damage: damage, sleep: sleep)
        let readAccess = file.access == .readWrite ? Database.Access.readOnly : file.access
        var opened: [Reader] = []
        for _ in 0..<Self.readerCount {
            opened.append(Reader(database: try file.reopen(readAccess)))
        }
        readers = Readers(opened)
        tables = Tables(
            sessions: SQLiteSessions(readers: readers, writer: writer), damage: damage)
        guard findings.check == .beside || file.checksRows else { return }
        let checker = FileChecker(
            database: try file.reopen(readAccess), damage: damage, sleep: sleep)
        // `close` waits for it.
        let check = Task { await checker.run() }
        state.withLock { $0.fileCheck = check }
    }

    /// The CPU time that writing has taken since the store was opened, in seconds.
    package var writerCPUSeconds: Double { writer.cpuSeconds.withLock { $0 } }

    package func ping() async throws(StoreError) {
        _ = try await readFile { try $0.epoch() }
        if let error = writer.refusals.error { throw error }
    }

    package func close() async {
        let check = state.withLock { $0.fileCheck }
        check?.cancel()
        await writer.refusals.close()
        await writer.close()
        await readers.close()
        await check?.value
        await checkpointer.close()
        state.withLock { $0.lock = nil }
    }

    /// Reads from the file itself, beyond its tables.
    func readFile<Result: Sendable>(
        _ body: @Sendable (Database) throws -> Result
    ) async throws(StoreError) -> Result {
        do throws(ReadFailure) {
            return try await readers.read(body)
        } catch {
            throw error.storeError(damage)
        }
    }
}
