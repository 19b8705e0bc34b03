internal import GameLogic

/// A session as a move uses it: it reads and writes rows of any table in blocks.
protocol MoveSession: MigratedSession {
    func begin() throws(SQLFailure)
    func rollBack()

    /// Begins a transaction that no server writes beside.
    ///
    /// - Throws: `.unavailable` when a server uses the store.
    func beginAlone() throws

    /// Returns a function that reads the next rows of a table, at most a number of them, in the
    /// transaction that is open. No rows: there are no more.
    func reader(of table: MovedTable) throws(SQLFailure) -> (Int) throws -> [MovedRow]

    /// Inserts rows, of which the first is row `number` of its table.
    func insert(
        _ rows: [MovedRow], into table: MovedTable, from number: Int64
    ) throws(SQLFailure)

    /// Removes all rows.
    func empty() throws(SQLFailure)

    /// Returns what is wrong beyond single rows, in words.
    func problems() throws(SQLFailure) -> [String]

    /// The last numbers that the store has given: they go on in the other one.
    func counters() throws(SQLFailure) -> MoveCounters
    func set(_ counters: MoveCounters) throws(SQLFailure)

    /// Prepares a full store for being served.
    func settle() throws(SQLFailure)

    func mark() throws(SQLFailure) -> MoveMark?
    func set(_ mark: MoveMark?) throws(SQLFailure)
}

/// The last numbers that a store has given.
struct MoveCounters: Hashable, Sendable {
    /// Of the newest owner.
    let epoch: Int64
    /// Of the newest row that the audit log has ever had.
    let audit: Int64
}

extension MoveSession {
    /// Runs a change in a transaction.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        return try committing(body)
    }

    /// Commits the transaction that is open, with a change.
    func committing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Whether nobody has ever used the store.
    func isUnused() throws -> Bool {
        try counters().epoch == 0
            && MovedTable.all().allSatisfy { try reader(of: $0)(1).isEmpty }
    }

    /// Reads all rows of a table, in blocks of at most about a mebibyte.
    func eachBlock(of table: MovedTable, _ body: ([MovedRow]) throws -> Void) throws {
        let next = try reader(of: table)
        // Nobody knows the size of the first rows.
        var limit = 16
        while true {
            let rows = try next(limit)
            guard !rows.isEmpty else { return }
            try body(rows)
            let bytes = rows.reduce(1) { $0 + $1.byteCount }
            limit = max(1, min(1000, limit * 8, (rows.count << 20) / bytes))
        }
    }
}

// MARK: A file

extension Database: MoveSession {
    /// The lock of the file keeps servers away.
    func beginAlone() throws { try begin() }

    /// In the order of SQLite's numbers. No index is asked: a damaged one would hide rows.
    func reader(of table: MovedTable) throws(SQLFailure) -> (Int) throws -> [MovedRow] {
        let statement = try prepare(
            text: "SELECT \(table.columnList) FROM \(table.name) NOT INDEXED"
                + (table.isNumbered ? " ORDER BY rowid" : ""))
        // Behind its last row a statement would begin again.
        var isAtEnd = false
        return { limit in
            var rows: [MovedRow] = []
            while rows.count < limit, !isAtEnd {
                isAtEnd = try statement.step() == false
                if !isAtEnd { rows.append(try table.row(statement)) }
            }
            return rows
        }
    }

    func insert(
        _ rows: [MovedRow], into table: MovedTable, from number: Int64
    ) throws(SQLFailure) {
        let parameters = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let statement = try prepare(
            text: "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(parameters))")
        for row in rows {
            try statement.bind(row.values)
            while try statement.step() {}
            statement.reset()
        }
    }

    func empty() throws(SQLFailure) {
        for table in try MovedTable.all().reversed() { try execute("DELETE FROM \(table.name)") }
    }

    func problems() throws(SQLFailure) -> [String] {
        try rows("PRAGMA integrity_check(100)") { $0.text(0) }.filter { $0 != "ok" }
            + rows("PRAGMA foreign_key_check") {
                "\($0.text(0)) row \($0.integer(1)) refers to a row of \($0.text(2)) that is missing"
            }
    }

    func counters() throws(SQLFailure) -> MoveCounters {
        MoveCounters(
            epoch: try epoch(),
            audit: try integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'audit'"))
    }

    func set(_ counters: MoveCounters) throws(SQLFailure) {
        try run("UPDATE ownership SET epoch = ?1 WHERE id = 1", [.integer(counters.epoch)])
        try run("DELETE FROM sqlite_sequence WHERE name = 'audit'")
        try run(
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('audit', ?1)",
            [.integer(counters.audit)])
    }

    func settle() throws(SQLFailure) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    func mark() throws(SQLFailure) -> MoveMark? {
        try integer("PRAGMA application_id") == Schema.markedID ? try MoveMark.read(self) : nil
    }

    func set(_ mark: MoveMark?) throws(SQLFailure) {
        try execute("DROP TABLE IF EXISTS store_move")
        if let mark {
            try execute(MoveMark.table)
            try mark.write(to: self)
        }
        try execute(
            "PRAGMA application_id = \(mark == nil ? Schema.applicationID : Schema.markedID)")
    }
}

// MARK: A database

extension PostgreSQLSession: MoveSession {
    /// Without a limit for the pauses between its statements: the other store is written meanwhile.
    func begin() {
        begin(.upgrading)
        link.runWithNext("SET LOCAL idle_in_transaction_session_timeout = 0")
    }

    func beginAlone() throws {
        begin()
        try lockNodes()
        let servers = try integer(
            """
            SELECT count(*) FROM node
            WHERE until >= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
            """)
        guard servers == 0 else {
            throw StoreError.unavailable(
                """
                servers use the database (\(servers)): stop them first; one that was killed \
                counts for another \(ServerNode.leaseMilliseconds / 1000) seconds
                """)
        }
    }

    /// No index is asked: a damaged one would hide rows.
    func reader(of table: MovedTable) throws(SQLFailure) -> (Int) throws -> [MovedRow] {
        let order = table.order.map { " ORDER BY \($0)" } ?? ""
        link.runWithNext("SET LOCAL enable_indexscan = off")
        link.runWithNext(
            "DECLARE moved_\(table.name) NO SCROLL CURSOR FOR "
                + "SELECT \(table.columnList) FROM \(table.name)\(order)")
        return { [link] limit in
            let sql = "FETCH \(limit) FROM moved_\(table.name)"
            return try link.run(Array(sql.utf8CString), .none).rows.map(table.row)
        }
    }

    func insert(
        _ rows: [MovedRow], into table: MovedTable, from number: Int64
    ) throws(SQLFailure) {
        var names = table.columnList
        var parameters = PostgreSQLParameters()
        for (index, column) in table.columns.enumerated() {
            parameters.append(rows.map { $0.values[index] }, of: column.kind)
        }
        // What PostgreSQL has besides: the shard of a party, and the order of requests.
        if table.name == "parties", let id = table.columns.firstIndex(where: { $0.name == "id" }) {
            names += ", shard"
            parameters.append(
                array: rows.map { Int64(PartyShard.number(of: PartyID($0.text(Int32(id))))) })
        } else if table.name == "requests" {
            names += ", id"
            parameters.append(array: rows.indices.map { number + Int64($0) })
        }
        let arrays = parameters.types.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table.name) (\(names)) SELECT * FROM unnest(\(arrays))"
        _ = try link.run(Array(sql.utf8CString), parameters)
    }

    func empty() throws(SQLFailure) { try run(onAll: "TRUNCATE") }

    func problems() -> [String] { [] }

    func counters() throws(SQLFailure) -> MoveCounters {
        MoveCounters(
            epoch: try integer("SELECT epoch FROM cluster WHERE id = 1"),
            audit: try integer("SELECT last FROM audit_count WHERE id = 1"))
    }

    func set(_ counters: MoveCounters) throws(SQLFailure) {
        try run("UPDATE cluster SET epoch = ?1", [.integer(counters.epoch)])
        try run("UPDATE audit_count SET last = ?1 WHERE id = 1", [.integer(counters.audit)])
    }

    /// Counts the rows, so that queries are not planned for empty tables.
    func settle() throws(SQLFailure) { try run(onAll: "ANALYZE") }

    private func run(onAll command: String) throws(SQLFailure) {
        let names = try MovedTable.all().map(\.name).joined(separator: ", ")
        try link.run(script: "\(command) \(names)")
    }

    func mark() throws(SQLFailure) -> MoveMark? { try MoveMark.read(self) }

    func set(_ mark: MoveMark?) throws(SQLFailure) {
        guard let mark else { return _ = try run("DELETE FROM store_move") }
        try mark.write(to: self)
    }
}
