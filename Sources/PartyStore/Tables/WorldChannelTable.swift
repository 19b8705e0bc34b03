internal import PushPolicy

/// The channels of world bosses, in SQL. Writes run in the caller's transaction.
struct WorldChannelTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func all(in environment: PushEnvironment) throws(SQLFailure) -> [WorldChannel] {
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

    func save(_ channel: WorldChannel) throws(SQLFailure) {
        try database.run(
            """
            INSERT INTO world_channels
                (environment, id, event, round, language, created_at, percent, told_at, timestamp,
                 over_since)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (environment, id) DO UPDATE SET event = excluded.event,
                round = excluded.round, language = excluded.language,
                created_at = excluded.created_at, percent = excluded.percent,
                told_at = excluded.told_at, timestamp = excluded.timestamp,
                over_since = excluded.over_since
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

    func forget(_ channel: ChannelName, in environment: PushEnvironment) throws(SQLFailure) {
        try database.run(
            "DELETE FROM world_channels WHERE environment = ?1 AND id = ?2",
            [.text(environment.rawValue), .text(channel.rawValue)])
    }
}
