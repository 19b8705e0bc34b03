internal import GameLogic

/// The journal of one party: one row for each change with events, a command or decisions.
struct PartyJournal {
    /// How many rows one statement reads: a page of most readers.
    private static let readAtOnce = 256
    /// How many rows one statement reads to find one with events, which nearly all have.
    private static let probedAtOnce = 4

    private let database: any SQLSession
    private let party: Int64

    /// - Parameters:
    ///   - party: The party's key.
    ///   - database: The connection to read with.
    init(of party: Int64, in database: any SQLSession) {
        self.database = database
        self.party = party
    }

    /// Returns the version from which on the journal contains events above `sequence`; the rows
    /// before it need not be read.
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
        var (high, rows) = (high, Self.probedAtOnce)
        while found == nil, rows == Self.probedAtOnce {
            rows = 0
            try database.scan(
                """
                SELECT party, version, at, data, crc FROM journal
                WHERE party = ?1 AND version BETWEEN ?2 AND ?3 ORDER BY version DESC LIMIT ?4
                """,
                [.integer(party), .integer(low), .integer(high), .limit(Self.probedAtOnce)]
            ) { read in
                let row = JournalRow(read)
                // A damaged version may be any number.
                (high, rows) = (max(row.version, .min + 1) - 1, rows + 1)
                guard let first = try row.decode(packs: database.packs).events.first else {
                    return .goOn
                }
                found = (row.version, first.sequence)
                return .stop
            }
        }
        return found
    }

    /// Reads rows from a version on, until `body` has enough.
    func scan(
        from version: Int64, _ body: (JournalRow, JournalEntry) throws -> Scan
    ) throws {
        try scanRows(from: version) { row in
            try body(row, try row.decode(packs: database.packs))
        }
    }

    /// Reads rows from a version on, sound or not, until `body` has enough. It reads them in parts:
    /// PostgreSQL's answers are whole in memory.
    func scanRows(
        from version: Int64, _ body: (JournalRow) throws -> Scan
    ) throws {
        var (next, rows) = (version, Self.readAtOnce)
        while rows == Self.readAtOnce {
            rows = 0
            try database.scan(
                """
                SELECT party, version, at, data, crc FROM journal
                WHERE party = ?1 AND version >= ?2 ORDER BY version LIMIT ?3
                """, [.integer(party), .integer(next), .limit(Self.readAtOnce)]
            ) { read in
                let row = JournalRow(read)
                let scan = try body(row)
                switch scan {
                case .stop: rows = 0
                case .goOn: (next, rows) = (min(row.version, .max - 1) + 1, rows + 1)
                }
                return scan
            }
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
