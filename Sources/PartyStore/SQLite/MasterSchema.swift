extension Schema {
    /// Commands for many parties, or for later. A step's state: 0 it is open,
    /// 1 done, 2 skipped.
    static let jobs = """
        CREATE TABLE jobs (
            id TEXT NOT NULL PRIMARY KEY,
            command BLOB NOT NULL,
            created_by TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            starts_at INTEGER NOT NULL,
            spread_seconds INTEGER NOT NULL,
            parties INTEGER NOT NULL,
            status INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE job_steps (
            job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            party TEXT NOT NULL,
            state INTEGER NOT NULL,
            PRIMARY KEY (job, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX job_steps_open ON job_steps (job, position) WHERE state = 0;
        """

    /// Adventure packs.
    static let packs = """
        CREATE TABLE packs (
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (id, version)
        ) STRICT;
        """

    /// The server's time.
    static let clock = """
        CREATE TABLE clock (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        """
}
