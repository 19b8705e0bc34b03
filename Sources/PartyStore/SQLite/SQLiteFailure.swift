internal import CSQLite

/// A result code of SQLite, with the failed operation: grouped by what the caller does next.
struct SQLiteFailure: Error, Hashable {
    /// The extended code.
    let code: Int32
    let message: String

    // SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE: macros that do not import.
    private static let primaryKeyViolated = SQLITE_CONSTRAINT | (6 << 8)
    private static let uniqueViolated = SQLITE_CONSTRAINT | (8 << 8)

    /// The code without its extension.
    var primaryCode: Int32 { code & 0xff }

    /// Whether the transaction as a whole cannot continue now: the disk is full, the file is busy.
    ///
    /// SQLite may already have rolled it back.
    var isPassing: Bool {
        switch primaryCode {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM,
            SQLITE_INTERRUPT, SQLITE_CANTOPEN, SQLITE_PROTOCOL:
            true
        default:
            false
        }
    }

    // SQLITE_IOERR_WRITE, _SHMSIZE and _SHMMAP: how a full disk may also look.
    private static let writeFailures = [3, 19, 21].map { SQLITE_IOERR | ($0 << 8) }

    /// Whether the disk may be full, so that some room may help.
    var isFullDisk: Bool { primaryCode == SQLITE_FULL || Self.writeFailures.contains(code) }

    /// Whether a page of the file is not what SQLite wrote.
    var isCorruption: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether a row with this key already exists; excludes other constraints.
    var isDuplicate: Bool {
        code == Self.primaryKeyViolated || code == Self.uniqueViolated
    }

    /// The error for the caller of the store.
    var storeError: StoreError {
        if isPassing { return .unavailable("SQLite reports \(message) (code \(code))") }
        let advice =
            isCorruption
            ? "; stop, keep a copy of the file, and restore it from a backup"
            : "; check the file and its folder, then start again"
        return .broken("SQLite reports \(message) (code \(code))\(advice)")
    }
}
