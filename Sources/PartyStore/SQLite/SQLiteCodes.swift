internal import CSQLite

extension SQLFailure {
    // SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE: macros that do not import.
    private static let duplicates = [6, 8].map { SQLITE_CONSTRAINT | ($0 << 8) }
    // SQLITE_IOERR_WRITE, _SHMSIZE and _SHMMAP: how a full disk may also look.
    private static let writeFailures = [3, 19, 21].map { SQLITE_IOERR | ($0 << 8) }

    /// Creates the failure of an operation of SQLite from its extended code.
    init(code: Int32, message: String) {
        self.init(
            kind: Self.kind(of: code), reporter: .sqlite, code: "\(code)", message: message)
    }

    private static func kind(of code: Int32) -> Kind {
        if duplicates.contains(code) { return .duplicate }
        if writeFailures.contains(code) { return .fullDisk }
        switch code & 0xff {
        case SQLITE_FULL:
            return .fullDisk
        case SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT,
            SQLITE_CANTOPEN, SQLITE_PROTOCOL:
            return .passing
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return .corruption
        default:
            return .other
        }
    }
}
