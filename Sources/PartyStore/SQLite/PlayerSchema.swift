extension Schema {
    /// What ended Live Activities have left of a phone's budget to the next one. The device is empty
    /// if the app has named none.
    static let phones = """
        CREATE TABLE phones (
            player TEXT NOT NULL REFERENCES players (id) ON DELETE CASCADE,
            device TEXT NOT NULL,
            at INTEGER NOT NULL,
            version INTEGER NOT NULL,
            data BLOB NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (player, device)
        ) STRICT, WITHOUT ROWID;
        """

    /// Blocks, reports, names and parties left alone.
    static let conduct = """
        CREATE TABLE blocks (
            player TEXT NOT NULL REFERENCES players (id) ON DELETE CASCADE,
            blocked TEXT NOT NULL REFERENCES players (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            PRIMARY KEY (player, blocked)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX blocks_of_blocked ON blocks (blocked);

        CREATE TABLE name_reports (
            hero TEXT NOT NULL REFERENCES heroes (id) ON DELETE CASCADE,
            reporter TEXT NOT NULL REFERENCES players (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            settled INTEGER NOT NULL,
            PRIMARY KEY (hero, reporter)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX name_reports_of_reporter ON name_reports (reporter);
        CREATE INDEX name_reports_at ON name_reports (at);

        CREATE TABLE replaced_names (
            hero TEXT NOT NULL PRIMARY KEY REFERENCES heroes (id) ON DELETE CASCADE,
            shown TEXT NOT NULL,
            reason INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE banned_names (
            folded TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE quiet_parties (
            party INTEGER PRIMARY KEY,
            idle INTEGER NOT NULL,
            unseen INTEGER NOT NULL
        ) STRICT;
        """

    /// The events of world bosses, the shifts that run, how many shifts heroes have begun, and who
    /// gets a reward; and the channels on which followers of world bosses get the pool. A shift's
    /// stage: 4 before anything was told.
    static let world = """
        CREATE TABLE world_events (
            number INTEGER PRIMARY KEY,
            pack TEXT NOT NULL,
            pool INTEGER NOT NULL CHECK (pool > 0),
            remaining INTEGER NOT NULL CHECK (remaining BETWEEN 0 AND pool),
            starts_at INTEGER NOT NULL,
            rounds INTEGER NOT NULL,
            round_seconds INTEGER NOT NULL,
            break_seconds INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            status INTEGER NOT NULL,
            round INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE world_shifts (
            party INTEGER PRIMARY KEY,
            event INTEGER NOT NULL,
            round INTEGER NOT NULL,
            stage INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX world_shifts_of_event ON world_shifts (event, party);

        CREATE TABLE world_heroes (
            event INTEGER NOT NULL,
            hero TEXT NOT NULL,
            round INTEGER NOT NULL,
            shifts INTEGER NOT NULL,
            PRIMARY KEY (event, hero, round)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE world_rewards (
            event INTEGER NOT NULL,
            hero TEXT NOT NULL,
            given INTEGER NOT NULL,
            PRIMARY KEY (event, hero)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX world_rewards_open ON world_rewards (event, hero) WHERE given = 0;

        CREATE TABLE world_channels (
            environment TEXT NOT NULL,
            id TEXT NOT NULL,
            event INTEGER NOT NULL,
            round INTEGER NOT NULL,
            language TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            percent INTEGER,
            told_at INTEGER,
            timestamp INTEGER,
            over_since INTEGER,
            PRIMARY KEY (environment, id)
        ) STRICT, WITHOUT ROWID;
        """
}
