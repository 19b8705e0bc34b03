internal import GameLogic

/// The journal of one party: one row for each change with events, a command or decisions.
struct PartyJournal {
    private let database: any SQLSession
    private let party: Int64

    /// - Parameters:
    ///   - party: The party's key.
    ///   - database: The connection to read with.
    init(of party: Int64, in database: any SQLSession) {
        self.database = database
        self.party = party
    }

    /// Returns the version from which on the journal contains events above `sequence`; earlier rows
    /// need not be read.
    ///
    /// A row has the number of its first event, so a binary search over the versions takes a few
    /// lookups, however long the journal is; it skips the few rows without events. Most readers
    /// want the newest events, so it checks the last row first.
    func start(after sequence: Int) throws -> Int64 {
        let span = try database.row(
            "SELECT min(version), max(version) FROM journal WHERE party = ?1", [.integer(party)]
        ) { (low: $0.optionalInteger(0), high: $0.optionalInteger(1)) }
        guard var low = span?.low, var high = span?.high else { return 0 }
        let first = low
        var found = first
        var probe = high
        while low <= high {
            let row = try lastEvents(from: low, upTo: probe)
            if let row, row.firstSequence > sequence + 1 {
                high = row.version - 1
            } else {
                found = row?.version ?? found
                low = probe + 1
            }
            probe = low + (high - low) / 2
        }
        return found
    }

    /// Returns the last row with events between two versions.
    private func lastEvents(
        from low: Int64, upTo high: Int64
    ) throws -> (version: Int64, firstSequence: Int)? {
        var found: (version: Int64, firstSequence: Int)?
        try database.scan(
            """
            SELECT party, version, at, data, crc FROM journal
            WHERE party = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version DESC
            """, [.integer(party), .integer(low), .integer(high)]
        ) { statement in
            let row = JournalRow(statement)
            guard let first = try row.decode(packs: database.packs).events.first else {
                return .goOn
            }
            found = (row.version, first.sequence)
            return .stop
        }
        return found
    }

    /// Reads rows from a version on, until `body` has enough.
    func scan(
        from version: Int64, _ body: (JournalRow, JournalEntry) throws -> Scan
    ) throws {
        try database.scan(
            """
            SELECT party, version, at, data, crc FROM journal
            WHERE party = ?1 AND version >= ?2 ORDER BY version
            """, [.integer(party), .integer(version)]
        ) { statement in
            let row = JournalRow(statement)
            return try body(row, try row.decode(packs: database.packs))
        }
    }

    /// Returns the party where its journal was folded.
    func snapshot() throws -> FoldedParty? {
        let row = try database.row(
            "SELECT party, version, data, crc FROM journal_snapshots WHERE party = ?1",
            [.integer(party)]
        ) { DataRow($0, table: DataRow.snapshots, numberCount: 2) }
        return try row?.decode { try FoldedPartyFormat.read($0, packs: database.packs) }
    }
}
