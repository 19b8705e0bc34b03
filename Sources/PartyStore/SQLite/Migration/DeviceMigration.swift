internal import GameLogic
internal import PushPolicy

/// Brings accounts to schema 9. Notes the parties that heroes are in, and moves the tokens of players, of whom each had one in a file of schema 8 or older, to the table
/// of devices: each becomes that of a device without a name.
///
/// `devices_after` has the id of the last player. The table exists only during the migration, so a
/// stop at any point loses nothing, and the next start resumes.
struct DeviceMigration {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Takes the first step, in the caller's transaction: the column with the hash of the token
    /// becomes that with the hash of the recovery code.
    func begin() throws(SQLFailure) {
        try database.execute(
            """
            ALTER TABLE players RENAME COLUMN token_hash TO recovery_hash;
            CREATE TABLE devices_after (id TEXT NOT NULL) STRICT;
            INSERT INTO devices_after (id) VALUES ('');
            """)
    }

    /// Whether tokens are left to move.
    static func isUnderWay(on database: Database) throws(SQLFailure) -> Bool {
        try database.integer(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'devices_after'")
            > 0
    }

    /// Moves a further part, in the caller's transaction. A damaged player stays damaged, and has
    /// no token.
    func step(rows: Int) throws -> Migration.Progress {
        guard try Self.isUnderWay(on: database) else { return .done }
        let found = try database.rows(
            """
            SELECT id, recovery_hash, created_at, crc FROM players
            WHERE id > (SELECT id FROM devices_after) ORDER BY id LIMIT ?1
            """, [.limit(rows)], read: PlayerRow.init)
        guard let last = found.last else {
            try database.execute(
                """
                INSERT OR IGNORE INTO visits (hero, party) SELECT hero, party FROM memberships;
                DROP TABLE devices_after;
                """)
            return .done
        }
        for row in found where (try? row.check()) != nil {
            let device = DeviceRecord(
                key: DeviceRecord.Key(player: PlayerID(row.id), device: .unnamed),
                tokenHash: row.recoveryHash, createdAt: WallTime(milliseconds: row.createdAt))
            try database.run(
                """
                INSERT INTO devices (player, device, token_hash, next_token_hash, created_at, crc)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """, DeviceRow(device).values)
            try database.run(
                "UPDATE players SET recovery_hash = ?2, created_at = ?3, crc = ?4 WHERE id = ?1",
                PlayerRow(id: row.id, createdAt: row.createdAt).values)
        }
        try database.run("UPDATE devices_after SET id = ?1", [.text(last.id)])
        return .goesOn
    }
}
