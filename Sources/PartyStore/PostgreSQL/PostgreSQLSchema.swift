/// The tables of a PostgreSQL database: SQLite's of the same version, with the same columns and the
/// same bytes, so that moving a game is copying rows. What differs is listed here.
///
/// Texts are compared byte by byte, as SQLite does, whatever the database's language is. There are
/// no sequences: CockroachDB and YugabyteDB are said to run this too.
enum PostgreSQLSchema {
    /// All tables, and a lease for each shard.
    static var script: String {
        (Schema.all.filter { $0 != Schema.triggers } + [additions, nodes, MoveMark.table])
            .map(translated).joined(separator: ";\n")
    }

    /// Words of SQLite's texts, and what stands for them.
    private static let words = [
        (" STRICT, WITHOUT ROWID", ""), (" STRICT", ""), (" AUTOINCREMENT", ""),
        ("TEXT", "text COLLATE \"C\""), ("INTEGER", "bigint"), ("BLOB", "bytea"),
        // Numbers that SQLite gives by itself: the journal and the sums have other keys.
        ("CREATE TABLE journal (\n    id bigint PRIMARY KEY,", "CREATE TABLE journal ("),
        ("CREATE TABLE standings (\n    id bigint PRIMARY KEY,", "CREATE TABLE standings ("),
        (
            "CREATE TABLE requests (\n    id bigint PRIMARY KEY,",
            "CREATE TABLE requests (\n    id bigint NOT NULL,"
        ),
        ("CREATE TABLE parties (", "CREATE TABLE parties (\n    shard bigint NOT NULL,"),
    ]

    static func translated(_ tables: String) -> String {
        words.reduce(tables) { $0.replacing($1.0, with: $1.1) }
    }

    /// What SQLite has no need of: the owners of shards, the last number of the audit log, and
    /// indices for what SQLite finds by the place of a row.
    private static let additions = """
        CREATE TABLE shard_lease (
            shard INTEGER NOT NULL PRIMARY KEY,
            epoch INTEGER NOT NULL CHECK (epoch >= 0)
        );
        CREATE TABLE audit_count (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            last INTEGER NOT NULL
        );
        CREATE TABLE store_schema (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX requests_in_order ON requests (player, id);
        CREATE INDEX journal_by_time ON journal (at);
        INSERT INTO shard_lease (shard, epoch)
            SELECT number, 0 FROM generate_series(0, \(PartyShard.count - 1)) AS number;
        INSERT INTO audit_count (id, last) VALUES (1, 0);
        INSERT INTO store_schema (id, version) VALUES (1, \(Schema.version))
        """

    /// The nodes; one that is `leaving` gives its shards away. The row of `cluster` has the newest
    /// epoch; who changes nodes or leases locks it. That of `turn` is locked by who writes what is
    /// no party's and no player's. What nodes tell each other's consoles is there while somebody
    /// watches.
    private static let nodes = """
        CREATE TABLE node (
            epoch INTEGER NOT NULL PRIMARY KEY CHECK (epoch > 0),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            admin_address TEXT NOT NULL,
            public_url TEXT NOT NULL,
            until INTEGER NOT NULL,
            leaving INTEGER NOT NULL DEFAULT 0 CHECK (leaving IN (0, 1))
        );
        CREATE TABLE cluster (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL
        );
        CREATE TABLE turn (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1)
        );
        CREATE TABLE news (
            kind INTEGER NOT NULL PRIMARY KEY,
            number INTEGER NOT NULL
        );
        CREATE TABLE node_watch (
            node INTEGER NOT NULL PRIMARY KEY,
            parts INTEGER NOT NULL,
            walls INTEGER NOT NULL,
            until INTEGER NOT NULL
        );
        CREATE TABLE node_report (
            node INTEGER NOT NULL,
            number INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (node, number)
        );
        CREATE INDEX parties_by_shard ON parties (shard, key) WHERE awake = 1;
        INSERT INTO cluster (id, epoch) SELECT 1, max(epoch) FROM shard_lease;
        INSERT INTO turn (id) VALUES (1)
        """
}
