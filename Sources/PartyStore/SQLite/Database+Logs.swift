/// Events, commands and the ledger, in SQL.
extension Database {
    func events(of party: String, after: Int, limit: Int) throws(SQLiteFailure) -> [JSONRow] {
        let sql = """
            SELECT party, sequence, at, json, crc FROM events
            WHERE party = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3
            """
        let values: [SQLiteValue] = [
            .text(party), .integer(Int64(after)), .integer(Int64(limit)),
        ]
        return try rows(sql, values) {
            JSONRow($0, table: "events", keyCount: 1, numberCount: 2)
        }
    }

    func commands(of party: String) throws(SQLiteFailure) -> [JSONRow] {
        try rows(
            "SELECT party, version, json, crc FROM commands WHERE party = ?1 ORDER BY version",
            [.text(party)]
        ) { JSONRow($0, table: "commands", keyCount: 1, numberCount: 1) }
    }

    /// A page does not end within an event: the caller goes on after the last sequence.
    func decisions(of party: String, after: Int, limit: Int) throws(SQLiteFailure) -> [JSONRow] {
        let sql = """
            SELECT party, activity, sequence, at, json, crc FROM decisions
            WHERE party = ?1 AND sequence > ?2 AND sequence <= ifnull(
                (SELECT sequence FROM decisions WHERE party = ?1 AND sequence > ?2
                ORDER BY sequence, activity LIMIT 1 OFFSET ?3), 9223372036854775807)
            ORDER BY sequence, activity
            """
        let values: [SQLiteValue] = [
            .text(party), .integer(Int64(after)), .integer(Int64(max(limit, 1) - 1)),
        ]
        return try rows(sql, values) {
            JSONRow($0, table: "decisions", keyCount: 2, numberCount: 2)
        }
    }

    func append(event: JSONRow) throws(SQLiteFailure) {
        try run(
            "INSERT INTO events (party, sequence, at, json, crc) VALUES (?1, ?2, ?3, ?4, ?5)",
            event.values)
    }

    func append(command: JSONRow) throws(SQLiteFailure) {
        try run(
            "INSERT INTO commands (party, version, json, crc) VALUES (?1, ?2, ?3, ?4)",
            command.values)
    }

    /// What is decided again of an event and activity replaces what was decided before.
    func append(decision: JSONRow) throws(SQLiteFailure) {
        let sql = """
            INSERT INTO decisions (party, activity, sequence, at, json, crc)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (party, sequence, activity) DO UPDATE
            SET at = excluded.at, json = excluded.json, crc = excluded.crc
            """
        try run(sql, decision.values)
    }
}
