/// Checks rows of any table by the checksum that they have.
struct RowChecks {
    /// The check of one row, and the columns that it reads.
    private let check: ((any SQLRow) throws -> Void)?
    private let columns: [Int]
    private let texts: [Int]

    /// The tables whose rows are not blobs under a key.
    private static let own: [String: @Sendable (any SQLRow) throws -> Void] = [
        "players": { try PlayerRow($0).check() },
        "devices": { _ = try DeviceRow($0).record() },
        StartDeviceRow.table: { _ = try StartDeviceRow($0).record() },
        "parties": { try PartyRow($0).check() },
        "journal": { try JournalRow($0).check() },
    ]
    /// What is not part of a checksum: the log is numbered by the database.
    private static let unchecked = [DataRow.audit: "id"]

    init(_ table: MovedTable) {
        let checked = table.columns.indices.filter {
            table.columns[$0].name != Self.unchecked[table.name]
        }
        columns = checked
        texts = table.columns.indices.filter { table.columns[$0].kind == .text }
        let kinds = checked.map { table.columns[$0].kind }
        if let own = Self.own[table.name] {
            check = own
        } else if table.index(of: "crc") != nil {
            let name = table.name
            let keys = Int32(kinds.count { $0 == .text })
            let numbers = Int32(kinds.count { $0 == .number }) - 1
            check = { row in
                try DataRow(row, table: name, keyCount: keys, numberCount: numbers).check()
            }
        } else {
            check = nil
        }
    }

    /// Whether the rows of the table have checksums.
    var hasChecksums: Bool { check != nil }

    /// Throws a `RowFault` unless the row is what was written.
    func check(_ block: RowBlock, row: Int) throws {
        for index in texts {
            let values = block.values[index]
            let bytes = values.bytes[values.range(row)]
            guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
                throw RowFault(
                    table: block.table.name, key: block.name(of: row),
                    detail: "its \(block.table.columns[index].name) is not a text")
            }
        }
        try check?(BlockRow(block: block, row: row, columns: columns))
    }
}
