/// The rows of a game, read once: what they are, in counts and sums, and which are damaged.
struct GameSurvey: Sendable {
    /// The most damaged rows that are listed.
    static let faultsMax = 20

    private(set) var tables: [(name: String, digest: TableDigest)] = []
    private(set) var faults: [String] = []
    private(set) var faultCount = 0

    /// Reads the game in the caller's transaction. `body` gets each block after the survey has it.
    init(
        _ session: any MoveSession, faults: [String] = [],
        _ body: (GameSurvey, MovedTable, TableDigest, [MovedRow]) throws -> Void = { _, _, _, _ in }
    ) throws {
        for fault in faults { add(fault) }
        for table in try MovedTable.all() {
            var digest = TableDigest()
            try session.eachBlock(of: table) { rows in
                for row in rows {
                    digest.add(row)
                    do {
                        try table.check(row)
                    } catch let fault as RowFault {
                        add(fault.description)
                    }
                }
                try body(self, table, digest, rows)
            }
            tables.append((table.name, digest))
        }
    }

    private mutating func add(_ fault: String) {
        faultCount += 1
        if faults.count < Self.faultsMax { faults.append(fault) }
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

/// How many rows a table has, and a sum over them that does not depend on their order.
struct TableDigest: Hashable, Sendable {
    private(set) var rows: Int64 = 0
    private(set) var sum: UInt64 = 0

    mutating func add(_ row: MovedRow) {
        var checksum = Checksum()
        for value in row.values {
            switch value {
            case .null: checksum.add(Int64?.none)
            case .integer(let number): checksum.add(Optional(number))
            case .text(let text): checksum.add(text)
            case .blob(let bytes): checksum.add(bytes)
            }
        }
        rows += 1
        sum &+= Self.spread(checksum.value)
    }

    /// Spreads a checksum over all bits (SplitMix64), so that a sum of two says nothing of others.
    private static func spread(_ checksum: Int64) -> UInt64 {
        var bits = UInt64(bitPattern: checksum) &+ 0x9e37_79b9_7f4a_7c15
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}
