internal import CSQLite

/// SQLite's extended codes of failures, which its header computes where Swift cannot read it.
enum IOError {
    static let read = code(1)
    static let shortRead = code(2)
    static let write = code(3)
    static let sync = code(4)
    static let syncFolder = code(5)
    static let truncate = code(6)
    static let delete = code(10)
    static let access = code(13)
    static let lockShared = code(20)
    static let deleteMissing = code(23)

    private static func code(_ detail: Int32) -> Int32 { SQLITE_IOERR | detail << 8 }
}
