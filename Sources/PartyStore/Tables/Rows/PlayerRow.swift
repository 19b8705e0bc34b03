internal import GameLogic
internal import Isolation
internal import PushPolicy

/// A row of `players`.
struct PlayerRow: Sendable {
    /// The length of a SHA-256.
    static let hashBytes = 32

    let id: String
    /// SHA-256 of the player's recovery code; without one, bytes that no code has.
    let recoveryHash: [UInt8]
    let createdAt: Int64
    private let storedChecksum: Int64

    init(id: String, recoveryHash: [UInt8] = noRecoveryHash(), createdAt: Int64) {
        self.id = id
        self.recoveryHash = recoveryHash
        self.createdAt = createdAt
        storedChecksum = 0
    }

    /// Reads the columns id, recovery_hash, created_at, crc.
    init(_ row: any SQLRow) {
        id = row.text(0)
        recoveryHash = row.bytes(1)
        createdAt = row.integer(2)
        storedChecksum = row.integer(3)
    }

    /// Returns what stands for no code. The column is unique, so it is random; no text is known
    /// with this hash.
    static func noRecoveryHash() -> [UInt8] {
        (0..<hashBytes).map { _ in RandomSource.integer(in: UInt8.min ... .max) }
    }

    private var checksum: Checksum {
        var checksum = Checksum()
        checksum.add("players")
        checksum.add(id)
        checksum.add(recoveryHash)
        checksum.add(createdAt)
        return checksum
    }

    var values: [SQLValue] {
        [.text(id), .blob(recoveryHash), .integer(createdAt), .integer(checksum.value)]
    }

    /// Throws unless the row is exactly what was written.
    func check() throws(RowFault) {
        try RowFault.check(storedChecksum, checksum, table: "players", key: id)
    }
}
