package import GameLogic
package import PushPolicy

/// What the pages of game masters read, and the registrations that were refused.
struct AdminTables {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func players(after id: String, limit: Int) throws(SQLFailure) -> [PlayerRow] {
        try database.rows(
            """
            SELECT id, recovery_hash, created_at, crc FROM players
            WHERE id > ?1 ORDER BY id LIMIT ?2
            """, [.text(id), .limit(limit)], read: PlayerRow.init)
    }

    func devices(
        after key: (player: String, environment: String, device: String), limit: Int
    ) throws(SQLFailure) -> [StartDeviceRow] {
        try database.rows(
            """
            SELECT player, environment, device, token, version, traits, crc, starts, starts_crc
            FROM start_devices WHERE (player, environment, device) > (?1, ?2, ?3)
            ORDER BY player, environment, device LIMIT ?4
            """,
            [.text(key.player), .text(key.environment), .text(key.device), .limit(limit)],
            read: StartDeviceRow.init)
    }

    // MARK: Refused registrations

    /// Writes the newest refusal of an activity, and removes the party's oldest beyond `limit`.
    func put(_ refused: RefusedRegistration, limit: Int) throws {
        guard let party = try database.partyKey(of: refused.party.rawValue) else { return }
        try database.run(
            """
            INSERT INTO refused_registrations (activity, party, at, data, crc)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (party, activity) DO UPDATE
            SET at = excluded.at, data = excluded.data, crc = excluded.crc
            """, DataRow(refused: refused, party: party).values)
        try database.run(
            """
            DELETE FROM refused_registrations WHERE party = ?1 AND activity NOT IN (
                SELECT activity FROM refused_registrations WHERE party = ?1
                ORDER BY at DESC, activity LIMIT ?2)
            """, [.integer(party), .limit(limit)])
    }

    func refused(of party: String) throws -> [DataRow] {
        try database.rows(
            """
            SELECT activity, party, at, data, crc FROM refused_registrations
            WHERE party = (SELECT key FROM parties WHERE id = ?1) ORDER BY at, activity
            """, [.text(party)]
        ) { DataRow($0, table: DataRow.refusedRegistrations, keyCount: 1, numberCount: 2) }
    }
}

extension TableStore {
    package func players(
        after id: PlayerID?, limit: Int
    ) async throws(StoreError) -> ListPage<PlayerID, PlayerID> {
        let rows = try await read {
            try AdminTables($0).players(after: id?.rawValue ?? "", limit: limit)
        }
        return ListPage(
            elements: rows.compactMap { row in
                sound { () throws(RowFault) in
                    try row.check()
                    return PlayerID(row.id)
                }
            },
            next: rows.count < limit ? nil : rows.last.map { PlayerID($0.id) })
    }

    package func startDevices(
        after key: StartDevice.Key?, limit: Int
    ) async throws(StoreError) -> ListPage<StartDevice, StartDevice.Key> {
        let start = (
            player: key?.player.rawValue ?? "", environment: key?.environment.rawValue ?? "",
            device: key?.device.rawValue ?? ""
        )
        let rows = try await read { try AdminTables($0).devices(after: start, limit: limit) }
        let devices = rows.compactMap { row in
            sound { () throws(RowFault) in try row.record() }
        }
        // A damaged last row would end the list: then its page is the last one.
        return ListPage(elements: devices, next: rows.count < limit ? nil : devices.last?.key)
    }

    package func note(
        _ refused: RefusedRegistration, amongAtMost limit: Int, epoch: Epoch
    ) async throws(StoreError) {
        _ = try await asOwner(epoch) { database in
            try AdminTables(database).put(refused, limit: limit)
            return 1
        }
    }

    package func refusedRegistrations(
        of party: PartyID
    ) async throws(StoreError) -> [RefusedRegistration] {
        try await read { try AdminTables($0).refused(of: party.rawValue) }.compactMap { row in
            sound { () throws(RowFault) in
                try row.decode { try RefusedRegistrationFormat.read($0, of: party) }
            }
        }
    }
}
