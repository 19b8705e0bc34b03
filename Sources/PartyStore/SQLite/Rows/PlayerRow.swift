internal import GameLogic
internal import PushPolicy

/// A row of `players`.
struct PlayerRow: Sendable {
    let id: String
    let tokenHash: [UInt8]
    let createdAt: Int64
    private let storedChecksum: Int64

    init(_ player: PlayerRecord) {
        id = player.id.rawValue
        tokenHash = player.tokenHash
        createdAt = player.createdAt.milliseconds
        storedChecksum = 0
    }

    /// Reads the columns id, token_hash, created_at, crc.
    init(_ row: Statement) {
        id = row.text(0)
        tokenHash = row.bytes(1)
        createdAt = row.integer(2)
        storedChecksum = row.integer(3)
    }

    var checksum: Checksum {
        var checksum = Checksum()
        checksum.add("players")
        checksum.add(id)
        checksum.add(tokenHash)
        checksum.add(createdAt)
        return checksum
    }

    var values: [SQLiteValue] {
        [.text(id), .blob(tokenHash), .integer(createdAt), .integer(checksum.value)]
    }

    /// Returns the player, if the row is exactly what was written.
    func record() throws(RowFault) -> PlayerRecord {
        try RowFault.check(storedChecksum, checksum, table: "players", key: id)
        return PlayerRecord(
            id: PlayerID(id), tokenHash: tokenHash, createdAt: WallTime(milliseconds: createdAt))
    }
}
