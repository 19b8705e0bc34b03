internal import GameLogic

/// A session as a move uses it: it reads and writes rows of any table in blocks.
protocol MoveSession: SQLSession {
    /// The columns by which this database reads a table in order.
    func readingKey(of table: MovedTable) -> [MovedTable.Column]

    /// Reads rows behind a key, at most `limit`, and fewer when they are large. An empty block: there
    /// are no more.
    func block(
        of table: MovedTable, after position: [SQLValue]?, limit: Int
    ) throws(SQLFailure) -> RowBlock

    /// Inserts rows in the caller's transaction.
    func insert(_ block: RowBlock) throws(SQLFailure)

    /// Returns how many rows a table has. SQLite counts them without any index.
    func rowCount(of table: MovedTable) throws(SQLFailure) -> Int64

    /// Whether the table has a row.
    func hasRow(in table: MovedTable) throws(SQLFailure) -> Bool

    func counters() throws(SQLFailure) -> MoveCounters
}

extension MoveSession {
    /// The rows of the first block of a table, whose size nobody knows.
    private static var firstRows: Int { 16 }
    /// How much larger the next block may be.
    private static var growthMax: Int { 8 }

    /// Reads all rows behind a key, in blocks of about the same size in bytes.
    ///
    /// - Throws: `.broken` when the rows are out of order: a damaged key would hide those behind it.
    func eachBlock(
        of table: MovedTable, after position: [SQLValue]?, _ body: (RowBlock) throws -> Void
    ) throws {
        var (position, limit) = (position, Self.firstRows)
        var last: RowBlock?
        while true {
            let block = try block(of: table, after: position, limit: limit)
            guard block.count > 0 else { return }
            if let row = block.firstOutOfOrder(after: last) {
                throw StoreError.broken(
                    """
                    the row \(block.name(of: row)) of \(table.name) is out of order: its key or an \
                    index is damaged, and rows may be hidden. Restore a backup
                    """)
            }
            try body(block)
            (position, last) = (block.position, block)
            let fitting = RowBlock.bytesMax / max(1, block.byteCount / block.count)
            limit = max(1, min(fitting, limit * Self.growthMax, RowBlock.rowsMax))
        }
    }

    /// Returns the texts "a, b" and "?1, ?2" of columns; `mark` begins a parameter.
    static func list(_ columns: [MovedTable.Column]) -> String {
        columns.map(\.name).joined(separator: ", ")
    }

    static func parameters(_ count: Int, _ mark: Character) -> String {
        (0..<count).map { "\(mark)\($0 + 1)" }.joined(separator: ", ")
    }
}

// MARK: A file

extension Database: MoveSession {
    /// By the rows' own numbers, so that no index is asked.
    func readingKey(of table: MovedTable) -> [MovedTable.Column] {
        table.isNumbered ? [MovedTable.Column(name: "rowid", kind: .number)] : table.key
    }

    func block(
        of table: MovedTable, after position: [SQLValue]?, limit: Int
    ) throws(SQLFailure) -> RowBlock {
        let key = readingKey(of: table)
        let names = Self.list(key)
        var sql = "SELECT \(Self.list(table.columns + key)) FROM \(table.name)"
        if table.isNumbered { sql += " NOT INDEXED" }
        if position != nil { sql += " WHERE (\(names)) > (\(Self.parameters(key.count, "?")))" }
        sql += " ORDER BY \(names) LIMIT \(limit)"
        let statement = try prepare(text: sql)
        try statement.bind(position ?? [])
        var block = RowBlock(of: table, key: key)
        while !block.isFull {
            guard try statement.step() else { break }
            block.append(statement)
        }
        return block
    }

    func insert(_ block: RowBlock) throws(SQLFailure) {
        let columns = block.table.columns
        let statement = try prepare(
            text: "INSERT INTO \(block.table.name) (\(Self.list(columns))) "
                + "VALUES (\(Self.parameters(columns.count, "?")))")
        for row in 0..<block.count {
            statement.clear()
            for (index, column) in columns.enumerated() {
                try statement.bind(
                    block.values[index], row: row, of: column.kind, at: Int32(index + 1))
            }
            while try statement.step() {}
            statement.reset()
        }
    }

    func rowCount(of table: MovedTable) throws(SQLFailure) -> Int64 {
        let statement = try prepare(text: "SELECT count(*) FROM \(table.name) NOT INDEXED")
        return try statement.step() ? statement.integer(0) : 0
    }

    func hasRow(in table: MovedTable) throws(SQLFailure) -> Bool {
        try prepare(text: "SELECT 1 FROM \(table.name) LIMIT 1").step()
    }

    func counters() throws(SQLFailure) -> MoveCounters {
        MoveCounters(
            epoch: try epoch(),
            audit: try integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'audit'"))
    }
}

extension Statement {
    /// Binds a value of a block. Null is what is not bound.
    fileprivate func bind(
        _ values: RowBlock.Values, row: Int, of kind: MovedTable.Kind, at index: Int32
    ) throws(SQLFailure) {
        guard !values.nulls.contains(row) else { return }
        switch kind {
        case .number: try bind(values.numbers[row], at: index)
        case .text:
            try bind(
                [.text(String(decoding: values.bytes[values.range(row)], as: UTF8.self))],
                from: index)
        case .bytes:
            try bind([.blob(Array(values.bytes[values.range(row)]))], from: index)
        }
    }
}

// MARK: A database

extension PostgreSQLSession: MoveSession {
    func readingKey(of table: MovedTable) -> [MovedTable.Column] { table.key }

    func block(
        of table: MovedTable, after position: [SQLValue]?, limit: Int
    ) throws(SQLFailure) -> RowBlock {
        let names = Self.list(table.key)
        var sql = "SELECT \(Self.list(table.columns + table.key)) FROM \(table.name)"
        if position != nil {
            sql += " WHERE (\(names)) > (\(Self.parameters(table.key.count, "$")))"
        }
        sql += " ORDER BY \(names) LIMIT \(limit)"
        let answer = try link.run(
            Array(sql.utf8CString), PostgreSQLParameters(position ?? []))
        var block = RowBlock(of: table, key: table.key)
        for index in 0..<answer.rowCount { block.append(answer.row(index)) }
        return block
    }

    func insert(_ block: RowBlock) throws(SQLFailure) {
        let statement = insertion(of: block)
        _ = try link.run(statement.sql, statement.parameters)
    }

    /// Returns the statement that inserts a block.
    func insertion(of block: RowBlock) -> (sql: [CChar], parameters: PostgreSQLParameters) {
        var names = Self.list(block.table.columns)
        var types = block.table.columns.map { column in
            switch column.kind {
            case .number: "bigint[]"
            case .text: "text[]"
            case .bytes: "bytea[]"
            }
        }
        var parameters = PostgreSQLParameters()
        for (index, column) in block.table.columns.enumerated() {
            parameters.append(block.values[index], of: column.kind, count: block.count)
        }
        if let own = Self.ownColumn(of: block) {
            names += ", \(own.name)"
            types.append("bigint[]")
            parameters.append(array: own.numbers)
        }
        let arrays = types.enumerated().map { "$\($0.offset + 1)::\($0.element)" }
        let sql =
            "INSERT INTO \(block.table.name) (\(names)) "
            + "SELECT * FROM unnest(\(arrays.joined(separator: ", ")))"
        return (Array(sql.utf8CString), parameters)
    }

    /// What PostgreSQL has besides: the shard of a party, and the order of requests.
    private static func ownColumn(of block: RowBlock) -> (name: String, numbers: [Int64])? {
        switch block.table.name {
        case "parties":
            guard let id = block.table.index(of: "id") else { return nil }
            return (
                "shard",
                (0..<block.count).map { row in
                    let row = BlockRow(block: block, row: row, columns: [id])
                    return Int64(PartyShard.number(of: PartyID(row.text(0))))
                }
            )
        case "requests":
            // SQLite's numbers, by which the block was read.
            return ("id", block.values.last?.numbers ?? [])
        default:
            return nil
        }
    }

    /// With the time that an upgrade has: the whole table is read.
    func rowCount(of table: MovedTable) throws(SQLFailure) -> Int64 {
        begin(.upgrading)
        defer { rollBack() }
        let sql = "SELECT count(*) FROM \(table.name)"
        return try link.run(Array(sql.utf8CString), PostgreSQLParameters()).row(0).integer(0)
    }

    func hasRow(in table: MovedTable) throws(SQLFailure) -> Bool {
        let sql = "SELECT 1 FROM \(table.name) LIMIT 1"
        return try link.run(Array(sql.utf8CString), PostgreSQLParameters()).rowCount > 0
    }

    func counters() throws(SQLFailure) -> MoveCounters {
        MoveCounters(
            epoch: try integer("SELECT epoch FROM cluster WHERE id = 1"),
            audit: try integer("SELECT last FROM audit_count WHERE id = 1"))
    }
}
