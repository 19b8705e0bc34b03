internal import PartyStore

/// The input of `heart_reference.c`: our statements and pragmas, unchanged.
enum HeartReference {
    static let name = "heart_reference"
    static let libraries = ["sqlite3", "pthread"]

    /// One line each: a word and a statement. The pragmas are those of `Database`; the reference
    /// binds the numbered values.
    static let sql = [
        "open PRAGMA trusted_schema = OFF",
        "open PRAGMA cell_size_check = ON",
        "open PRAGMA foreign_keys = ON",
        "open PRAGMA journal_mode = WAL",
        "open PRAGMA synchronous = FULL",
        "open PRAGMA wal_autocheckpoint = 0",
        "begin SELECT epoch FROM ownership WHERE id = 1",
        "update \(TickStatements.update)",
        "journal \(TickStatements.journal)",
    ]

    static func arguments(file: String, sqlFile: String, ticks: Int, batch: Double) -> [String] {
        [file, sqlFile, String(ticks), String(max(1, Int(batch.rounded())))]
    }
}
