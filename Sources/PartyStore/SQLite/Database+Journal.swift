internal import GameLogic

/// The journal, in SQL: one row a change that had events, a command or decisions.
extension Database {
    /// The version from which on the journal tells of events above `sequence`; earlier rows need
    /// not be read.
    ///
    /// A row knows the number of its first event, so a binary search over the versions finds it
    /// in a few look-ups, however long the journal is. Most readers want the newest events: the
    /// last row is looked at first.
    func journalStart(of party: Int64, after sequence: Int) throws -> Int64 {
        let span = try row(
            "SELECT min(version), max(version) FROM journal WHERE party = ?1", [.integer(party)]
        ) { (low: $0.optionalInteger(0), high: $0.optionalInteger(1)) }
        guard var low = span?.low, var high = span?.high else { return 0 }
        let first = low
        var found = first
        var probe = high
        while low <= high {
            guard let row = try lastJournalRow(of: party, upTo: probe), row.version >= low else {
                low = probe + 1
                probe = low + (high - low) / 2
                continue
            }
            if try row.decode().firstSequence <= sequence + 1 {
                found = row.version
                low = probe + 1
            } else {
                high = row.version - 1
            }
            probe = low + (high - low) / 2
        }
        return found
    }

    private func lastJournalRow(
        of party: Int64, upTo version: Int64
    ) throws(SQLiteFailure) -> JournalRow? {
        try row(
            """
            SELECT party, version, at, data, crc FROM journal
            WHERE party = ?1 AND version <= ?2 ORDER BY version DESC LIMIT 1
            """, [.integer(party), .integer(version)], read: JournalRow.init)
    }

    /// Reads rows from a version on, until `body` has enough.
    func scanJournal(
        of party: Int64, from version: Int64, _ body: (JournalRow, JournalEntry) throws -> Scan
    ) throws {
        try scan(
            """
            SELECT party, version, at, data, crc FROM journal
            WHERE party = ?1 AND version >= ?2 ORDER BY version
            """, [.integer(party), .integer(version)]
        ) { statement in
            let row = JournalRow(statement)
            return try body(row, try row.decode())
        }
    }

    /// The party where its journal was folded.
    func snapshot(of party: Int64) throws -> PartySnapshot? {
        let row = try row(
            "SELECT party, version, data, crc FROM journal_snapshots WHERE party = ?1",
            [.integer(party)]
        ) { DataRow($0, table: DataRow.snapshots, numberCount: 2) }
        return try row.map { row throws(RowFault) in
            PartySnapshot(
                version: row.numbers[1], party: try row.decode(PartySnapshotFormat.read))
        }
    }
}

/// A party at a version: what its journal told up to there is folded into it.
struct PartySnapshot: Sendable {
    let version: Int64
    let party: Party
}
