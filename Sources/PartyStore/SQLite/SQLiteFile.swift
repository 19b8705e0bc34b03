internal import Glibc

/// The file before it is served from: whether it can be used, and what to do if not.
struct SQLiteFile {
    /// Files up to this size are checked with their indices at the start.
    static let indicesCheckedBytesMax: Int64 = 64 * 1024 * 1024
    /// Larger files are not checked page by page at the start, which would delay it by seconds.
    static let pagesCheckedBytesMax: Int64 = 512 * 1024 * 1024
    private static let problemsShown: Int64 = 5
    private static let advice = "stop, keep a copy of it, and restore the newest backup"

    let path: String

    /// Opens the connection that writes; creates the file and brings its schema up to date.
    ///
    /// - Throws: `.broken` with instructions, or `.unavailable` when the file is busy or the disk
    ///   is full.
    func open() throws(StoreError) -> Database {
        // A write beyond a file size limit must be an error code, not the process's end.
        signal(SIGXFSZ, SIG_IGN)
        try checkFolder()
        try createPrivately()
        do {
            let database = try Database(path: path, access: .readWrite)
            guard !database.isReadOnly else { throw notWritable }
            try checkOrigin(of: database)
            try checkPages(of: database)
            try Migrations.run(on: database)
            return database
        } catch let failure as SQLiteFailure {
            throw explain(failure)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .broken("\(path) could not be opened")
        }
    }

    /// One more connection to a file that is open already.
    func reopen(_ access: Database.Access) throws(StoreError) -> Database {
        do throws(SQLiteFailure) {
            return try Database(path: path, access: access)
        } catch {
            throw explain(error)
        }
    }

    private var notWritable: StoreError {
        .broken("\(path) is not writable: give this user the right to write it and its folder")
    }

    private func checkFolder() throws(StoreError) {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        var status = stat()
        guard stat(String(folder), &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .broken(
                "the folder \(folder) of the data file does not exist: create it, or name another")
        }
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .broken("\(path) is not a file: name a file for the data")
        }
    }

    /// The file holds push tokens: nobody else may read it. SQLite's other files take its mode.
    private func createPrivately() throws(StoreError) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            switch errno {
            case EACCES, EPERM, EROFS: throw notWritable
            case ENOSPC, EDQUOT, EMFILE, ENFILE:
                throw .unavailable(
                    "\(path) could not be opened: \(String(cString: strerror(errno)))")
            default:
                throw .broken("\(path) could not be opened: \(String(cString: strerror(errno)))")
            }
        }
        Glibc.close(descriptor)
    }

    private func checkOrigin(of database: Database) throws {
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
        let version = try database.integer("PRAGMA user_version")
        let origin = try database.integer("PRAGMA application_id")
        guard tables == 0 && version == 0 || origin == Migrations.applicationID else {
            throw StoreError.broken(
                "\(path) is a database of another program: name another file for the data")
        }
        guard version >= 0, version <= Migrations.steps.count else {
            throw StoreError.broken(
                """
                \(path) has schema \(version), and this program knows schemas up to \
                \(Migrations.steps.count): start the newer program that wrote it, or restore \
                an older backup
                """)
        }
    }

    /// Refuses a file whose pages do not fit together; a bad row is for its checksum to find.
    private func checkPages(of database: Database) throws {
        let bytes =
            try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
        guard bytes <= Self.pagesCheckedBytesMax else { return }
        let check = bytes <= Self.indicesCheckedBytesMax ? "integrity_check" : "quick_check"
        let problems = try database.rows("PRAGMA \(check)(100)") { $0.text(0) }
            .filter { $0 != "ok" && !Self.isOfOneRow($0) }
        guard problems.isEmpty else {
            let shown = problems.prefix(Int(Self.problemsShown)).joined(separator: "; ")
            throw StoreError.broken("\(path) is damaged (\(shown)): \(Self.advice)")
        }
    }

    /// Whether SQLite complains of a row's values only, not of the pages.
    private static func isOfOneRow(_ problem: String) -> Bool {
        ["non-", "NULL value in", "NUMERIC value in", "CHECK constraint failed", "TEXT value in"]
            .contains { problem.hasPrefix($0) }
    }

    private func explain(_ failure: SQLiteFailure) -> StoreError {
        if failure.isPassing {
            return .unavailable("\(path) cannot be opened now: \(failure.message)")
        }
        if failure.isCorruption {
            return .broken(
                """
                \(path) is not a database, or is damaged (\(failure.message)): if it is \
                the right file, \(Self.advice); otherwise name another
                """)
        }
        return .broken("\(path) cannot be used: \(failure.message) (code \(failure.code))")
    }
}
