/// The statements of almost every change of a party, and the settings of the connection. The
/// benchmark's reference in C uses the same texts.
package enum TickStatements {
    /// The pragmas of every connection, without the page size, which only a new file takes.
    ///
    /// `synchronous=FULL` syncs the log at every commit: NORMAL loses acknowledged changes when the
    /// power fails (PR1). Checkpoints do not belong on the commit path, so none is automatic.
    /// `secure_delete` overwrites what is deleted: erased names must not stay in free pages.
    package static let pragmas = [
        "trusted_schema = OFF", "cell_size_check = ON", "foreign_keys = ON", "secure_delete = ON",
        "journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0",
        "journal_size_limit = \(Database.journalBytesMax)",
    ]
    /// ?1 version, ?2 state, ?3 checksum, ?4 key, ?5 awake. `awake` is written only where it
    /// changes: otherwise SQLite would move its index entry each time.
    package static let update: StaticString =
        """
        UPDATE parties SET version = ?1, state = ?2, crc = ?3 \
        WHERE key = ?4 AND version = ?1 - 1 AND awake = ?5
        """
    /// ?1 party, ?2 version, ?3 when, ?4 the entry, ?5 checksum.
    package static let journal: StaticString =
        "INSERT INTO journal (party, version, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)"
}
