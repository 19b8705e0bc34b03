internal import GameLogic
internal import PushPolicy

/// A row of `devices`.
struct DeviceRow: Sendable {
    let player: String
    let device: String
    let tokenHash: [UInt8]
    /// Empty: none.
    let nextTokenHash: [UInt8]
    let createdAt: Int64
    private let storedChecksum: Int64

    init(_ device: DeviceRecord) {
        player = device.key.player.rawValue
        self.device = device.key.device.rawValue
        tokenHash = device.tokenHash
        nextTokenHash = device.nextTokenHash ?? []
        createdAt = device.createdAt.milliseconds
        storedChecksum = 0
    }

    /// Reads the columns player, device, token_hash, next_token_hash, created_at, crc.
    init(_ row: any SQLRow) {
        player = row.text(0)
        device = row.text(1)
        tokenHash = row.bytes(2)
        nextTokenHash = row.bytes(3)
        createdAt = row.integer(4)
        storedChecksum = row.integer(5)
    }

    private var checksum: Checksum {
        var checksum = Checksum()
        checksum.add("devices")
        checksum.add(player)
        checksum.add(device)
        checksum.add(tokenHash)
        checksum.add(nextTokenHash)
        checksum.add(createdAt)
        return checksum
    }

    var values: [SQLValue] {
        [
            .text(player), .text(device), .blob(tokenHash),
            nextTokenHash.isEmpty ? .null : .blob(nextTokenHash), .integer(createdAt),
            .integer(checksum.value),
        ]
    }

    /// Returns the device, if the row is exactly what was written.
    func record() throws(RowFault) -> DeviceRecord {
        try RowFault.check(
            storedChecksum, checksum, table: "devices", key: "\(player) \(device)")
        return DeviceRecord(
            key: DeviceRecord.Key(player: PlayerID(player), device: DeviceID(device)),
            tokenHash: tokenHash, nextTokenHash: nextTokenHash.isEmpty ? nil : nextTokenHash,
            createdAt: WallTime(milliseconds: createdAt))
    }
}
