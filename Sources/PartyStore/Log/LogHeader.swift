/// The first 32 bytes of the write-ahead log. SQLite syncs them before it writes a frame.
struct LogHeader {
    static let bytes = 32
    private static let summedBytes = 24
    private static let version: UInt32 = 3_007_000
    /// The last bit says in which order checksums take the bytes.
    private static let magic: UInt32 = 0x377f_0682
    /// The sizes, in bytes, that pages can have.
    static let pageSizes = (9...16).map { 1 << $0 }

    let order: LogChecksum.Order
    let pageBytes: Int
    let salts: UInt64
    let storedChecksum: LogChecksum
    let checksum: LogChecksum
    /// Whether SQLite takes it; otherwise it ignores all of the log.
    let isValid: Bool

    init(_ bytes: UnsafeRawBufferPointer) {
        let magic = bytes.bigEndian(at: 0)
        pageBytes = Int(bytes.bigEndian(at: 8))
        salts = UInt64(bytes.bigEndian(at: 16)) << 32 | UInt64(bytes.bigEndian(at: 20))
        let stored = LogChecksum(bytes, at: Self.summedBytes)
        let claimed: LogChecksum.Order = magic & 1 == 0 ? .littleEndian : .bigEndian
        isValid =
            magic & ~1 == Self.magic && bytes.bigEndian(at: 4) == Self.version
            && Self.pageSizes.contains(pageBytes) && Self.sum(bytes, claimed) == stored
        // A damaged header says nothing; the server's machines are little-endian.
        order = isValid ? claimed : .littleEndian
        checksum = Self.sum(bytes, order)
        storedChecksum = stored
    }

    private static func sum(
        _ bytes: UnsafeRawBufferPointer, _ order: LogChecksum.Order
    ) -> LogChecksum {
        var sum = LogChecksum()
        sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<summedBytes]), order)
        return sum
    }
}
