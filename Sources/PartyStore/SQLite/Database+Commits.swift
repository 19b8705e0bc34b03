internal import GameLogic

/// A party's writes, in SQL. Each statement on a party's row carries the fence in itself: the
/// version must be one lower, the epoch the newest.
extension Database {
    /// Writes all of the commit. The caller undoes it when this throws.
    func write(_ commit: PreparedCommit, epoch: Int64) throws {
        try writeParty(commit.party, epoch: epoch)
        for hero in commit.left { try leave(hero, party: commit.party.id) }
        for hero in commit.joined { try join(hero, party: commit.party.id) }
        for event in commit.events { try append(event: event) }
        if let command = commit.command { try append(command: command) }
        for decision in commit.decisions { try append(decision: decision) }
        for hero in commit.changedHeroes {
            try run(
                "UPDATE heroes SET owner = ?2, json = ?3, crc = ?4 WHERE id = ?1", hero.values)
        }
        for id in commit.removedActivities {
            try run("DELETE FROM activities WHERE id = ?1", [.text(id)])
        }
        for activity in commit.activities { try put(activity: activity) }
        for device in commit.startDevices { try write(starts: device) }
        for channel in commit.channels { try put(channel: channel) }
    }

    private func writeParty(_ row: PartyRow, epoch: Int64) throws {
        let changed = try row.version == 1 ? insert(row, epoch: epoch) : update(row, epoch: epoch)
        guard changed == 0 else { return }
        guard try self.epoch() == epoch else { throw StoreError.notTheOwner }
        throw StoreError.staleVersion(PartyID(row.id))
    }

    private func insert(_ row: PartyRow, epoch: Int64) throws -> Int {
        let sql = """
            INSERT INTO parties (\(PartyRow.columns))
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
            WHERE (SELECT epoch FROM ownership WHERE id = 1) = ?12
            """
        do throws(SQLiteFailure) {
            return try run(sql, row.values + [.integer(epoch)])
        } catch {
            guard error.isDuplicate else { throw error }
            // Which of the two keys SQLite names depends on the order of its indices.
            let party = try party(row.id)
            throw party == nil
                ? StoreError.exists("a party with this invite code")
                : StoreError.staleVersion(PartyID(row.id))
        }
    }

    /// Invite code and time of creation are for ever: they are compared, not written.
    private func update(_ row: PartyRow, epoch: Int64) throws(SQLiteFailure) -> Int {
        let sql = """
            UPDATE parties SET version = ?2, party = ?3, began_at = ?4, speed = ?5,
                next_due_at = ?8, outbox = ?9, crc = ?10, outbox_crc = ?11
            WHERE id = ?1 AND version = ?2 - 1 AND invite_code = ?6 AND created_at = ?7
                AND (SELECT epoch FROM ownership WHERE id = 1) = ?12
            """
        return try run(sql, row.values + [.integer(epoch)])
    }

    private func join(_ hero: HeroID, party: String) throws {
        do throws(SQLiteFailure) {
            try run(
                "INSERT INTO memberships (hero, party) VALUES (?1, ?2)",
                [.text(hero.rawValue), .text(party)])
        } catch {
            throw error.isDuplicate ? StoreError.heroIsTaken(hero) : error as any Error
        }
    }

    private func leave(_ hero: HeroID, party: String) throws(SQLiteFailure) {
        try run(
            "DELETE FROM memberships WHERE hero = ?1 AND party = ?2",
            [.text(hero.rawValue), .text(party)])
    }

    /// An activity belongs to one party for ever: its name cannot be taken over.
    private func put(activity: JSONRow) throws {
        let sql = """
            INSERT INTO activities (id, party, json, crc) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (id) DO UPDATE SET json = excluded.json, crc = excluded.crc
            WHERE activities.party = excluded.party
            """
        guard try run(sql, activity.values) == 1 else {
            throw StoreError.exists("Live Activity \(activity.keys[0]) of another party")
        }
    }

    /// Writes an outbox if the party still has the version; returns how many rows changed.
    func acknowledge(
        _ row: OutboxRow, epoch: Int64
    ) throws(SQLiteFailure) -> Int {
        let sql = """
            UPDATE parties SET outbox = ?3, outbox_crc = ?4 WHERE id = ?1 AND version = ?2
                AND (SELECT epoch FROM ownership WHERE id = 1) = ?5
            """
        return try run(
            sql,
            [
                .text(row.id), .integer(row.version), .utf8(row.outbox),
                .integer(row.checksum.value), .integer(epoch),
            ])
    }
}
