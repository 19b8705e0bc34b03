internal import PushPolicy

extension Schema {
    /// The channels on which followers of world bosses get the pool.
    static let worldChannels = """
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

/// The channels of world bosses, in SQL. Writes run in the caller's transaction.
struct WorldChannelTable {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func all(in environment: PushEnvironment) throws(SQLiteFailure) -> [WorldChannel] {
        try database.rows(
            """
            SELECT id, event, round, language, created_at, percent, told_at, timestamp,
                over_since
            FROM world_channels WHERE environment = ?1 ORDER BY event, round, language
            """, [.text(environment.rawValue)]
        ) { row in
            WorldChannel(
                id: ChannelName(row.text(0)), environment: environment,
                event: Int(row.integer(1)), round: Int(row.integer(2)),
                language: Language(rawValue: row.text(3)) ?? .english,
                createdAt: WallTime(milliseconds: row.integer(4)),
                told: row.optionalInteger(5).map {
                    WorldChannel.Told(
                        percent: Int($0), at: WallTime(milliseconds: row.integer(6)),
                        timestamp: row.integer(7))
                }, overSince: row.optionalInteger(8).map(WallTime.init(milliseconds:)))
        }
    }

    func save(_ channel: WorldChannel) throws(SQLiteFailure) {
        try database.run(
            """
            INSERT OR REPLACE INTO world_channels
                (environment, id, event, round, language, created_at, percent, told_at, timestamp,
                 over_since)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            [
                .text(channel.environment.rawValue), .text(channel.id.rawValue),
                .limit(channel.event), .limit(channel.round), .text(channel.language.rawValue),
                .integer(channel.createdAt.milliseconds),
                channel.told.map { .limit($0.percent) } ?? .null,
                channel.told.map { .integer($0.at.milliseconds) } ?? .null,
                channel.told.map { .integer($0.timestamp) } ?? .null,
                channel.overSince.map { .integer($0.milliseconds) } ?? .null,
            ])
    }

    func forget(_ channel: ChannelName, in environment: PushEnvironment) throws(SQLiteFailure) {
        try database.run(
            "DELETE FROM world_channels WHERE environment = ?1 AND id = ?2",
            [.text(environment.rawValue), .text(channel.rawValue)])
    }
}
