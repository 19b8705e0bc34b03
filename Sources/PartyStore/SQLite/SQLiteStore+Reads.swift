package import GameLogic
package import PushPolicy

extension SQLiteStore {
    package func player(withTokenHash hash: [UInt8]) async throws(StoreError) -> PlayerRecord? {
        let row = try await read { database throws(SQLiteFailure) in
            try database.player(tokenHash: hash)
        }
        return try sound { () throws(RowFault) in try row?.record() }
    }

    package func hero(_ id: HeroID) async throws(StoreError) -> Hero? {
        let row = try await read { database throws(SQLiteFailure) in
            try database.hero(id.rawValue)
        }
        return try sound { () throws(RowFault) in try row?.decode(Hero.self) }
    }

    package func heroes(of player: PlayerID) async throws(StoreError) -> [Hero] {
        let rows = try await read { database throws(SQLiteFailure) in
            try database.heroes(of: player.rawValue)
        }
        return try rows.map { row throws(StoreError) in
            try sound { () throws(RowFault) in try row.decode(Hero.self) }
        }
    }

    package func party(_ id: PartyID) async throws(StoreError) -> StoredParty? {
        let rows = try await read(of: id) { database throws(SQLiteFailure) in
            try database.reading { () throws(SQLiteFailure) in
                (try database.party(id.rawValue), try database.activities(of: id.rawValue))
            }
        }
        guard let row = rows.0 else { return nil }
        let party = try sound(id) { () throws(RowFault) in
            StoredParty(
                record: try row.record(),
                registrations: try rows.1.map { activity throws(RowFault) in
                    try activity.decode(ActivityRegistration.self)
                })
        }
        thaw(id)
        return party
    }

    package func party(withInviteCode code: String) async throws(StoreError) -> PartyID? {
        try await read { database throws(SQLiteFailure) in
            try database.partyID(inviteCode: code)
        }.map { PartyID($0) }
    }

    package func party(of hero: HeroID) async throws(StoreError) -> PartyID? {
        try await read { database throws(SQLiteFailure) in
            try database.partyID(ofHero: hero.rawValue)
        }.map { PartyID($0) }
    }

    /// A corrupt row is reported and left out; only the last page is empty.
    package func parties(
        after: PartyID?, limit: Int
    ) async throws(StoreError) -> [PartyRecord] {
        var last = after?.rawValue ?? ""
        while true {
            let start = last
            let rows = try await read { database throws(SQLiteFailure) in
                try database.parties(after: start, limit: limit)
            }
            let records = rows.compactMap(soundRecord)
            guard records.isEmpty, let next = rows.last?.id else { return records }
            last = next
        }
    }

    private func soundRecord(_ row: PartyRow) -> PartyRecord? {
        do throws(RowFault) {
            return try row.record()
        } catch {
            _ = corrupt(PartyID(row.id), error)
            return nil
        }
    }

    package func partiesDue(
        at time: WallTime, limit: Int
    ) async throws(StoreError) -> [PartyID] {
        let frozen = frozen
        let due = try await read { database throws(SQLiteFailure) in
            try database.partiesDue(at: time.milliseconds, limit: limit + frozen.count)
        }
        return due.filter { !frozen.contains($0.id) }.prefix(limit).map { PartyID($0.id) }
    }

    package func activity(_ id: ActivityID) async throws(StoreError) -> ActivityRegistration? {
        let row = try await read { database throws(SQLiteFailure) in
            try database.activity(id.rawValue)
        }
        guard let row else { return nil }
        return try sound(PartyID(row.keys[1])) { () throws(RowFault) in
            try row.decode(ActivityRegistration.self)
        }
    }
}

// MARK: Logs

extension SQLiteStore {
    package func events(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedEvent] {
        let rows = try await read(of: party) { database throws(SQLiteFailure) in
            try database.events(of: party.rawValue, after: after, limit: limit)
        }
        return try rows.map { row throws(StoreError) in
            LoggedEvent(event: try decode(row, of: party), at: Self.time(of: row))
        }
    }

    package func commands(of party: PartyID) async throws(StoreError) -> [LoggedCommand] {
        let rows = try await read(of: party) { database throws(SQLiteFailure) in
            try database.commands(of: party.rawValue)
        }
        return try rows.map { row throws(StoreError) in try decode(row, of: party) }
    }

    /// A page never ends within an event, so it may be longer than `limit`: go on after the
    /// last sequence.
    package func decisions(
        of party: PartyID, after: Int, limit: Int
    ) async throws(StoreError) -> [LoggedDecision] {
        let rows = try await read(of: party) { database throws(SQLiteFailure) in
            try database.decisions(of: party.rawValue, after: after, limit: limit)
        }
        return try rows.map { row throws(StoreError) in
            LoggedDecision(decision: try decode(row, of: party), at: Self.time(of: row))
        }
    }
}

extension SQLiteStore {
    private func decode<Value: Decodable>(
        _ row: JSONRow, of party: PartyID
    ) throws(StoreError) -> Value {
        try sound(party) { () throws(RowFault) in try row.decode(Value.self) }
    }

    /// Rows of the logs have a sequence, then a time.
    private static func time(of row: JSONRow) -> WallTime {
        WallTime(milliseconds: row.numbers[1])
    }
}

// MARK: Only sound rows are served

extension SQLiteStore {
    func sound<Value>(
        _ decode: () throws(RowFault) -> Value
    ) throws(StoreError) -> Value {
        do throws(RowFault) { return try decode() } catch { throw corrupt(error) }
    }

    private func sound<Value>(
        _ party: PartyID, _ decode: () throws(RowFault) -> Value
    ) throws(StoreError) -> Value {
        do throws(RowFault) { return try decode() } catch { throw corrupt(party, error) }
    }
}
