internal import GameLogic
internal import PushPolicy

/// The tables of players and their devices. All methods run in the writer's transaction, except
/// `device(with:)`, `devices(of:)` and `player(_:)`.
struct AccountTable {
    private let database: any SQLSession

    init(_ database: any SQLSession) { self.database = database }

    // MARK: Reads

    /// Returns the device whose token, or next token, has this hash.
    func device(with tokenHash: [UInt8]) throws -> DeviceRecord? {
        try database.row(
            """
            SELECT player, device, token_hash, next_token_hash, created_at, crc FROM devices
            WHERE token_hash = ?1 OR next_token_hash = ?1
            """, [.blob(tokenHash)], read: DeviceRow.init)?.record()
    }

    func devices(of player: PlayerID) throws -> [DeviceRecord] {
        try database.decoded(
            """
            SELECT player, device, token_hash, next_token_hash, created_at, crc FROM devices
            WHERE player = ?1 ORDER BY device
            """, [.text(player.rawValue)]
        ) { try DeviceRow($0).record() }
    }

    func player(_ id: PlayerID) throws -> PlayerRow? {
        let row = try database.row(
            "SELECT id, recovery_hash, created_at, crc FROM players WHERE id = ?1",
            [.text(id.rawValue)], read: PlayerRow.init)
        try row?.check()
        return row
    }

    /// Returns whose recovery code has this hash.
    func player(withRecoveryHash hash: [UInt8]) throws(SQLFailure) -> PlayerRow? {
        try database.row(
            "SELECT id, recovery_hash, created_at, crc FROM players WHERE recovery_hash = ?1",
            [.blob(hash)], read: PlayerRow.init)
    }

    // MARK: Changes

    /// Registers a player with a first device.
    func register(_ device: DeviceRecord) throws {
        let id = device.key.player.rawValue
        let row = PlayerRow(id: id, createdAt: device.createdAt.milliseconds)
        do throws(SQLFailure) {
            try database.run(
                """
                INSERT INTO players (id, recovery_hash, created_at, crc)
                VALUES (?1, ?2, ?3, ?4)
                """, row.values)
            try insert(device)
        } catch {
            throw error.isDuplicate ? StoreError.exists("player \(id)") : error as any Error
        }
    }

    func make(_ change: AccountChange) throws -> AccountOutcome {
        switch change {
        case .add(let device, let other): try add(device, by: other)
        case .revoke(let key, let other): try revoke(key, by: other)
        case .rotate(let key, let next): try rotate(key, to: next)
        case .useNext(let hash): try useNext(hash)
        case .setRecoveryCode(let hash, let key): try setRecoveryCode(hash, by: key)
        case .recover(let code, let device, let tokenHash, let time):
            try recover(code, onto: device, tokenHash, at: time)
        case .signOut(let player, as: let call): try signOut(player, call)
        case .beginErasure(let player, let time):
            try AccountErasure(database).begin(player, at: time)
        case .finishErasure(let player): try AccountErasure(database).finish(player)
        }
    }

    private func add(_ device: DeviceRecord, by other: DeviceID) throws -> AccountOutcome {
        let player = device.key.player
        let devices = try devices(of: player)
        try require(other, among: devices)
        guard !devices.contains(where: { $0.key == device.key }) else {
            throw StoreError.account(.deviceExists(device.key.device))
        }
        guard devices.count < DeviceRecord.countMax else {
            throw StoreError.account(.tooManyDevices(limit: DeviceRecord.countMax))
        }
        try insert(device)
        return AccountOutcome(player: player)
    }

    private func revoke(
        _ key: DeviceRecord.Key, by other: DeviceID
    ) throws -> AccountOutcome {
        let devices = try devices(of: key.player)
        try require(other, among: devices)
        guard let device = devices.first(where: { $0.key == key }) else {
            throw StoreError.account(.unknownDevice)
        }
        guard devices.count > 1 else { throw StoreError.account(.lastDevice) }
        try delete(device)
        let others = Set(devices.map(\.key.device)).subtracting([key.device])
        for name in try pushDeviceNames(of: key.player)
        // A device without a name may have used any that no other has.
        where name == key.device || key.device == .unnamed && !others.contains(name) {
            try deletePushTokens(of: name, player: key.player)
        }
        var outcome = AccountOutcome(player: key.player)
        outcome.endedTokens = device.tokenHashes
        return outcome
    }

    private func signOut(_ player: PlayerID, _ call: AuditRecord) throws -> AccountOutcome {
        // A damaged row is a player too.
        let isKnown = try database.row(
            "SELECT 1 FROM players WHERE id = ?1", [.text(player.rawValue)]
        ) { _ in true }
        guard isKnown != nil else { throw StoreError.account(.unknownPlayer(player)) }
        var outcome = AccountOutcome(player: player)
        outcome.endedTokens = try endTokens(of: player)
        try GameMasterTables(database).append(DataRow(audit: call))
        return outcome
    }

    /// Ends all tokens of a player, for the API and for pushes that belong to no card. Returns the
    /// hashes of the former, also those in damaged rows.
    func endTokens(of player: PlayerID) throws(SQLFailure) -> [[UInt8]] {
        let id = SQLValue.text(player.rawValue)
        let hashes = try database.rows(
            "SELECT token_hash, next_token_hash FROM devices WHERE player = ?1", [id]
        ) { [$0.bytes(0), $0.bytes(1)] }
        try database.run("DELETE FROM devices WHERE player = ?1", [id])
        try database.run("DELETE FROM start_devices WHERE player = ?1", [id])
        try database.run("DELETE FROM widgets WHERE player = ?1", [id])
        return hashes.flatMap(\.self).filter { $0.count == PlayerRow.hashBytes }
    }

    private func rotate(_ key: DeviceRecord.Key, to next: [UInt8]) throws -> AccountOutcome {
        guard let device = try devices(of: key.player).first(where: { $0.key == key }) else {
            throw StoreError.account(.unknownDevice)
        }
        try update(
            DeviceRecord(
                key: key, tokenHash: device.tokenHash, nextTokenHash: next,
                createdAt: device.createdAt))
        return AccountOutcome(player: key.player)
    }

    private func useNext(_ hash: [UInt8]) throws -> AccountOutcome {
        guard let device = try device(with: hash) else {
            throw StoreError.account(.unknownDevice)
        }
        var outcome = AccountOutcome(player: device.key.player)
        // Another request with the new token may have been first.
        guard device.nextTokenHash == hash else { return outcome }
        try useUpCode(behind: device)
        try update(
            DeviceRecord(key: device.key, tokenHash: hash, createdAt: device.createdAt))
        outcome.endedTokens = [device.tokenHash]
        return outcome
    }

    private func setRecoveryCode(
        _ hash: [UInt8], by key: DeviceRecord.Key
    ) throws -> AccountOutcome {
        try require(key.device, among: try devices(of: key.player))
        guard let player = try player(key.player) else {
            throw StoreError.account(.unknownDevice)
        }
        try write(player, recoveryHash: hash)
        return AccountOutcome(player: key.player)
    }

    /// Moves the player to the device. The code is used up only by the first use of the new token:
    /// a client that loses the response sends it again, and the token before is worth nothing.
    private func recover(
        _ code: [UInt8], onto name: DeviceID, _ tokenHash: [UInt8], at time: WallTime
    ) throws -> AccountOutcome {
        guard let found = try player(withRecoveryHash: code) else {
            throw StoreError.account(.wrongCode)
        }
        try found.check()
        let player = PlayerID(found.id)
        var outcome = AccountOutcome(player: player)
        for device in try devices(of: player) {
            try delete(device)
            outcome.endedTokens += device.tokenHashes
        }
        for name in try pushDeviceNames(of: player) {
            try deletePushTokens(of: name, player: player)
        }
        try insert(
            DeviceRecord(
                key: DeviceRecord.Key(player: player, device: name),
                tokenHash: Self.hash(waitingFor: code), nextTokenHash: tokenHash,
                createdAt: time))
        return outcome
    }

    /// Returns what stands for the token of a device until its first use: no token has this hash.
    private static func hash(waitingFor code: [UInt8]) -> [UInt8] { code.map { ~$0 } }

    /// Uses up the recovery code, if this device was recovered with it.
    private func useUpCode(behind device: DeviceRecord) throws {
        guard let player = try player(device.key.player),
            device.tokenHash == Self.hash(waitingFor: player.recoveryHash)
        else { return }
        try write(player, recoveryHash: PlayerRow.noRecoveryHash())
    }

    /// Writes the player's row anew, even if it is damaged.
    func removeRecoveryCode(of player: PlayerID, at time: WallTime) throws(SQLFailure) {
        let row = PlayerRow(id: player.rawValue, createdAt: time.milliseconds)
        try write(row, recoveryHash: row.recoveryHash)
    }

    // MARK: Rows

    /// Refuses what the request of a caller adds that has been revoked since, and the name of another
    /// device of the player.
    func require(_ caller: DeviceID, naming device: DeviceID, of player: PlayerID) throws {
        let known = try database.rows(
            "SELECT device FROM devices WHERE player = ?1 AND device IN (?2, ?3)",
            [.text(player.rawValue), .text(caller.rawValue), .text(device.rawValue)]
        ) { DeviceID($0.text(0)) }
        guard known.contains(caller) else { throw StoreError.account(.unknownDevice) }
        guard device == caller || !known.contains(device) else {
            throw StoreError.account(.deviceExists(device))
        }
    }

    /// A device that was revoked meanwhile changes nothing.
    private func require(_ device: DeviceID, among devices: [DeviceRecord]) throws {
        guard devices.contains(where: { $0.key.device == device }) else {
            throw StoreError.account(.unknownDevice)
        }
    }

    private func insert(_ device: DeviceRecord) throws(SQLFailure) {
        try database.run(
            """
            INSERT INTO devices (player, device, token_hash, next_token_hash, created_at, crc)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, DeviceRow(device).values)
    }

    private func update(_ device: DeviceRecord) throws(SQLFailure) {
        try database.run(
            """
            UPDATE devices SET token_hash = ?3, next_token_hash = ?4, created_at = ?5, crc = ?6
            WHERE player = ?1 AND device = ?2
            """, DeviceRow(device).values)
    }

    private func delete(_ device: DeviceRecord) throws(SQLFailure) {
        try database.run(
            "DELETE FROM devices WHERE player = ?1 AND device = ?2",
            [.text(device.key.player.rawValue), .text(device.key.device.rawValue)])
    }

    private func write(_ player: PlayerRow, recoveryHash: [UInt8]) throws(SQLFailure) {
        let row = PlayerRow(
            id: player.id, recoveryHash: recoveryHash, createdAt: player.createdAt)
        try database.run(
            "UPDATE players SET recovery_hash = ?2, created_at = ?3, crc = ?4 WHERE id = ?1",
            row.values)
    }

    private func pushDeviceNames(of player: PlayerID) throws(SQLFailure) -> [DeviceID] {
        try database.rows(
            """
            SELECT device FROM start_devices WHERE player = ?1
            UNION SELECT device FROM widgets WHERE player = ?1 ORDER BY device
            """, [.text(player.rawValue)]
        ) { DeviceID($0.text(0)) }
    }

    private func deletePushTokens(
        of device: DeviceID, player: PlayerID
    ) throws(SQLFailure) {
        try database.run(
            "DELETE FROM start_devices WHERE player = ?1 AND device = ?2",
            [.text(player.rawValue), .text(device.rawValue)])
        try WidgetTable(database).remove(device.rawValue, of: player.rawValue)
    }
}

extension DeviceRecord {
    fileprivate var tokenHashes: [[UInt8]] { [tokenHash] + (nextTokenHash.map { [$0] } ?? []) }
}
