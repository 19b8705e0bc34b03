internal import Glibc

/// The file before it is served: whether it is usable, and what to do if not.
struct SQLiteFile {
    /// The largest file, in bytes, that is checked with its indices at the start. Larger ones would
    /// delay the start by seconds, and are checked while adventures run.
    static let checkedBytesMax: Int64 = 64 * 1024 * 1024
    private static let problemsShown = 5
    private static let advice = "stop, keep a copy of it, and restore the newest backup"

    let path: String
    var checkedBytesMax = SQLiteFile.checkedBytesMax
    var access = Database.Access.readWrite
    /// Whether the rows of a small file are checked too while adventures run.
    var checksRows = false
    /// Whether a file is taken whose game is being moved, or was. Who only reads one takes it.
    var takesMarked = false
    /// Whether a file of another schema is migrated, which only servers do.
    var upgrades = false
    var migrations = Migrations.product
    var disk = Disk.machine

    /// What was found in a usable file.
    struct Findings: Sendable {
        let pageBytes: Int64
        let check: Check
    }

    enum Check {
        /// All pages are sound.
        case done
        /// The file is large: check it while adventures run.
        case beside
    }

    /// Opens the writing connection, and creates the file if necessary.
    ///
    /// - Throws: `.broken` with instructions, or `.unavailable` when the file is busy or the disk
    ///   is full.
    func open() throws(StoreError) -> Database {
        guard access == .readWrite else { return try openUntouched() }
        try prepare()
        let database = try reopen(.readWrite)
        guard !database.isReadOnly else { throw notWritable }
        return database
    }

    /// Creates an empty file if there is none.
    func prepare() throws(StoreError) {
        // A write beyond a file size limit must return an error, not end the process.
        signal(SIGXFSZ, SIG_IGN)
        try checkFolder()
        try createPrivately()
    }

    private func openUntouched() throws(StoreError) -> Database {
        guard disk.exists(path) else { throw .broken("There is no file \(path).") }
        try checkFolder()
        return try reopen(access)
    }

    /// Checks a file, and creates the tables of a new one. A file of another schema is migrated if
    /// `upgrades`; otherwise it is refused and left unchanged.
    func examine(_ database: Database) throws(StoreError) -> Findings {
        do {
            try checkOrigin(of: database)
            let check = try checkPages(of: database)
            try createTables(on: database)
            try migrate(database)
            let missing = try SchemaCheck().missing(from: database)
            guard missing.isEmpty else {
                throw StoreError.broken("\(path) lacks \(Self.first(missing)): \(Self.advice)")
            }
            return Findings(pageBytes: try database.integer("PRAGMA page_size"), check: check)
        } catch let failure as SQLFailure {
            throw explain(failure)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .broken("\(path) could not be opened")
        }
    }

    /// Opens another connection to a file that is already open.
    func reopen(_ access: Database.Access) throws(StoreError) -> Database {
        do throws(SQLFailure) {
            return try Database(path: path, access: access, vfs: disk.vfs)
        } catch {
            throw explain(error)
        }
    }

    private var notWritable: StoreError {
        .broken("\(path) is not writable: give this user the right to write it and its folder")
    }

    private func checkFolder() throws(StoreError) {
        let folder = Disk.folder(of: path)
        guard disk.calls.status(of: folder)?.kind == .folder else {
            throw .broken(
                "the folder \(folder) of the data file does not exist: create it, or name another")
        }
        if let status = disk.calls.status(of: path), status.kind != .file {
            throw .broken("\(path) is not a file: name a file for the data")
        }
    }

    /// Creates a file readable only by the server's user, because it contains push tokens. SQLite's
    /// other files take its mode.
    private func createPrivately() throws(StoreError) {
        let descriptor = disk.calls.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
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
        disk.calls.close(descriptor)
    }

    /// Refuses another program's database, and a game that is being moved.
    func checkOrigin(of database: Database) throws {
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
        let version = try database.integer("PRAGMA user_version")
        let origin = try database.integer("PRAGMA application_id")
        if origin == Schema.markedID, access == .readWrite, !takesMarked,
            let mark = try MoveMark.read(database)
        {
            throw mark.refusal(of: path)
        }
        let origins = [Schema.applicationID, Schema.markedID]
        guard tables == 0 && version == 0 || origins.contains(origin) else {
            throw StoreError.broken(
                "\(path) is a database of another program: name another file for the data")
        }
    }

    /// Refuses a file of a schema that this program does not read.
    func checkSchema(of database: Database) throws {
        if let refusal = migrations.refusal(of: path, with: try database.schema()) { throw refusal }
    }

    private func migrate(_ database: Database) throws {
        guard upgrades else { return try checkSchema(of: database) }
        if let refusal = try migrations.apply(to: database, named: path) { throw refusal }
    }

    /// Creates the tables of a new file.
    private func createTables(on database: Database) throws {
        guard try Self.isNew(database) else { return }
        guard access == .readWrite else { throw StoreError.broken("\(path) is empty") }
        try database.begin()
        do {
            // Another process may have created them while this one waited for the lock.
            if try Self.isNew(database) { try Schema.create(on: database) }
            try database.commit()
        } catch {
            database.rollBack()
            throw error
        }
    }

    private static func isNew(_ database: Database) throws(SQLFailure) -> Bool {
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
        let version = try database.integer("PRAGMA user_version")
        return tables == 0 && version == 0
    }

    /// Refuses a file whose pages are inconsistent. Checksums find damaged rows.
    private func checkPages(of database: Database) throws -> Check {
        let bytes =
            try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
        guard bytes <= checkedBytesMax else { return .beside }
        var (pages, indices): ([String], [String]) = ([], [])
        for problem in try database.pageProblems() {
            switch problem {
            case .row: continue
            case .index(let text): indices.append(text)
            case .page(let text): pages.append(text)
            }
        }
        guard pages.isEmpty else {
            throw StoreError.broken("\(path) is damaged (\(Self.first(pages))): \(Self.advice)")
        }
        guard indices.isEmpty else {
            throw StoreError.broken(
                """
                an index of \(path) is damaged (\(Self.first(indices))): \
                `rangers doctor --data \(path) --repair` rebuilds it
                """)
        }
        return .done
    }

    private static func first(_ problems: [String]) -> String {
        problems.prefix(problemsShown).joined(separator: "; ")
    }

    /// Returns what a failure means for somebody who opens the file.
    func explain(_ failure: SQLFailure) -> StoreError {
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
