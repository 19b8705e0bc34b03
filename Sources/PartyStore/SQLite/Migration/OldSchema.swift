/// The schemas 1 to 6, as the steps from one to the next, because files of them exist.
///
/// `user_version` is the number of steps applied to a file. A step is never changed.
enum OldSchema {
    static let steps: [String] = [
        players, parties, logs, startDevices, providerTokens, channels,
    ]

    private static let players = """
        CREATE TABLE ownership (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL CHECK (epoch >= 0)
        ) STRICT;
        INSERT INTO ownership (id, epoch) VALUES (1, 0);

        CREATE TABLE players (
            id TEXT NOT NULL PRIMARY KEY,
            token_hash BLOB NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE heroes (
            id TEXT NOT NULL PRIMARY KEY,
            owner TEXT NOT NULL REFERENCES players (id),
            json TEXT NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX heroes_by_owner ON heroes (owner, id);
        """

    private static let parties = """
        CREATE TABLE parties (
            id TEXT NOT NULL PRIMARY KEY,
            version INTEGER NOT NULL,
            party TEXT NOT NULL,
            began_at INTEGER NOT NULL,
            speed INTEGER NOT NULL,
            invite_code TEXT NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            next_due_at INTEGER,
            outbox TEXT NOT NULL,
            crc INTEGER NOT NULL,
            outbox_crc INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX parties_by_due ON parties (next_due_at) WHERE next_due_at IS NOT NULL;

        CREATE TABLE memberships (
            hero TEXT NOT NULL PRIMARY KEY REFERENCES heroes (id),
            party TEXT NOT NULL REFERENCES parties (id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE activities (
            id TEXT NOT NULL PRIMARY KEY,
            party TEXT NOT NULL REFERENCES parties (id),
            json TEXT NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX activities_by_party ON activities (party, id);
        """

    private static let logs = """
        CREATE TABLE events (
            party TEXT NOT NULL REFERENCES parties (id),
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            json TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (party, sequence)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE commands (
            party TEXT NOT NULL REFERENCES parties (id),
            version INTEGER NOT NULL,
            json TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (party, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE decisions (
            party TEXT NOT NULL REFERENCES parties (id),
            activity TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            json TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (party, sequence, activity)
        ) STRICT, WITHOUT ROWID;
        """

    /// A token belongs to one installation: it is unique in its environment.
    private static let startDevices = """
        CREATE TABLE start_devices (
            player TEXT NOT NULL REFERENCES players (id),
            environment TEXT NOT NULL,
            device TEXT NOT NULL,
            token TEXT,
            json TEXT NOT NULL,
            crc INTEGER NOT NULL,
            starts TEXT NOT NULL,
            starts_crc INTEGER NOT NULL,
            PRIMARY KEY (player, environment, device)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX start_devices_by_token ON start_devices (token, environment)
            WHERE token IS NOT NULL;
        """

    private static let providerTokens = """
        CREATE TABLE provider_tokens (
            team TEXT NOT NULL,
            key TEXT NOT NULL,
            json TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (team, key)
        ) STRICT, WITHOUT ROWID;
        """

    private static let channels = """
        CREATE TABLE channels (
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            party TEXT NOT NULL REFERENCES parties (id),
            json TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (environment, id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Applies the missing steps to a file, in the caller's transaction.
    static func complete(
        _ database: Database, upTo count: Int = steps.count
    ) throws(SQLFailure) {
        let version = Int(try database.integer("PRAGMA user_version"))
        guard version < count else { return }
        for step in steps[version..<count] { try database.execute(step) }
        try database.execute("PRAGMA user_version = \(count)")
        try database.execute("PRAGMA application_id = \(Schema.applicationID)")
    }
}
