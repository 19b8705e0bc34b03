/// Migrates a file of an older schema to the newest one. The rows of schema 1 to 6 are JSON; to
/// schema 7 `ActivityTokenMigration` adds a table. To schema 9 `DeviceMigration`
/// moves tokens; what else schema 9 added begins empty, and so does what schemas 10
/// to 15 added. Schema 16 counts the sums that there are.
///
/// The first transaction renames the old tables and creates the new ones; together with a raised
/// epoch it locks out an older server. Then rows move in steps: each is one transaction of bounded
/// size that takes rows from an old table, puts them into a new one, and depends on nothing but the
/// file. A stop at any point therefore loses nothing, and the next start resumes. A damaged row
/// stays damaged: it moves as it is, with a checksum that no row has.
struct Migration {
    /// About how many rows one transaction moves.
    static let rowsAtOnce = 2000
    private static let old = [
        "channels", "provider_tokens", "start_devices", "decisions", "commands", "events",
        "activities", "memberships", "parties", "heroes",
    ]

    private let database: Database

    init(_ database: Database) { self.database = database }

    /// The first schema whose rows are binary.
    private static let binary: Int64 = 7
    /// The first schema with a table of push tokens.
    private static let activityTokens: Int64 = 8
    /// The first schema with devices of players.
    private static let devices: Int64 = 9
    /// The first schema with the server's time.
    private static let clock: Int64 = 10
    /// The first schema with adventure packs.
    private static let packs: Int64 = 11
    /// The first schema with world bosses.
    private static let world: Int64 = 12
    /// The first schema with a leaderboard.
    private static let leaderboard: Int64 = 13
    /// The first schema that keeps what a widget's token has used up.
    private static let widgetRests: Int64 = 14
    /// The first schema with sessions of game masters.
    private static let sessions: Int64 = 15

    /// Returns whether the file has an older schema, or is not fully migrated.
    static func isNeeded(on database: Database) throws(SQLFailure) -> Bool {
        let version = try database.integer("PRAGMA user_version")
        if version < Schema.version { return true }
        if try hasOldTables(database) { return true }
        if try ActivityTokenMigration.isUnderWay(on: database) { return true }
        return try DeviceMigration.isUnderWay(on: database)
    }

    private static func hasOldTables(_ database: Database) throws(SQLFailure) -> Bool {
        try database.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'old_parties'") > 0
    }

    /// Takes the first step, in the caller's transaction. After it no older server finds its
    /// tables.
    func begin() throws(SQLFailure) {
        let version = try database.integer("PRAGMA user_version")
        if version < Self.binary { try renameOldTables() }
        if version < Self.activityTokens { try ActivityTokenMigration(database).begin() }
        if version < Self.devices {
            for tables in Schema.addedIn9 { try database.execute(tables) }
            try database.execute(Schema.membershipsOfParty)
            try DeviceMigration(database).begin()
        }
        if version < Self.clock {
            for tables in Schema.addedIn10 { try database.execute(tables) }
        }
        if version < Self.packs {
            for tables in Schema.addedIn11 { try database.execute(tables) }
        }
        if version < Self.world {
            for tables in Schema.addedIn12 { try database.execute(tables) }
        }
        if version < Self.leaderboard {
            for tables in Schema.addedIn13 { try database.execute(tables) }
        }
        if version < Self.widgetRests {
            for tables in Schema.addedIn14 { try database.execute(tables) }
        }
        if version < Self.sessions {
            for tables in Schema.addedIn15 { try database.execute(tables) }
        }
        if version < Schema.version {
            for tables in Schema.addedIn16 { try database.execute(tables) }
            try ResultTables(database).countStandings()
        }
        try Schema.stamp(database)
    }

    private func renameOldTables() throws(SQLFailure) {
        try OldSchema.complete(database)
        for table in Self.old {
            try database.execute("ALTER TABLE \(table) RENAME TO old_\(table)")
        }
        try database.execute("ALTER TABLE old_parties ADD COLUMN key INTEGER")
        try database.execute(Schema.tables)
    }

    enum Progress: Int64 {
        case done, goesOn
    }

    /// Returns how many parties have not moved yet; 0 when no migration is under way.
    static func partiesLeft(on database: Database) throws(SQLFailure) -> Int64 {
        guard try hasOldTables(database) else { return 0 }
        return try database.integer("SELECT count(*) FROM old_parties")
    }

    /// Takes a further step of about `rows` rows, in the caller's transaction. Returns whether more
    /// remains. After the last row the old tables are dropped.
    func step(rows: Int = rowsAtOnce) throws -> Progress {
        guard try Self.hasOldTables(database) else {
            switch try ActivityTokenMigration(database).step(rows: rows) {
            case .goesOn: return .goesOn
            case .done: return try DeviceMigration(database).step(rows: rows)
            }
        }
        var left = rows
        while left > 0 {
            let moved = try movePart(atMost: left)
            guard moved > 0 else {
                for table in Self.old { try database.execute("DROP TABLE old_\(table)") }
                return .goesOn
            }
            left -= moved
        }
        return .goesOn
    }

    /// Moves heroes before parties, and parties before what refers to them.
    private func movePart(atMost rows: Int) throws -> Int {
        for move in [
            moveHeroes, PartyMigration(database).movePart, moveMemberships, moveStartDevices,
            moveProviderTokens,
            moveChannels,
        ] {
            let moved = try move(rows)
            if moved > 0 { return moved }
        }
        return 0
    }

    // MARK: Other tables

    private func moveHeroes(atMost rows: Int) throws -> Int {
        let found = try database.rows(
            "SELECT id, owner, json, crc FROM old_heroes ORDER BY id LIMIT ?1", [.limit(rows)]
        ) { OldRow($0, table: "heroes", keyCount: 2) }
        for old in found {
            let row = old.converted(LegacyJSON.hero) { DataRow(hero: $0) }
            try database.run(
                "INSERT OR IGNORE INTO heroes (id, owner, data, crc) VALUES (?1, ?2, ?3, ?4)",
                row ?? old.damaged(keys: old.keys))
            try database.run("DELETE FROM old_heroes WHERE id = ?1", [.text(old.keys[0])])
        }
        return found.count
    }

    private func moveMemberships(atMost rows: Int) throws -> Int {
        let found = try database.rows(
            "SELECT hero, party FROM old_memberships ORDER BY hero LIMIT ?1", [.limit(rows)]
        ) { (hero: $0.text(0), party: $0.text(1)) }
        for old in found {
            try database.run(
                """
                INSERT OR IGNORE INTO memberships (hero, party)
                SELECT ?1, key FROM parties WHERE id = ?2
                """, [.text(old.hero), .text(old.party)])
            try database.run("DELETE FROM old_memberships WHERE hero = ?1", [.text(old.hero)])
        }
        return found.count
    }

    private func moveStartDevices(atMost rows: Int) throws -> Int {
        let found = try database.rows(
            """
            SELECT player, environment, device, token, json, crc, starts, starts_crc
            FROM old_start_devices ORDER BY player, environment, device LIMIT ?1
            """, [.limit(rows)], read: OldStartDevice.init)
        for old in found {
            try database.run(
                """
                INSERT OR IGNORE INTO start_devices
                    (player, environment, device, token, version, traits, crc, starts, starts_crc)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """, old.newValues)
            try database.run(
                """
                DELETE FROM old_start_devices
                WHERE player = ?1 AND environment = ?2 AND device = ?3
                """, [.text(old.player), .text(old.environment), .text(old.device)])
        }
        return found.count
    }

    private func moveProviderTokens(atMost rows: Int) throws -> Int {
        let found = try database.rows(
            "SELECT team, key, json, crc FROM old_provider_tokens ORDER BY team, key LIMIT ?1",
            [.limit(rows)]
        ) { OldRow($0, table: "provider_tokens", keyCount: 2) }
        for old in found {
            let row = old.converted(LegacyJSON.providerToken) { DataRow(providerToken: $0) }
            try database.run(
                """
                INSERT OR IGNORE INTO provider_tokens (team, key, data, crc)
                VALUES (?1, ?2, ?3, ?4)
                """, row ?? old.damaged(keys: old.keys))
            try database.run(
                "DELETE FROM old_provider_tokens WHERE team = ?1 AND key = ?2",
                [.text(old.keys[0]), .text(old.keys[1])])
        }
        return found.count
    }

    private func moveChannels(atMost rows: Int) throws -> Int {
        let found = try database.rows(
            """
            SELECT environment, id, party, json, crc FROM old_channels
            ORDER BY environment, id LIMIT ?1
            """, [.limit(rows)]
        ) { OldRow($0, table: "channels", keyCount: 3) }
        for old in found {
            let party = try database.partyKey(of: old.keys[2]) ?? 0
            let row = old.converted(LegacyJSON.channel) { DataRow(channel: $0, party: party) }
            try database.run(
                """
                INSERT OR IGNORE INTO channels (environment, id, party, data, crc)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """, row ?? old.damaged(keys: Array(old.keys.prefix(2)), numbers: [party]))
            try database.run(
                "DELETE FROM old_channels WHERE environment = ?1 AND id = ?2",
                [.text(old.keys[0]), .text(old.keys[1])])
        }
        return found.count
    }
}
