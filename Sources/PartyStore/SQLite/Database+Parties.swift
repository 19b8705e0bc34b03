/// Parties as they are read, in SQL.
extension Database {
    func party(_ id: String) throws(SQLiteFailure) -> PartyRow? {
        try row(
            "SELECT \(PartyRow.columns) FROM parties WHERE id = ?1", [.text(id)],
            read: PartyRow.init)
    }

    func partyID(inviteCode: String) throws(SQLiteFailure) -> String? {
        try row("SELECT id FROM parties WHERE invite_code = ?1", [.text(inviteCode)]) {
            $0.text(0)
        }
    }

    func partyID(ofHero hero: String) throws(SQLiteFailure) -> String? {
        try row("SELECT party FROM memberships WHERE hero = ?1", [.text(hero)]) { $0.text(0) }
    }

    func parties(after id: String, limit: Int) throws(SQLiteFailure) -> [PartyRow] {
        try rows(
            "SELECT \(PartyRow.columns) FROM parties WHERE id > ?1 ORDER BY id LIMIT ?2",
            [.text(id), .integer(Int64(limit))], read: PartyRow.init)
    }

    /// Who is due at a time or before, with the time; the longest overdue first.
    func partiesDue(
        at time: Int64, limit: Int
    ) throws(SQLiteFailure) -> [(id: String, at: Int64)] {
        let sql = """
            SELECT id, next_due_at FROM parties
            WHERE next_due_at IS NOT NULL AND next_due_at <= ?1
            ORDER BY next_due_at LIMIT ?2
            """
        return try rows(sql, [.integer(time), .integer(Int64(limit))]) {
            ($0.text(0), $0.integer(1))
        }
    }

    func activities(of party: String) throws(SQLiteFailure) -> [JSONRow] {
        try rows(
            "SELECT id, party, json, crc FROM activities WHERE party = ?1 ORDER BY id",
            [.text(party)]
        ) { JSONRow($0, table: "activities", keyCount: 2) }
    }

    func activity(_ id: String) throws(SQLiteFailure) -> JSONRow? {
        try row("SELECT id, party, json, crc FROM activities WHERE id = ?1", [.text(id)]) {
            JSONRow($0, table: "activities", keyCount: 2)
        }
    }
}
