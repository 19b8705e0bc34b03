internal import GameLogic
internal import Isolation
internal import PushPolicy

/// The table of devices on which activities can be started by push. All methods run in the writer's
/// transaction, except `rows(of:)`.
struct StartDeviceTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    func rows(of player: String) throws(SQLFailure) -> [StartDeviceRow] {
        try database.rows(
            """
            SELECT player, environment, device, token, version, traits, crc, starts, starts_crc
            FROM start_devices WHERE player = ?1 ORDER BY environment, device
            """, [.text(player)], read: StartDeviceRow.init)
    }

    /// Writes an app's report and keeps the device's starts. Returns how many rows changed: none
    /// when the player has `limit` other devices.
    ///
    /// A token belongs to one installation: another device with it loses it, and the starts on that
    /// device count here.
    func put(_ device: StartDevice, limit: Int) throws -> Int {
        let key = device.key
        guard try makeRoom(for: key, limit: limit) else { return 0 }
        var device = device
        device.version = try nextVersion(of: key)
        if let known = try storedDevice(key) {
            device.starts = known.starts
            if known.token == device.token { device.traits.confirmToken(of: known.traits) }
        }
        for other in try take(device.token, from: key.environment) where other.key != key {
            device.starts = device.starts.merged(with: other.starts)
        }
        return try write(StartDeviceRow(device))
    }

    /// Removes the device's token in every environment. Returns how many there were.
    func forgetToken(of device: String, player: String) throws -> Int {
        var forgotten = 0
        for row in try rows(of: player) where row.device == device && row.token != nil {
            forgotten += try forgetToken(of: row)
        }
        return forgotten
    }

    /// Retires a dead token if it is still the current one and was put last at this time.
    func retireToken(
        _ token: PushToken, of key: StartDevice.Key, confirmedAt: WallTime
    ) throws -> Int {
        guard let row = try storedRow(key), row.token == token.hex else { return 0 }
        if let device = try? row.record(), device.traits.tokenConfirmedAt != confirmedAt {
            return 0
        }
        return try forgetToken(of: row)
    }

    /// Writes the starts on a device, if nobody has written it since it was read, and keeps the
    /// app's report.
    func write(starts row: StartDeviceRow) throws {
        let changed = try database.run(
            """
            UPDATE start_devices SET version = ?4 + 1, starts = ?5, starts_crc = ?6
            WHERE player = ?1 AND environment = ?2 AND device = ?3 AND version = ?4
            """, row.startsValues)
        guard changed == 1 else { throw StoreError.staleDevice(PlayerID(row.player)) }
    }

    // MARK: Rows

    private func write(_ row: StartDeviceRow) throws(SQLFailure) -> Int {
        try database.run(
            """
            INSERT INTO start_devices
                (player, environment, device, token, version, traits, crc, starts, starts_crc)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (player, environment, device) DO UPDATE SET token = excluded.token,
                version = excluded.version, traits = excluded.traits, crc = excluded.crc,
                starts = excluded.starts, starts_crc = excluded.starts_crc
            """, row.values)
    }

    /// Returns the next version. A device that is removed and returns begins with another number,
    /// so that it is not mistaken for the old one.
    private func nextVersion(of key: StartDevice.Key) throws(SQLFailure) -> Int64 {
        let known = try storedRow(key)?.version ?? RandomSource.integer(in: 0...Int64(1) << 40)
        return known &+ 1
    }

    private func storedRow(_ key: StartDevice.Key) throws(SQLFailure) -> StartDeviceRow? {
        try database.row(
            """
            SELECT player, environment, device, token, version, traits, crc, starts, starts_crc
            FROM start_devices WHERE player = ?1 AND environment = ?2 AND device = ?3
            """, StartDeviceRow.values(of: key), read: StartDeviceRow.init)
    }

    /// Returns the device. A damaged row counts as none, and the next write replaces it.
    private func storedDevice(_ key: StartDevice.Key) throws(SQLFailure) -> StartDevice? {
        try storedRow(key).flatMap { try? $0.record() }
    }

    /// Removes the devices with this token. Returns those whose rows are sound, as they were at the
    /// end: another server may just have started something on a device of another player.
    private func take(
        _ token: PushToken?, from environment: PushEnvironment
    ) throws(SQLFailure) -> [StartDevice] {
        guard let token else { return [] }
        return try database.rows(
            """
            DELETE FROM start_devices WHERE token = ?1 AND environment = ?2
            RETURNING player, environment, device, token, version, traits, crc, starts, starts_crc
            """, [.text(token.hex), .text(environment.rawValue)], read: StartDeviceRow.init
        ).compactMap { try? $0.record() }
    }

    private func forgetToken(of row: StartDeviceRow) throws -> Int {
        guard var device = try? row.record() else {
            return try database.run(
                """
                DELETE FROM start_devices
                WHERE player = ?1 AND environment = ?2 AND device = ?3
                """, [.text(row.player), .text(row.environment), .text(row.device)])
        }
        device.token = nil
        device.version = row.version &+ 1
        return try write(StartDeviceRow(device))
    }

    /// Returns whether one more device has room. Devices that only a guard remembers go first.
    private func makeRoom(
        for key: StartDevice.Key, limit: Int
    ) throws(SQLFailure) -> Bool {
        let others = try rows(of: key.player.rawValue).filter {
            $0.device != key.device.rawValue || $0.environment != key.environment.rawValue
        }
        guard others.count >= limit else { return true }
        try database.run(
            """
            DELETE FROM start_devices WHERE player = ?1 AND token IS NULL
                AND (environment <> ?2 OR device <> ?3)
            """, StartDeviceRow.values(of: key))
        return others.count { $0.token != nil } < limit
    }
}
