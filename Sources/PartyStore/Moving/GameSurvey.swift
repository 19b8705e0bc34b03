/// Reads all rows of a game: what they are, in counts and sums, and which are damaged.
struct GameSurvey: Sendable {
    /// The most damaged rows that are listed.
    static let faultsMax = 20

    private(set) var tables: [(name: String, digest: TableDigest)] = []
    private(set) var faults: [String] = []
    private(set) var faultCount = 0
    /// The last numbers that the store has given.
    let counters: MoveCounters

    /// Reads the game. `note` is called after each part, with the table and its rows so far.
    init(
        _ session: any MoveSession, _ note: (String, Int64) throws -> Void
    ) throws {
        counters = try session.counters()
        for table in try MovedTable.all() {
            let checks = RowChecks(table)
            var digest = TableDigest()
            try note(table.name, 0)
            try session.eachBlock(of: table, after: nil) { block in
                digest.add(block)
                for row in 0..<block.count {
                    do {
                        try checks.check(block, row: row)
                    } catch let fault as RowFault {
                        add(fault.description)
                    }
                }
                try note(table.name, digest.rows)
            }
            let rows = try session.rowCount(of: table)
            guard digest.rows == rows else {
                throw StoreError.broken(
                    """
                    \(table.name) has \(rows) rows, but only \(digest.rows) were found in order: a \
                    key or an index is damaged. Restore a backup
                    """)
            }
            tables.append((table.name, digest))
        }
    }

    mutating func add(_ fault: String) {
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(fault) }
    }

    var rows: Int64 { tables.reduce(0) { $0 + $1.digest.rows } }

    /// One number for the whole game.
    var game: Int64 {
        var checksum = Checksum()
        for table in tables {
            checksum.add(table.name)
            checksum.add(table.digest.rows)
            checksum.add(Int64(bitPattern: table.digest.sum))
        }
        checksum.add(counters.audit)
        return checksum.value
    }

    /// Returns in words where another game differs.
    func differences(from other: GameSurvey) -> [String] {
        zip(tables, other.tables).compactMap { own, copied in
            guard own.digest != copied.digest else { return nil }
            guard own.digest.rows == copied.digest.rows else {
                return "\(own.name) has \(own.digest.rows) rows, and \(copied.digest.rows) there"
            }
            return "\(own.name) has other rows there"
        }
    }
}

/// The last numbers that a store has given: they must go on in the other one.
struct MoveCounters: Hashable, Sendable {
    /// Of the newest owner.
    let epoch: Int64
    /// Of the newest row that the audit log has ever had.
    let audit: Int64
}
