internal import CSQLite

/// One connection to the file, with its prepared statements.
///
/// It is not `Sendable`: the actor that opened it keeps it on its own executor, so SQLite's own
/// locking of connections is disabled.
final class Database {
    enum Access {
        case readWrite
        /// A server's reading connection.
        case readOnly
        /// A connection of another program that changes nothing of the file.
        case untouched
    }

    /// How long SQLite waits for another process's lock before it returns BUSY (PR11: a lock of two
    /// seconds must not affect a player).
    static let busyTimeoutMilliseconds: Int32 = 5000
    /// The write-ahead log shrinks to this size when it restarts.
    static let journalBytesMax = 64 * 1024 * 1024
    /// The page size of new files: a party's row fits into two pages, and a commit writes fewer
    /// bytes.
    static let pageBytes: Int64 = 2048

    private let handle: OpaquePointer
    /// The packs that rows of this connection name.
    private(set) lazy var packs = PackCache(self)
    /// By the address of their SQL: a literal is one statement.
    private var statements: [UnsafePointer<UInt8>: Statement] = [:]

    /// `keepsLog`: leaves the write-ahead log as it is when the connection closes, also when it
    /// cannot be opened.
    init(
        path: String, access: Access, keepsLog: Bool = false, vfs: String? = nil
    ) throws(SQLFailure) {
        handle = try Self.open(
            path,
            access == .untouched
                ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
            vfs)
        if keepsLog { _ = rangers_sqlite3_keep_log(handle) }
        waitForLocks(milliseconds: Self.busyTimeoutMilliseconds)
        try configure(access)
    }

    /// Opens an empty file that becomes a copy. It is synced when it is complete, not before.
    init(copyAt path: String, vfs: String?) throws(SQLFailure) {
        handle = try Self.open(path, SQLITE_OPEN_READWRITE, vfs)
        try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }

    private static func open(
        _ path: String, _ mode: Int32, _ vfs: String?
    ) throws(SQLFailure) -> OpaquePointer {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, vfs)
        guard let opened else {
            throw SQLFailure(code: code, message: "no memory for a connection")
        }
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw Statement.failure(code, on: opened)
        }
        sqlite3_extended_result_codes(opened, 1)
        return opened
    }

    /// Copies one state of another file into this empty one.
    func copyAll(of source: Database) throws(SQLFailure) {
        guard let copy = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw Statement.failure(sqlite3_extended_errcode(handle), on: handle)
        }
        let code = sqlite3_backup_step(copy, -1)
        let end = sqlite3_backup_finish(copy)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw Statement.failure(end == SQLITE_OK ? code : end, on: handle)
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    private func configure(_ access: Access) throws(SQLFailure) {
        let pragmas = ["page_size = \(Self.pageBytes)"] + TickStatements.pragmas
        try execute(pragmas.map { "PRAGMA \($0);" }.joined())
        switch access {
        case .readWrite: break
        case .readOnly, .untouched: try execute("PRAGMA query_only = ON")
        }
    }

    /// Sets how long to wait for another connection's lock.
    func waitForLocks(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Returns how many pages this connection has written to the log since the last call.
    func pagesWritten() -> Int {
        var pages: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return Int(pages)
    }

    /// Whether this process cannot write the file.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether SQLite fills the sector behind each commit with copies of its last frame, as it does
    /// where an overwritten sector may damage its neighbours.
    var padsCommits: Bool {
        var isSafe: Int32 = -1
        let code = sqlite3_file_control(
            handle, "main", SQLITE_FCNTL_POWERSAFE_OVERWRITE, &isSafe)
        return code == SQLITE_OK && isSafe == 0
    }

    /// Whether a transaction is open; SQLite ends one by itself after some failures.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The number of rows that the last write changed.
    var changes: Int64 { sqlite3_changes64(handle) }

    /// Runs statements whose results are ignored, such as a migration.
    func execute(_ sql: String) throws(SQLFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Statement.failure(code, on: handle) }
    }

    /// Prepares a statement that the caller keeps.
    func prepare(_ sql: StaticString) throws(SQLFailure) -> Statement {
        try Statement(sql, on: handle)
    }

    /// Prepares a text that the caller has made of its own words.
    func prepare(text: String) throws(SQLFailure) -> Statement {
        try Array(text.utf8CString).withUnsafeBufferPointer { text throws(SQLFailure) in
            guard let text = text.baseAddress else {
                throw SQLFailure(code: 0, message: "a statement has no text")
            }
            return try Statement(text, on: handle)
        }
    }

    private func statement(_ sql: StaticString) throws(SQLFailure) -> Statement {
        if let cached = statements[sql.utf8Start] { return cached }
        let prepared = try Statement(sql, on: handle)
        statements[sql.utf8Start] = prepared
        return prepared
    }
}

// MARK: Statements off the hot path

extension Database: SQLSession {
    var dialect: SQLDialect { .sqlite }

    @discardableResult
    func run(_ sql: StaticString, _ values: [SQLValue]) throws(SQLFailure) -> Int {
        try using(sql, values) { statement throws(SQLFailure) in
            while try statement.step() {}
            return Int(changes)
        }
    }

    func each(
        _ sql: StaticString, _ values: [SQLValue], _ body: (any SQLRow) -> Scan
    ) throws(SQLFailure) {
        try using(sql, values) { statement throws(SQLFailure) in
            while try statement.step() {
                switch body(statement) {
                case .goOn: continue
                case .stop: return
                }
            }
        }
    }

    private func using<Result>(
        _ sql: StaticString, _ values: [SQLValue],
        _ body: (Statement) throws(SQLFailure) -> Result
    ) throws(SQLFailure) -> Result {
        let statement = try statement(sql)
        defer {
            statement.reset()
            if !values.isEmpty { statement.clear() }
        }
        try statement.bind(values)
        return try body(statement)
    }
}

// MARK: Transactions

extension Database {
    /// Runs `body` in a transaction that reads one state of the file.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        defer { rollBack() }
        return try body()
    }

    /// Takes the write lock at once, so that nothing that was read can change before the commit.
    func begin() throws(SQLFailure) { try run("BEGIN IMMEDIATE") }

    func commit() throws(SQLFailure) { try run("COMMIT") }

    /// Rolls the transaction back, unless SQLite has already: a second ROLLBACK would fail.
    func rollBack() {
        guard isInTransaction else { return }
        do throws(SQLFailure) {
            try run("ROLLBACK")
        } catch {
            // Nothing was committed; the connection rolls back the rest on its next use.
        }
    }
}
