/// The checksum of SQLite's write-ahead log (sqlite.org/walformat, "Checksum Algorithm"): that of a
/// frame continues the one before it, up to the header's.
struct LogChecksum: Hashable {
    /// The order of the bytes of each summed word; the log's magic number says which.
    enum Order: CaseIterable {
        case littleEndian, bigEndian
    }

    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    /// Reads a stored checksum, which is big-endian in every log.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        first = bytes.bigEndian(at: offset)
        second = bytes.bigEndian(at: offset + 4)
    }

    /// Adds bytes, a multiple of eight.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ order: Order) {
        switch order {
        case .littleEndian: add(bytes) { UInt32(littleEndian: $0) }
        case .bigEndian: add(bytes) { UInt32(bigEndian: $0) }
        }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, _ word: (UInt32) -> UInt32) {
        var (first, second) = (first, second)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            first &+= word(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) &+ second
            second &+=
                word(bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)) &+ first
        }
        (self.first, self.second) = (first, second)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the big-endian word at an offset.
    func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
