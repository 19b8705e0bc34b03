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
    /// What a database finds a row by. It need not be among the columns.
    let key: [Column]
    /// Whether SQLite numbers the rows. Otherwise it finds them by the same key.
    let isNumbered: Bool

    /// What orders the rows of tables without a primary key, or whose key, `id`, is a number that
    /// SQLite gives by itself and that does not move.
    private static let keys = [
        "devices": [
            Column(name: "player", kind: .text), Column(name: "device", kind: .text),
        ],
        "journal": [
            Column(name: "at", kind: .number), Column(name: "party", kind: .number),
            Column(name: "version", kind: .number),
        ],
        "standings": [
            Column(name: "season", kind: .number), Column(name: "hero", kind: .text),
        ],
        "requests": [
            Column(name: "player", kind: .text), Column(name: "id", kind: .number),
        ],
    ]
    /// What belongs to the store itself.
    private static let own: Set<String> = ["ownership", "sqlite_sequence"]

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
            try MovedTable(table.name, isNumbered: table.isNumbered, like: model)
        }
    }

    private init(_ name: String, isNumbered: Bool, like model: Database) throws(SQLFailure) {
        let found = try model.rows(
            "SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid", [.text(name)]
        ) {
            (
                column: Column(name: $0.text(0), kind: Kind(rawValue: $0.text(1)) ?? .bytes),
                place: $0.integer(2)
            )
        }
        self.name = name
        self.isNumbered = isNumbered
        let other = Self.keys[name]
        columns = found.map(\.column).filter { other == nil || $0.name != "id" }
        key =
            other
            ?? found.filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.column)
    }

    func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}
