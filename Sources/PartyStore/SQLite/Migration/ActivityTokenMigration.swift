internal import GameLogic
internal import PushPolicy

/// Fills the table of push tokens in a file of schema 7 or older, from its activities.
///
/// `activity_tokens_after` has the id of the last activity that was read. The table exists only
/// during the migration, so a stop at any point loses nothing, and the next start resumes.
struct ActivityTokenMigration {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Takes the first step, in the caller's transaction.
    func begin() throws(SQLFailure) {
        try database.execute(Schema.activityTokens)
        try database.execute(
            """
            CREATE TABLE activity_tokens_after (id TEXT NOT NULL) STRICT;
            INSERT INTO activity_tokens_after (id) VALUES ('');
            """)
    }

    /// Whether the table is not yet filled.
    static func isUnderWay(on database: Database) throws(SQLFailure) -> Bool {
        try database.integer(
            """
            SELECT count(*) FROM sqlite_schema
            WHERE type = 'table' AND name = 'activity_tokens_after'
            """) > 0
    }

    /// Reads a further part of the activities, in the caller's transaction. A damaged row has no
    /// token to claim.
    func step(rows: Int) throws -> Migration.Progress {
        guard try Self.isUnderWay(on: database) else { return .done }
        let found = try database.rows(
            """
            SELECT id, party, data, crc FROM activities
            WHERE id > (SELECT id FROM activity_tokens_after) ORDER BY id LIMIT ?1
            """, [.limit(rows)]
        ) { DataRow($0, table: DataRow.activities, keyCount: 1, numberCount: 1) }
        guard let last = found.last else {
            try database.execute("DROP TABLE activity_tokens_after")
            return .done
        }
        let table = ActivityTokenTable(database)
        for row in found {
            guard let activity = try? row.decode(RegistrationFormat.read) else { continue }
            try table.migrate(ActivityTokenClaim(activity))
        }
        try database.run("UPDATE activity_tokens_after SET id = ?1", [.text(last.keys[0])])
        return .goesOn
    }
}
