internal import GameLogic
internal import PushPolicy

/// Migrates parties with their activities and logs: first the journal's rows, then the party's
/// row, then the old rows are deleted. The new row thus means that everything is there.
struct PartyMigration {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Moves a part of the first remaining party. Returns how many rows it took.
    func movePart(atMost rows: Int) throws -> Int {
        let old = try database.row(
            """
            SELECT id, version, party, began_at, speed, invite_code, created_at, next_due_at,
                outbox, crc, outbox_crc, key
            FROM old_parties ORDER BY id LIMIT 1
            """, read: OldParty.init)
        guard let old else { return 0 }
        if try database.partyKey(of: old.id) != nil { return try deleteOld(old.id, atMost: rows) }
        let key = try old.key ?? drawKey(for: old.id)
        let activities = try oldActivities(of: old.id)
        let stored = old.stored(key: key, activities)
        let written = try database.integer(
            "SELECT count(*) FROM journal WHERE party = ?1", [.integer(key)])
        let journal = try oldLogs(of: old.id).rows(of: key, stored).dropFirst(Int(written))
        for row in journal.prefix(rows) { try database.append(row) }
        guard journal.count < rows else { return rows }
        try write(old, stored, key: key)
        for activity in activities { try write(activity, party: key) }
        return journal.count + activities.count + 1
    }

    /// Returns the key of the party's rows, the same when the migration resumes.
    private func drawKey(for party: String) throws(SQLFailure) -> Int64 {
        let key = PartyKey.random().number
        try database.run(
            "UPDATE old_parties SET key = ?2 WHERE id = ?1", [.text(party), .integer(key)])
        return key
    }

    /// Writes the new row. A damaged party keeps its id, and its text as it was.
    private func write(_ old: OldParty, _ stored: StoredParty?, key: Int64) throws {
        let values = stored.map { PartyRow($0, awake: old.awake).values }
        try database.run(
            """
            INSERT INTO parties (key, id, invite_code, version, awake, state, crc)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """, values ?? old.damagedValues(key: key))
    }

    private func write(_ activity: OldRow, party: Int64) throws {
        let row = activity.converted(LegacyJSON.registration) {
            DataRow(activity: $0, party: party)
        }
        let damaged = activity.damaged(keys: [activity.keys[0]], numbers: [party])
        try database.run(
            "INSERT OR IGNORE INTO activities (id, party, data, crc) VALUES (?1, ?2, ?3, ?4)",
            row ?? damaged)
    }

    // MARK: Old rows

    private func oldActivities(of party: String) throws(SQLFailure) -> [OldRow] {
        try database.rows(
            "SELECT id, party, json, crc FROM old_activities WHERE party = ?1 ORDER BY id",
            [.text(party)]
        ) { OldRow($0, table: "activities", keyCount: 2) }
    }

    private func oldLogs(of party: String) throws(SQLFailure) -> OldLogs {
        OldLogs(
            events: try database.rows(
                """
                SELECT party, sequence, at, json, crc FROM old_events WHERE party = ?1
                ORDER BY sequence
                """, [.text(party)]
            ) { OldRow($0, table: "events", keyCount: 1, numberCount: 2) },
            commands: try database.rows(
                """
                SELECT party, version, json, crc FROM old_commands WHERE party = ?1
                ORDER BY version
                """, [.text(party)]
            ) { OldRow($0, table: "commands", keyCount: 1, numberCount: 1) },
            decisions: try database.rows(
                """
                SELECT party, activity, sequence, at, json, crc FROM old_decisions
                WHERE party = ?1 ORDER BY sequence, activity
                """, [.text(party)]
            ) { OldRow($0, table: "decisions", keyCount: 2, numberCount: 2) })
    }

    /// Deletes rows of a migrated party, its own row last.
    private func deleteOld(_ party: String, atMost rows: Int) throws(SQLFailure) -> Int {
        let values: [SQLValue] = [.text(party), .limit(rows)]
        let deletions: [StaticString] = [
            """
            DELETE FROM old_decisions WHERE party = ?1 AND sequence IN (
                SELECT sequence FROM old_decisions WHERE party = ?1 ORDER BY sequence LIMIT ?2)
            """,
            """
            DELETE FROM old_events WHERE party = ?1 AND sequence IN (
                SELECT sequence FROM old_events WHERE party = ?1 ORDER BY sequence LIMIT ?2)
            """,
            """
            DELETE FROM old_commands WHERE party = ?1 AND version IN (
                SELECT version FROM old_commands WHERE party = ?1 ORDER BY version LIMIT ?2)
            """,
            """
            DELETE FROM old_activities WHERE id IN (
                SELECT id FROM old_activities WHERE party = ?1 LIMIT ?2)
            """,
        ]
        for deletion in deletions {
            let deleted = try database.run(deletion, values)
            if deleted > 0 { return deleted }
        }
        return try database.run("DELETE FROM old_parties WHERE id = ?1", [.text(party)])
    }
}

extension Database {
    fileprivate func append(_ row: OldLogs.Row) throws(SQLFailure) {
        try run(
            "INSERT INTO journal (party, version, at, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)",
            row.isDamaged ? row.row.damagedValues : row.row.values)
    }
}
