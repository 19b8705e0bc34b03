/// Compares a file's tables, columns and indices with those of a new file.
struct SchemaCheck {
    private let expected: Database

    init() throws(SQLFailure) {
        expected = try Database(path: ":memory:", access: .readWrite)
        try Schema.create(on: expected)
    }

    /// Returns what the file lacks: "the table journal", "the column crc of the table heroes".
    func missing(from database: Database) throws(SQLFailure) -> [String] {
        let columns = Set(try Self.columns(of: database))
        let tables = Set(columns.map(\.table))
        var missing: [String] = []
        for column in try Self.columns(of: expected) where !columns.contains(column) {
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
        return try Self.indices(of: expected).filter { !names.contains($0.name) }.map(\.sql)
    }

    private struct Column: Hashable {
        let table: String
        let name: String
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

    private static func indices(
        of database: Database
    ) throws(SQLFailure) -> [(name: String, sql: String)] {
        try database.rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        ) { ($0.text(0), $0.text(1)) }
    }
}
