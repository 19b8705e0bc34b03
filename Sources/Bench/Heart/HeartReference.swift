/// What `heart_reference.c` is told: our statements and pragmas, word for word.
enum HeartReference {
    static let name = "heart_reference"
    static let libraries = ["sqlite3", "pthread"]

    /// A line each: a word and a statement. `PartyWriter` and `Database` have the same texts; the
    /// reference binds the numbered values.
    static let sql = [
        "open PRAGMA trusted_schema = OFF",
        "open PRAGMA cell_size_check = ON",
        "open PRAGMA foreign_keys = ON",
        "open PRAGMA journal_mode = WAL",
        "open PRAGMA synchronous = FULL",
        "open PRAGMA wal_autocheckpoint = 0",
        "begin SELECT epoch FROM ownership WHERE id = 1",
        "update UPDATE parties SET version = ?1, state = ?2, crc = ?3 "
            + "WHERE key = ?4 AND version = ?1 - 1 AND awake = ?5",
        "journal INSERT INTO journal (party, version, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)",
    ]

    static func arguments(file: String, sqlFile: String, ticks: Int, batch: Double) -> [String] {
        [file, sqlFile, String(ticks), String(max(1, Int(batch.rounded())))]
    }
}
