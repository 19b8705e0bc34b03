/// Compares a file's tables, columns and indices with those of a new file.
struct SchemaCheck {
    private struct Column: Hashable {
        let table: String
        let name: String
    }

    private struct Index {
        let name: String
        let sql: String
    }

    private struct Expected {
        let columns: [Column]
        let indices: [Index]
    }

    private let expected: Expected
    /// Those of a new file, which are the same as long as the process runs.
    private static let ofNewFile = Result { () throws(SQLFailure) in
        let database = try Database(path: ":memory:", access: .readWrite)
        try Schema.create(on: database)
        return Expected(columns: try columns(of: database), indices: try indices(of: database))
    }

    init() throws(SQLFailure) { expected = try Self.ofNewFile.get() }

    /// Returns what the file lacks: "the table journal", "the column crc of the table heroes".
    func missing(from database: Database) throws(SQLFailure) -> [String] {
        let columns = Set(try Self.columns(of: database))
        let tables = Set(columns.map(\.table))
        var missing: [String] = []
        for column in expected.columns where !columns.contains(column) {
            let name =
                tables.contains(column.table)
                ? "the column \(column.name) of the table \(column.table)"
                : "the table \(column.table)"
            if missing.last != name { missing.append(name) }
        }
        return missing
    }

    /// Returns the statements that create the indices which the file lacks.
    func missingIndices(of database: Database) throws(SQLFailure) -> [String] {
        let names = Set(try Self.indices(of: database).map(\.name))
        return expected.indices.filter { !names.contains($0.name) }.map(\.sql)
    }

    private static func columns(of database: Database) throws(SQLFailure) -> [Column] {
        try database.rows(
            """
            SELECT tables.name, columns.name
            FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' ORDER BY tables.name, columns.cid
            """
        ) { Column(table: $0.text(0), name: $0.text(1)) }
    }

    private static func indices(of database: Database) throws(SQLFailure) -> [Index] {
        try database.rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        ) { Index(name: $0.text(0), sql: $0.text(1)) }
    }
}
