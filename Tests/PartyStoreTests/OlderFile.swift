import GameLogic
import PushPolicy

@testable import PartyStore

/// Files of older schemas, made from new ones.
enum OlderFile {
    /// Turns a file into one of schema 8: each player has the token of a device.
    static func makeSchema8(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try database.execute("PRAGMA foreign_keys = OFF")
        let devices = try database.decoded(
            "SELECT player, device, token_hash, next_token_hash, created_at, crc FROM devices"
        ) { try DeviceRow($0).record() }
        for device in devices {
            let row = PlayerRow(
                id: device.key.player.rawValue, recoveryHash: device.tokenHash,
                createdAt: device.createdAt.milliseconds)
            try database.run(
                "UPDATE players SET recovery_hash = ?2, created_at = ?3, crc = ?4 WHERE id = ?1",
                row.values)
        }
        try drop(Schema.addedIn9 + Schema.addedIn10 + newest, from: database)
        try database.execute(
            """
            ALTER TABLE players RENAME COLUMN recovery_hash TO token_hash;
            PRAGMA user_version = 8;
            """)
    }

    /// Turns a file into one of schema 9: it does not know the server's time.
    static func makeSchema9(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(Schema.addedIn10 + newest, from: database)
        try database.execute("PRAGMA user_version = 9")
    }

    /// Turns a file into one of schema 10: it has no packs.
    static func makeSchema10(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(newest, from: database)
        try database.execute("PRAGMA user_version = 10")
    }

    /// Turns a file into one of schema 11: it has no world bosses.
    static func makeSchema11(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(Schema.addedIn12 + Schema.addedIn13 + latest, from: database)
        try database.execute("PRAGMA user_version = 11")
    }

    /// Turns a file into one of schema 12: it has no leaderboard.
    static func makeSchema12(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(Schema.addedIn13 + latest, from: database)
        try database.execute("PRAGMA user_version = 12")
    }

    /// Turns a file into one of schema 13: a widget's limits go with its row.
    static func makeSchema13(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(latest, from: database)
        try database.execute("PRAGMA user_version = 13")
    }

    /// Turns a file into one of schema 14: nobody can sign in to its console.
    static func makeSchema14(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(Schema.addedIn15 + Schema.addedIn16, from: database)
        try database.execute("PRAGMA user_version = 14")
    }

    /// Turns a file into one of schema 15: it counts heroes by buckets of sums only.
    static func makeSchema15(_ file: String) throws {
        let database = try Database(path: file, access: .readWrite)
        try drop(Schema.addedIn16, from: database)
        try database.execute("PRAGMA user_version = 15")
    }

    /// What came after the server's time.
    private static let newest =
        Schema.addedIn11 + Schema.addedIn12 + Schema.addedIn13 + latest

    /// What came after the leaderboard.
    private static let latest = Schema.addedIn14 + Schema.addedIn15 + Schema.addedIn16

    private static func drop(_ added: [String], from database: Database) throws {
        for tables in added {
            for table in tables.matches(of: #/CREATE TABLE (\w+)/#) {
                try database.execute("DROP TABLE \(table.output.1)")
            }
        }
    }
}
