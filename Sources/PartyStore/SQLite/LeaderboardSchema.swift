extension Schema {
    /// Results, the sums that boards read, who has met whom, and the best parties. A bucket counts
    /// the heroes whose sums are near each other, and `standing_counts` those with one sum: there
    /// are no more rows than sums that heroes can reach, so that a rank costs the same however many
    /// heroes there are.
    static let leaderboard = """
        CREATE TABLE results (
            season INTEGER NOT NULL,
            hero TEXT NOT NULL,
            day INTEGER NOT NULL,
            pack TEXT NOT NULL,
            party INTEGER NOT NULL,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL,
            points INTEGER NOT NULL CHECK (points > 0),
            PRIMARY KEY (season, hero, day, pack, party, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE standings (
            id INTEGER PRIMARY KEY,
            season INTEGER NOT NULL,
            hero TEXT NOT NULL,
            points INTEGER NOT NULL CHECK (points > 0),
            reached_at INTEGER NOT NULL,
            UNIQUE (season, hero)
        ) STRICT;
        CREATE INDEX standings_in_order ON standings (season, points DESC, reached_at, hero);

        CREATE TABLE standing_buckets (
            season INTEGER NOT NULL,
            bucket INTEGER NOT NULL,
            heroes INTEGER NOT NULL CHECK (heroes >= 0),
            PRIMARY KEY (season, bucket)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE standing_counts (
            season INTEGER NOT NULL,
            points INTEGER NOT NULL,
            heroes INTEGER NOT NULL CHECK (heroes >= 0),
            PRIMARY KEY (season, points)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE companions (
            player TEXT NOT NULL,
            other TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (player, other)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX companions_of_player ON companions (player, at DESC, other);
        CREATE INDEX companions_by_time ON companions (at);

        CREATE TABLE party_records (
            season INTEGER NOT NULL,
            week INTEGER NOT NULL,
            pack TEXT NOT NULL,
            points INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (season, week, pack)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE party_record_heroes (
            season INTEGER NOT NULL,
            week INTEGER NOT NULL,
            pack TEXT NOT NULL,
            place INTEGER NOT NULL,
            hero TEXT NOT NULL,
            PRIMARY KEY (season, week, pack, place)
        ) STRICT, WITHOUT ROWID;
        """

    /// The widgets, and the pushes that count for their limits, by push token and by device: a
    /// widget that is removed and put again has the limits that it had. A row of those is kept for a day.
    static let widgets = """
        CREATE TABLE widgets (
            player TEXT NOT NULL,
            device TEXT NOT NULL,
            environment TEXT NOT NULL,
            token TEXT NOT NULL,
            put_at INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            resting_until INTEGER NOT NULL,
            season INTEGER,
            rank INTEGER,
            sent_at INTEGER,
            sent_of_day INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            refusals INTEGER NOT NULL,
            PRIMARY KEY (player, device),
            UNIQUE (token, environment)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX widgets_due ON widgets (due_at);

        CREATE TABLE widget_rests (
            owner TEXT NOT NULL,
            name TEXT NOT NULL,
            sent_at INTEGER NOT NULL,
            sent_of_day INTEGER NOT NULL,
            PRIMARY KEY (owner, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX widget_rests_by_time ON widget_rests (sent_at);
        """
}
