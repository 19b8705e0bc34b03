/// The tables of a new file.
///
/// Values are blobs with a format byte (`Format`); the columns beside them are for finding, sorting
/// and fencing.
enum Schema {
    /// "RANG": distinguishes our files from other programs' databases.
    static let applicationID: Int64 = 0x5241_4e47
    /// "RANM": a file with a `MoveMark`, which no program serves.
    static let markedID: Int64 = 0x5241_4e4d
    static let version: Int64 = 1

    /// Creates the tables of a new file, in the caller's transaction.
    static func create(on database: Database) throws(SQLFailure) {
        try database.execute(ownership)
        for tables in all { try database.execute(tables) }
        try database.execute("PRAGMA user_version = \(version)")
        try database.execute("PRAGMA application_id = \(applicationID)")
    }

    /// All tables but that of the owner, in the order in which they refer to each other.
    static let all = [
        players, phones, parties, inbox, heroes, activities, startDevices, pushes, erasures,
        requests, gameMasters, triggers, conduct, jobs, packs, clock, world, leaderboard, widgets,
        writeChecks,
    ]

    private static let ownership = """
        CREATE TABLE ownership (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL CHECK (epoch >= 0)
        ) STRICT;
        INSERT INTO ownership (id, epoch) VALUES (1, 0);
        """

    /// Empty: what is written here is deleted in the same transaction.
    private static let writeChecks = """
        CREATE TABLE write_checks (
            data BLOB NOT NULL
        ) STRICT;
        """

    /// The players, and whose each bearer token is. While a token is being replaced, both are
    /// valid.
    private static let players = """
        CREATE TABLE players (
            id TEXT NOT NULL PRIMARY KEY,
            recovery_hash BLOB NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE devices (
            player TEXT NOT NULL REFERENCES players (id),
            device TEXT NOT NULL,
            token_hash BLOB NOT NULL UNIQUE,
            next_token_hash BLOB UNIQUE,
            created_at INTEGER NOT NULL,
            crc INTEGER NOT NULL,
            UNIQUE (player, device)
        ) STRICT;
        """

    /// What the deletion of an account needs: which parties may have a hero's name, and whose
    /// account was deleted. The ids of deleted players stay.
    private static let erasures = """
        CREATE TABLE visits (
            hero TEXT NOT NULL,
            party INTEGER NOT NULL,
            PRIMARY KEY (hero, party)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE deletions (
            player TEXT NOT NULL PRIMARY KEY,
            at INTEGER NOT NULL,
            done INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// What players may repeat: a row for each request with a key, in the order of their commits.
    /// It refers to no table, so that a change needs no look-up, and goes after a day.
    private static let requests = """
        CREATE TABLE requests (
            id INTEGER PRIMARY KEY,
            player TEXT NOT NULL,
            key TEXT NOT NULL,
            at INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            UNIQUE (player, key)
        ) STRICT;
        CREATE INDEX requests_by_time ON requests (at);
        """

    /// The keys and sessions of game masters, the pause of pushes, and the log of game masters'
    /// calls, which is append-only: its rows never change, and their numbers are never reused.
    private static let gameMasters = """
        CREATE TABLE admin_keys (
            name TEXT NOT NULL PRIMARY KEY,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sessions (
            id TEXT NOT NULL PRIMARY KEY,
            key TEXT NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE push_pause (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        """

    /// What SQLite alone enforces.
    static let triggers = """
        CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
        BEGIN
            SELECT RAISE(ABORT, 'rows of the audit log never change');
        END;
        """

    /// A party and its journal. `key` is random, so that rows of one time lie apart; the journal
    /// grows at its end. `journal` references no table: that would cost a lookup per row.
    private static let parties = """
        CREATE TABLE parties (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            invite_code TEXT NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            awake INTEGER NOT NULL,
            state BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX parties_awake ON parties (key) WHERE awake = 1;

        CREATE TABLE journal (
            id INTEGER PRIMARY KEY,
            party INTEGER NOT NULL,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            UNIQUE (party, version)
        ) STRICT;

        CREATE TABLE journal_snapshots (
            party INTEGER PRIMARY KEY,
            version INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        """

    /// What transactions leave for the owners of other parties, which take it with their next writes.
    private static let inbox = """
        CREATE TABLE shard_inbox (
            shard INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            party INTEGER NOT NULL REFERENCES parties (key) ON DELETE CASCADE,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (shard, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX shard_inbox_of_party ON shard_inbox (party);
        """

    /// The heroes, and their parties.
    private static let heroes = """
        CREATE TABLE heroes (
            id TEXT NOT NULL PRIMARY KEY,
            owner TEXT NOT NULL REFERENCES players (id),
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX heroes_of_owner ON heroes (owner, id);

        CREATE TABLE memberships (
            hero TEXT NOT NULL PRIMARY KEY REFERENCES heroes (id),
            party INTEGER NOT NULL REFERENCES parties (key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX memberships_of_party ON memberships (party);
        """

    /// The Live Activities, whose each push token is, and the newest refused registrations of each
    /// party. A token has a row while its activity lives.
    private static let activities = """
        CREATE TABLE activities (
            id TEXT NOT NULL PRIMARY KEY,
            party INTEGER NOT NULL REFERENCES parties (key),
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX activities_of_party ON activities (party, id);

        CREATE TABLE activity_tokens (
            activity TEXT NOT NULL PRIMARY KEY,
            environment TEXT NOT NULL,
            token TEXT NOT NULL,
            UNIQUE (token, environment)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE refused_registrations (
            activity TEXT NOT NULL,
            party INTEGER NOT NULL,
            at INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (party, activity)
        ) STRICT, WITHOUT ROWID;
        """

    /// The devices on which the server can start a Live Activity.
    private static let startDevices = """
        CREATE TABLE start_devices (
            player TEXT NOT NULL REFERENCES players (id),
            environment TEXT NOT NULL,
            device TEXT NOT NULL,
            token TEXT,
            version INTEGER NOT NULL,
            traits BLOB NOT NULL,
            crc INTEGER NOT NULL,
            starts BLOB NOT NULL,
            starts_crc INTEGER NOT NULL,
            PRIMARY KEY (player, environment, device)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX start_devices_with_token ON start_devices (token, environment)
            WHERE token IS NOT NULL;
        """

    /// What pushes need besides the outboxes.
    private static let pushes = """
        CREATE TABLE outcomes (
            id INTEGER PRIMARY KEY,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE provider_tokens (
            team TEXT NOT NULL,
            key TEXT NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (team, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE channels (
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            party INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (environment, id)
        ) STRICT, WITHOUT ROWID;
        """
}
