internal import GameLogic
internal import PushPolicy

/// Accounts of players whose heroes were never in a party, in SQL. No party has a name of theirs, so
/// one goes at once, in one transaction.
struct UnusedAccounts {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// Returns the next players, and who of them is unused.
    func page(
        registeredBefore time: WallTime, after id: String, limit: Int
    ) throws(SQLFailure) -> [(player: PlayerID, isUnused: Bool)] {
        try database.rows(
            """
            SELECT id, CASE WHEN created_at < ?1 AND NOT EXISTS (
                SELECT 1 FROM heroes JOIN visits ON visits.hero = heroes.id
                WHERE heroes.owner = players.id) THEN 1 ELSE 0 END
            FROM players WHERE id > ?2 ORDER BY id LIMIT ?3
            """, [.integer(time.milliseconds), .text(id), .limit(limit)]
        ) { (PlayerID($0.text(0)), $0.integer(1) != 0) }
    }

    /// Removes an account if it is unused, in the caller's transaction. Returns the hashes of its
    /// tokens; `nil`: it is kept.
    func remove(
        _ player: PlayerID, registeredBefore time: WallTime
    ) throws -> [[UInt8]]? {
        let id = SQLValue.text(player.rawValue)
        let unused = try database.integer(
            """
            SELECT count(*) FROM players WHERE id = ?1 AND created_at < ?2 AND NOT EXISTS (
                SELECT 1 FROM heroes JOIN visits ON visits.hero = heroes.id
                WHERE heroes.owner = ?1)
            """, [id, .integer(time.milliseconds)])
        // A damaged row stays, whatever its time. So do heroes who have been away: an operator may
        // have removed their party.
        guard unused > 0, (try? AccountTable(database).player(player)) != nil,
            try database.heroes(of: player.rawValue).allSatisfy(hasStayed)
        else { return nil }
        let tokens = try AccountTable(database).endTokens(of: player)
        let deletions: [StaticString] = [
            "DELETE FROM requests WHERE player = ?1", "DELETE FROM heroes WHERE owner = ?1",
            "DELETE FROM players WHERE id = ?1",
        ]
        for deletion in deletions { try database.run(deletion, [id]) }
        return tokens
    }

    private func hasStayed(_ row: DataRow) -> Bool {
        guard let hero = try? row.decode(HeroFormat.read) else { return false }
        return hero.home.since == nil && hero.exp == 0
    }
}
