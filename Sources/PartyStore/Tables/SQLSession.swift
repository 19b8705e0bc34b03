/// One connection to a database, as the tables use it, so that the same SQL serves every database.
///
/// The SQL is what SQLite and PostgreSQL have in common: parameters are `?1`, `?2` …; conflicts are
/// handled by `ON CONFLICT`, whose conditions name the table of each column; sums are cast to
/// BIGINT; `min` and `max` have one argument; no row is found by its place in the table.
///
/// A session is confined to the executor of its owner.
protocol SQLSession: AnyObject {
    var dialect: SQLDialect { get }

    /// The packs that rows of this session name.
    var packs: PackCache { get }

    /// Writes. Returns how many rows were changed.
    @discardableResult
    func run(_ sql: StaticString, _ values: [SQLValue]) throws(SQLFailure) -> Int

    /// Reads row after row until `body` has enough.
    func each(
        _ sql: StaticString, _ values: [SQLValue], _ body: (any SQLRow) -> Scan
    ) throws(SQLFailure)

    /// Runs `body` in a transaction that reads one state of the database.
    func reading<Result>(_ body: () throws -> Result) throws -> Result

    /// Throws unless this is the newest epoch. The transaction keeps it so.
    func require(_ owner: Epoch) throws

    /// Lets all servers of the store know, when the transaction is committed, that something has
    /// changed that each keeps in memory. A file has one server, which needs no news.
    func announce(_ news: SharedNews) throws(SQLFailure)

    /// Returns the rows of the parties' activities, by the keys of these parties.
    func activityRows(of parties: [Int64]) throws(SQLFailure) -> [Int64: [DataRow]]
}

/// Whether to read the next row.
enum Scan {
    case goOn, stop
}

extension SQLSession {
    func announce(_ news: SharedNews) throws(SQLFailure) {}

    /// Runs a statement without values.
    @discardableResult
    func run(_ sql: StaticString) throws(SQLFailure) -> Int { try run(sql, []) }

    /// Reads every row.
    func rows<Row>(
        _ sql: StaticString, _ values: [SQLValue] = [], read: (any SQLRow) -> Row
    ) throws(SQLFailure) -> [Row] {
        var rows: [Row] = []
        try each(sql, values) { row in
            rows.append(read(row))
            return .goOn
        }
        return rows
    }

    /// Reads the first row, if there is one.
    func row<Row>(
        _ sql: StaticString, _ values: [SQLValue] = [], read: (any SQLRow) -> Row
    ) throws(SQLFailure) -> Row? {
        var found: Row?
        try each(sql, values) { row in
            found = read(row)
            return .stop
        }
        return found
    }

    /// Reads every row. `decode` may refuse one, which ends the reading.
    func decoded<Row>(
        _ sql: StaticString, _ values: [SQLValue] = [], _ decode: (any SQLRow) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try scan(sql, values) { row in
            rows.append(try decode(row))
            return .goOn
        }
        return rows
    }

    /// Reads row after row until `body` has enough, or throws.
    func scan(
        _ sql: StaticString, _ values: [SQLValue] = [], _ body: (any SQLRow) throws -> Scan
    ) throws {
        var refusal: (any Error)?
        try each(sql, values) { row in
            do {
                return try body(row)
            } catch {
                refusal = error
                return .stop
            }
        }
        if let refusal { throw refusal }
    }

    /// Reads one whole number.
    func integer(_ sql: StaticString, _ values: [SQLValue] = []) throws(SQLFailure) -> Int64 {
        try row(sql, values) { $0.integer(0) } ?? 0
    }
}
