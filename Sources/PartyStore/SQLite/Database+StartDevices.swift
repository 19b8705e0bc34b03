internal import GameLogic
internal import PushPolicy

/// Devices on which cards can be started by push, in SQL. All of it runs in the writer's
/// transaction but for the reading of a player's devices.
extension Database {
    func startDevices(of player: String) throws(SQLiteFailure) -> [StartDeviceRow] {
        let sql = """
            SELECT \(StartDeviceRow.columns) FROM start_devices WHERE player = ?1
            ORDER BY environment, device
            """
        return try rows(sql, [.text(player)], read: StartDeviceRow.init)
    }

    /// Writes what an app says of itself; what was started there stays. Returns how many rows
    /// changed: none when the player has `limit` other devices.
    ///
    /// A token is one install's: whoever had it before has lost it, and what was started there
    /// counts here.
    func put(_ device: StartDevice, limit: Int, epoch: Int64) throws -> Int {
        guard try self.epoch() == epoch else { throw StoreError.notTheOwner }
        let key = device.key
        guard try makeRoom(for: key, limit: limit) else { return 0 }
        var device = device
        if let known = try startDevice(key) {
            device.starts = known.starts
            // Putting the same token again does not make it newer.
            if known.token == device.token {
                device.traits.tokenRegisteredAt = known.traits.tokenRegisteredAt
            }
        }
        for twin in try others(with: device.token, than: key) {
            device.starts = device.starts.merged(with: twin.starts)
        }
        if let token = device.token {
            let sql = "DELETE FROM start_devices WHERE token = ?1 AND environment = ?2"
            try run(sql, [.text(token.hex), .text(key.environment.rawValue)])
        }
        return try write(StartDeviceRow(device))
    }

    /// The app takes its token back, in every environment; returns how many there were.
    func forgetStartToken(of device: String, player: String, epoch: Int64) throws -> Int {
        guard try self.epoch() == epoch else { throw StoreError.notTheOwner }
        var forgotten = 0
        for row in try startDevices(of: player) where row.device == device && row.token != nil {
            forgotten += try forgetToken(of: row)
        }
        return forgotten
    }

    /// Takes a dead token away if it is still this one, and was put before `since`.
    func retireStartToken(
        _ token: PushToken, of key: StartDevice.Key, since: WallTime?, epoch: Int64
    ) throws -> Int {
        guard try self.epoch() == epoch else { throw StoreError.notTheOwner }
        guard let row = try startDeviceRow(key), row.token == token.hex else { return 0 }
        if let device = try? row.record(), let since, device.traits.tokenRegisteredAt >= since {
            return 0
        }
        return try forgetToken(of: row)
    }

    /// Writes what was started on a device; the app's own words stay. A device that is gone
    /// needs no memory.
    func write(starts row: StartDeviceRow) throws(SQLiteFailure) {
        let sql = """
            UPDATE start_devices SET starts = ?4, starts_crc = ?5
            WHERE player = ?1 AND environment = ?2 AND device = ?3
            """
        try run(
            sql,
            [
                .text(row.player), .text(row.environment), .text(row.device), .utf8(row.starts),
                .integer(row.startsChecksum.value),
            ])
    }

    // MARK: Rows

    private func write(_ row: StartDeviceRow) throws(SQLiteFailure) -> Int {
        let sql = """
            INSERT INTO start_devices (\(StartDeviceRow.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (player, environment, device) DO UPDATE SET token = excluded.token,
                json = excluded.json, crc = excluded.crc, starts = excluded.starts,
                starts_crc = excluded.starts_crc
            """
        return try run(sql, row.values)
    }

    private func startDeviceRow(_ key: StartDevice.Key) throws(SQLiteFailure) -> StartDeviceRow? {
        let sql = """
            SELECT \(StartDeviceRow.columns) FROM start_devices
            WHERE player = ?1 AND environment = ?2 AND device = ?3
            """
        return try row(sql, StartDeviceRow.values(of: key), read: StartDeviceRow.init)
    }

    /// A damaged row is written anew by whoever comes next: it counts as none.
    private func startDevice(_ key: StartDevice.Key) throws(SQLiteFailure) -> StartDevice? {
        try startDeviceRow(key).flatMap { try? $0.record() }
    }

    private func others(
        with token: PushToken?, than key: StartDevice.Key
    ) throws(SQLiteFailure) -> [StartDevice] {
        guard let token else { return [] }
        let sql = """
            SELECT \(StartDeviceRow.columns) FROM start_devices
            WHERE token = ?1 AND environment = ?2
            """
        let values: [SQLiteValue] = [.text(token.hex), .text(key.environment.rawValue)]
        return try rows(sql, values, read: StartDeviceRow.init)
            .compactMap { try? $0.record() }.filter { $0.key != key }
    }

    private func forgetToken(of row: StartDeviceRow) throws -> Int {
        guard var device = try? row.record() else {
            let sql = """
                DELETE FROM start_devices
                WHERE player = ?1 AND environment = ?2 AND device = ?3
                """
            return try run(sql, [.text(row.player), .text(row.environment), .text(row.device)])
        }
        device.token = nil
        return try write(StartDeviceRow(device))
    }

    /// Whether one more device has room; those that only a guard remembers go first.
    private func makeRoom(
        for key: StartDevice.Key, limit: Int
    ) throws(SQLiteFailure) -> Bool {
        let others = try startDevices(of: key.player.rawValue).filter {
            $0.device != key.device.rawValue || $0.environment != key.environment.rawValue
        }
        guard others.count >= limit else { return true }
        let sql = """
            DELETE FROM start_devices WHERE player = ?1 AND token IS NULL
                AND (environment <> ?2 OR device <> ?3)
            """
        try run(sql, StartDeviceRow.values(of: key))
        return others.count { $0.token != nil } < limit
    }
}
