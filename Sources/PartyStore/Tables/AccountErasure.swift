internal import ByteCoding
internal import GameLogic
internal import PushPolicy

/// Erases the account of a player, in SQL. All methods run in the writer's transaction, except
/// `parties(of:)` and `unfinished()`.
///
/// An account is erased in steps, each of which may be repeated. The first one ends its tokens and
/// notes the player in `deletions`. Then each party that has ever seen one of the player's heroes
/// lets them go and erases their names. The last step deletes the rows of heroes and player; only
/// the id stays, so that no request that is still under way brings the player back.
struct AccountErasure {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    /// Notes that the account is to be erased, and ends every way into it.
    func begin(_ player: PlayerID, at time: WallTime) throws -> AccountOutcome {
        let id = SQLValue.text(player.rawValue)
        var outcome = AccountOutcome(player: player)
        let accounts = AccountTable(database)
        outcome.endedTokens = try accounts.endTokens(of: player)
        try database.run("DELETE FROM requests WHERE player = ?1", [id])
        try accounts.removeRecoveryCode(of: player, at: time)
        try database.run(
            """
            INSERT INTO deletions (player, at, done) VALUES (?1, ?2, 0) ON CONFLICT DO NOTHING
            """,
            [id, .integer(time.milliseconds)])
        return outcome
    }

    /// Deletes what is left. Refused while a hero is in a party.
    func finish(_ player: PlayerID) throws -> AccountOutcome {
        let id = SQLValue.text(player.rawValue)
        guard try database.memberships(of: player.rawValue).isEmpty else {
            throw StoreError.unavailable("a hero of player \(player) is still in a party")
        }
        try database.run(
            "DELETE FROM visits WHERE hero IN (SELECT id FROM heroes WHERE owner = ?1)", [id])
        try ResultTables(database).erase(player.rawValue)
        try database.run("DELETE FROM heroes WHERE owner = ?1", [id])
        try database.run("DELETE FROM start_devices WHERE player = ?1", [id])
        try database.run("DELETE FROM players WHERE id = ?1", [id])
        try database.run("UPDATE deletions SET done = 1 WHERE player = ?1", [id])
        return AccountOutcome(player: player)
    }

    /// Refuses what a request that began before the account's deletion, or before the removal of an
    /// unused one, would add.
    func requireAccount(of player: PlayerID) throws {
        let id = SQLValue.text(player.rawValue)
        let isDeleted = try database.row("SELECT done FROM deletions WHERE player = ?1", [id]) {
            $0.integer(0)
        }
        guard isDeleted == nil else { throw StoreError.account(.unknownDevice) }
        let isKnown = try database.row("SELECT 1 FROM players WHERE id = ?1", [id]) { _ in true }
        guard isKnown != nil else { throw StoreError.account(.unknownDevice) }
    }

    /// Returns the players whose accounts are still to be erased.
    func unfinished() throws(SQLFailure) -> [PlayerID] {
        try database.rows("SELECT player FROM deletions WHERE done = 0 ORDER BY player") {
            PlayerID($0.text(0))
        }
    }

    /// Whether no names in the party's rows are still to be erased.
    func isComplete(in party: Int64) throws(SQLFailure) -> Bool {
        let unfinished = try database.row(
            """
            SELECT 1 FROM deletions JOIN heroes ON heroes.owner = deletions.player
            JOIN visits ON visits.hero = heroes.id AND visits.party = ?1
            WHERE deletions.done = 0 LIMIT 1
            """, [.integer(party)]
        ) { _ in true }
        return unfinished == nil
    }

    /// Returns the parties whose rows may have the name of one of the player's heroes.
    func parties(of player: PlayerID) throws(SQLFailure) -> [PartyID] {
        try database.rows(
            """
            SELECT DISTINCT parties.id FROM heroes
            JOIN visits ON visits.hero = heroes.id
            JOIN parties ON parties.key = visits.party
            WHERE heroes.owner = ?1 ORDER BY parties.id
            """, [.text(player.rawValue)]
        ) { PartyID($0.text(0)) }
    }

    /// Erases heroes in a party's journal and snapshot, in the transaction that erases them in its
    /// row, so that replay stays exact. A damaged row stays as it is.
    func erase(_ heroes: Set<HeroID>, inJournalOf party: Int64) throws {
        let journal = PartyJournal(of: party, in: database)
        var rows: [JournalRow] = []
        try journal.scanRows(from: .min) { row in
            if let erased = try? row.decode(packs: database.packs).erasing(heroes) {
                rows.append(row.with(erased))
            }
            return .goOn
        }
        for row in rows {
            try database.run(
                """
                UPDATE journal SET at = ?3, data = ?4, crc = ?5 WHERE party = ?1 AND version = ?2
                """, row.values)
        }
        for hero in heroes {
            try database.run(
                "DELETE FROM visits WHERE hero = ?1 AND party = ?2",
                [.text(hero.rawValue), .integer(party)])
        }
        guard var folded = try? journal.snapshot() else { return }
        folded.party.erase(heroes)
        try database.run(
            "UPDATE journal_snapshots SET data = ?3, crc = ?4 WHERE party = ?1 AND version = ?2",
            DataRow(snapshot: folded, party: party).values)
    }
}

extension JournalEntry {
    /// Returns the entry without the names of these heroes; `nil`: it has none of them.
    fileprivate func erasing(_ heroes: Set<HeroID>) -> JournalEntry? {
        var erased = self
        erased.events = events.map { $0.erasing(heroes) }
        erased.command = command.map {
            LoggedCommand(command: $0.command.erasing(heroes), time: $0.time)
        }
        return erased == self ? nil : erased
    }
}

extension JournalRow {
    fileprivate func with(_ entry: JournalEntry) -> JournalRow {
        var bytes = ByteWriter()
        JournalEntry.write(entry, to: &bytes)
        return JournalRow(party: party, version: version, at: at, data: bytes.bytes)
    }
}
