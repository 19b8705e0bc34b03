internal import GameLogic
internal import PushPolicy

/// Reads of parties, in SQL.
extension SQLSession {
    func party(_ id: String) throws -> StoredParty? {
        let row = try row(
            """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties WHERE id = ?1
            """, [.text(id)], read: PartyRow.init)
        return try row.map(stored)
    }

    /// Returns the party with its activities.
    func stored(_ row: PartyRow) throws -> StoredParty {
        try stored(row, try activityRows(of: row.key))
    }

    /// Returns the party with activities that were read already.
    func stored(_ row: PartyRow, _ activities: [DataRow]) throws -> StoredParty {
        try row.decode(
            try activities.map { try $0.decode(RegistrationFormat.read) }, packs: packs)
    }

    func partyKey(of id: String) throws(SQLFailure) -> Int64? {
        try row("SELECT key FROM parties WHERE id = ?1", [.text(id)]) { $0.integer(0) }
    }

    func partyID(of key: Int64) throws(SQLFailure) -> String? {
        try row("SELECT id FROM parties WHERE key = ?1", [.integer(key)]) { $0.text(0) }
    }

    func partyID(inviteCode: String) throws(SQLFailure) -> String? {
        try row("SELECT id FROM parties WHERE invite_code = ?1", [.text(inviteCode)]) {
            $0.text(0)
        }
    }

    func partyID(ofHero hero: String) throws(SQLFailure) -> String? {
        try row(
            """
            SELECT id FROM parties
            WHERE key = (SELECT party FROM memberships WHERE hero = ?1)
            """, [.text(hero)]
        ) { $0.text(0) }
    }

    func memberships(
        of player: String
    ) throws(SQLFailure) -> [(hero: String, party: String)] {
        try rows(
            """
            SELECT memberships.hero, parties.id FROM heroes
            JOIN memberships ON memberships.hero = heroes.id
            JOIN parties ON parties.key = memberships.party
            WHERE heroes.owner = ?1
            """, [.text(player)]
        ) { ($0.text(0), $0.text(1)) }
    }

    func parties(of player: String) throws(SQLFailure) -> [PartyRow] {
        try rows(
            """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties
            WHERE key IN (
                SELECT memberships.party FROM heroes
                JOIN memberships ON memberships.hero = heroes.id WHERE heroes.owner = ?1)
            ORDER BY id
            """, [.text(player)], read: PartyRow.init)
    }

    func parties(after id: String, limit: Int) throws(SQLFailure) -> [PartyRow] {
        try rows(
            """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties
            WHERE id > ?1 ORDER BY id LIMIT ?2
            """, [.text(id), .integer(Int64(limit))], read: PartyRow.init)
    }

    func awakeParties(after key: Int64, limit: Int) throws(SQLFailure) -> [PartyRow] {
        try rows(
            """
            SELECT key, id, invite_code, version, awake, state, crc FROM parties
            WHERE awake = 1 AND key > ?1 ORDER BY key LIMIT ?2
            """, [.integer(key), .integer(Int64(limit))], read: PartyRow.init)
    }

    func activities(of party: Int64) throws -> [ActivityRegistration] {
        try activityRows(of: party).map { try $0.decode(RegistrationFormat.read) }
    }

    private func activityRows(of party: Int64) throws(SQLFailure) -> [DataRow] {
        try rows(
            "SELECT id, party, data, crc FROM activities WHERE party = ?1 ORDER BY id",
            [.integer(party)], read: DataRow.init(activity:))
    }

    /// One statement a party, which is a call of a function and no round trip.
    func activityRows(of parties: [Int64]) throws(SQLFailure) -> [Int64: [DataRow]] {
        var rows: [Int64: [DataRow]] = [:]
        for party in parties { rows[party] = try activityRows(of: party) }
        return rows
    }

    /// Returns an activity with the id of its party, to which any damage of the row belongs.
    func activity(_ id: String) throws(SQLFailure) -> (row: DataRow, party: String)? {
        let row = try row(
            "SELECT id, party, data, crc FROM activities WHERE id = ?1", [.text(id)],
            read: DataRow.init(activity:))
        guard let row else { return nil }
        return (row, try partyID(of: row.numbers[0]) ?? "")
    }

    func outcomes() throws(SQLFailure) -> [DataRow] {
        try rows("SELECT id, data, crc FROM outcomes ORDER BY id") {
            DataRow($0, table: DataRow.outcomes, numberCount: 1)
        }
    }
}

/// What a party's change writes besides its own row and its journal, in SQL. The caller rolls it
/// back when this throws.
extension SQLSession {
    /// Writes the further rows. Returns why they were refused; the caller then rolls them back.
    func refusal(of further: FurtherRows, of party: Int64) throws(SQLFailure) -> StoreError? {
        try refusal { try write(further, of: party) }
    }

    /// Returns the refusal that `body` throws, if it does.
    func refusal(_ body: () throws -> Void) throws(SQLFailure) -> StoreError? {
        do {
            try body()
            return nil
        } catch let refusal as StoreError {
            return refusal
        } catch let failure as SQLFailure {
            throw failure
        } catch {
            throw .unforeseen(error)
        }
    }

    private func write(_ further: FurtherRows, of party: Int64) throws {
        // First, so that a repeated request is refused as such, and not because of the other rows.
        for request in further.requests { try KeptRequestTable(self).keep(request) }
        let inbox = InboxTable(self)
        for letter in further.takenLetters { try inbox.take(letter) }
        if let step = further.jobStep { try JobTables(self).finish(step) }
        if let code = further.newCode { try put(inviteCode: code, of: party) }
        let erasure = AccountErasure(self)
        for player in further.registrants { try erasure.requireAccount(of: player) }
        if !further.erased.isEmpty { try erasure.erase(further.erased, inJournalOf: party) }
        for hero in further.left { try leave(hero, party: party) }
        for welcome in further.welcomes { try BlockTable(self).require(welcome) }
        for hero in further.joined { try join(hero, party: party) }
        for hero in further.heroes { try update(hero: hero) }
        if let world = further.world { try WorldTables(self).write(world, of: party) }
        if let result = further.result {
            try ResultTables(self).write(result, of: party, version: further.version)
        }
        let tokens = ActivityTokenTable(self)
        for id in further.removedActivities {
            try run("DELETE FROM activities WHERE id = ?1", [.text(id)])
            try tokens.release(id)
        }
        for activity in further.activities { try put(activity: activity) }
        try tokens.write(further.tokens, taking: further.letters)
        for letter in further.letters { try inbox.add(letter) }
        let phones = PhoneTable(self)
        for change in further.phones { try phones.make(change, of: further.party, key: party) }
        let devices = StartDeviceTable(self)
        for device in further.startDevices { try devices.write(starts: device) }
        for channel in further.channels { try put(channel: channel) }
        for call in further.calls { try GameMasterTables(self).append(call) }
    }

    private func put(inviteCode: String, of party: Int64) throws {
        do throws(SQLFailure) {
            try run(
                "UPDATE parties SET invite_code = ?2 WHERE key = ?1",
                [.integer(party), .text(inviteCode)])
        } catch {
            throw error.isDuplicate
                ? StoreError.exists("a party with this invite code") : error as any Error
        }
    }

    /// Adds a hero. Its player may add one to a party in which they are already, whatever the limit.
    private func join(_ hero: Hero, party: Int64) throws {
        try AccountErasure(self).requireAccount(of: hero.owner)
        let parties = try parties(ofPlayer: hero.owner)
        guard parties.contains(party) || parties.count < Party.partiesOfPlayerMax else {
            throw StoreError.tooManyParties(limit: Party.partiesOfPlayerMax)
        }
        do throws(SQLFailure) {
            try run(
                "INSERT INTO memberships (hero, party) VALUES (?1, ?2)",
                [.text(hero.id.rawValue), .integer(party)])
            try run(
                "INSERT INTO visits (hero, party) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                [.text(hero.id.rawValue), .integer(party)])
        } catch {
            throw error.isDuplicate ? StoreError.heroIsTaken(hero.id) : error as any Error
        }
        // The party has the hero from now on, and sends it home as it knows it.
        guard try self.hero(hero.id.rawValue)?.decode(HeroFormat.read) == hero else {
            throw StoreError.staleHero(hero.id)
        }
    }

    /// Returns the keys of the parties in which the player has heroes.
    private func parties(ofPlayer player: PlayerID) throws(SQLFailure) -> Set<Int64> {
        // Without DISTINCT, for which SQLite would read an index of all memberships.
        Set(
            try rows(
                """
                SELECT memberships.party FROM heroes
                JOIN memberships ON memberships.hero = heroes.id WHERE heroes.owner = ?1
                """, [.text(player.rawValue)]
            ) { $0.integer(0) })
    }

    private func leave(_ hero: HeroID, party: Int64) throws(SQLFailure) {
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
