/// The statements of almost every change of a party. The benchmark's reference in C binds the same
/// texts.
package enum TickStatements {
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
