internal import GameLogic

/// What a party's change writes besides its own row and its journal, in SQL. The caller rolls it
/// back when this throws.
extension Database {
    func write(_ further: FurtherRows, of party: Int64) throws {
        for hero in further.left { try leave(hero, party: party) }
        for hero in further.joined { try join(hero, party: party) }
        for hero in further.heroes {
            try run(
                "UPDATE heroes SET owner = ?2, data = ?3, crc = ?4 WHERE id = ?1", hero.values)
        }
        for id in further.removedActivities {
            try run("DELETE FROM activities WHERE id = ?1", [.text(id)])
        }
        for activity in further.activities { try put(activity: activity) }
        for device in further.startDevices { try write(starts: device) }
        for channel in further.channels { try put(channel: channel) }
    }

    private func join(_ hero: HeroID, party: Int64) throws {
        do throws(SQLiteFailure) {
            try run(
                "INSERT INTO memberships (hero, party) VALUES (?1, ?2)",
                [.text(hero.rawValue), .integer(party)])
        } catch {
            throw error.isDuplicate ? StoreError.heroIsTaken(hero) : error as any Error
        }
    }

    private func leave(_ hero: HeroID, party: Int64) throws(SQLiteFailure) {
        try run(
            "DELETE FROM memberships WHERE hero = ?1 AND party = ?2",
            [.text(hero.rawValue), .integer(party)])
    }

    /// Writes an activity. It belongs to one party for ever: no other can take over its id.
    private func put(activity: DataRow) throws {
        let changed = try run(
            """
            INSERT INTO activities (id, party, data, crc) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (id) DO UPDATE SET data = excluded.data, crc = excluded.crc
            WHERE activities.party = excluded.party
            """, activity.values)
        guard changed == 1 else {
            throw StoreError.exists("Live Activity \(activity.keys[0]) of another party")
        }
    }

    /// Writes a channel. It belongs to one party for ever; only its end can change.
    private func put(channel: DataRow) throws {
        let changed = try run(
            """
            INSERT INTO channels (environment, id, party, data, crc) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (environment, id) DO UPDATE SET data = excluded.data, crc = excluded.crc
            WHERE channels.party = excluded.party
            """, channel.values)
        guard changed == 1 else {
            throw StoreError.exists("channel \(channel.keys[1]) of another party")
        }
    }
}
