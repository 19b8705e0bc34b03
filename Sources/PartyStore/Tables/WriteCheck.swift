internal import GameLogic
internal import Isolation

/// A write that leaves nothing, to learn whether there is room for as many bytes.
extension SQLSession {
    /// Writes random bytes, which no disk compresses, and deletes them, in the caller's transaction.
    func writeAndDelete(bytes count: Int64) throws(SQLFailure) {
        var random = SeededRandom(seed: RandomSource().next())
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(count) + 8)
        while bytes.count < count {
            withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
        }
        try run("INSERT INTO write_checks (data) VALUES (?1)", [.blob(bytes)])
        try run("DELETE FROM write_checks")
    }
}
