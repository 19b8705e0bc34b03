/// A table as a move copies it: the columns that both databases have, with the same values.
///
/// The tables are those of a new file, so that a table that is added is moved too.
struct MovedTable: Sendable {
    /// By the names of SQLite's types.
    enum Kind: String, Sendable {
        case number = "INTEGER"
        case text = "TEXT"
        case bytes = "BLOB"
    }

    struct Column: Hashable, Sendable {
        let name: String
        let kind: Kind
    }

    let name: String
    let columns: [Column]
    /// Whether SQLite numbers the rows.
    let isNumbered: Bool

    /// The order of rows whose `id` SQLite gives by itself: they get new ones in this order.
    private static let orders = [
        "journal": "at, party, version", "standings": "season, hero", "requests": "player, id",
    ]
    /// The checks of rows that are no blobs under a key.
    private static let checks: [String: @Sendable (any SQLRow) throws -> Void] = [
        "players": { try PlayerRow($0).check() },
        "devices": { _ = try DeviceRow($0).record() },
        StartDeviceRow.table: { _ = try StartDeviceRow($0).record() },
        "parties": { try PartyRow($0).check() },
        "journal": { try JournalRow($0).check() },
    ]
    /// What belongs to the store itself.
    private static let own: Set<String> = [
        "ownership", "sqlite_sequence", "store_move", "write_checks",
    ]

    /// Returns all tables, each after those that it refers to.
    static func all() throws(SQLFailure) -> [MovedTable] {
        let model = try Database(path: ":memory:", access: .readWrite)
        try Schema.create(on: model)
        let tables = try model.rows(
            """
            SELECT tables.name, list.wr
            FROM sqlite_schema AS tables JOIN pragma_table_list AS list ON list.name = tables.name
            WHERE tables.type = 'table' AND list.schema = 'main' ORDER BY tables.rowid
            """
        ) { (name: $0.text(0), isNumbered: $0.integer(1) == 0) }
        return try tables.filter { !own.contains($0.name) }.map { table throws(SQLFailure) in
            let columns = try model.rows(
                "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid", [.text(table.name)]
            ) { Column(name: $0.text(0), kind: Kind(rawValue: $0.text(1)) ?? .bytes) }
            return MovedTable(
                name: table.name,
                columns: columns.filter { orders[table.name] == nil || $0.name != "id" },
                isNumbered: table.isNumbered)
        }
    }

    /// The order in which PostgreSQL reads the rows; `nil`: any.
    var order: String? { Self.orders[name] }

    var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// Returns what a session has read.
    func row(_ row: any SQLRow) throws -> MovedRow {
        let values = try columns.enumerated().map { index, column throws(StoreError) in
            let index = Int32(index)
            guard !row.isNull(index) else { return SQLValue.null }
            switch column.kind {
            case .number: return .integer(row.integer(index))
            case .bytes: return .blob(row.bytes(index))
            case .text:
                let bytes = row.bytes(index)
                guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
                else {
                    throw .broken(
                        "\(rowName(row)) cannot be moved: its \(column.name) is not a text")
                }
                return .text(text)
            }
        }
        return MovedRow(values: values)
    }

    /// Names a row by its first columns.
    func rowName(_ row: any SQLRow) -> String {
        let values = columns.prefix(3).indices.compactMap { index in
            switch columns[index].kind {
            case .number: "\(row.integer(Int32(index)))"
            case .text: row.text(Int32(index))
            case .bytes: nil
            }
        }
        return "the row \(values.joined(separator: " ")) of \(name)"
    }

    /// Throws a `RowFault` unless the row is what was written, as far as it has a checksum.
    func check(_ row: MovedRow) throws {
        if let check = Self.checks[name] { return try check(row) }
        guard columns.last?.name == "crc" else { return }
        // The log is numbered by the database, beside the checksum.
        let unchecked = name == DataRow.audit ? 1 : 0
        let kinds = columns.dropFirst(unchecked).map(\.kind)
        try DataRow(
            MovedRow(values: Array(row.values.dropFirst(unchecked))), table: name,
            keyCount: Int32(kinds.count { $0 == .text }),
            numberCount: Int32(kinds.count { $0 == .number }) - 1
        ).check()
    }
}

/// A row of any table, by the columns that both databases have.
struct MovedRow: SQLRow, Sendable {
    let values: [SQLValue]

    var byteCount: Int {
        values.reduce(0) { sum, value in
            switch value {
            case .null, .integer: sum + 8
            case .text(let text): sum + text.utf8.count
            case .blob(let bytes): sum + bytes.count
            }
        }
    }

    func integer(_ column: Int32) -> Int64 {
        if case .integer(let number) = values[Int(column)] { number } else { 0 }
    }

    func withBytes<Result, Failure: Error>(
        _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes: [UInt8] =
            switch values[Int(column)] {
            case .text(let text): Array(text.utf8)
            case .blob(let blob): blob
            case .null, .integer: []
            }
        return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(bytes))
        }
    }

    func isNull(_ column: Int32) -> Bool {
        if case .null = values[Int(column)] { true } else { false }
    }
}
