/// CRC-32 (the polynomial of zlib and Ethernet) over a row's values.
///
/// SQLite's own check sees few flipped bits inside a row; this sees them all (R10). Every value
/// goes in with its length, so that no two rows are spelled alike.
struct Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? (value >> 1) ^ 0xedb8_8320 : value >> 1
        }
    }

    private var state: UInt32 = 0xffff_ffff

    /// As it is stored: SQLite's integers are signed.
    var value: Int64 { Int64(state ^ 0xffff_ffff) }

    mutating func add(_ bytes: [UInt8]) {
        add(Int64(bytes.count))
        mix(bytes)
    }

    mutating func add(_ text: String) {
        add(Int64(text.utf8.count))
        mix(text.utf8)
    }

    mutating func add(_ number: Int64) {
        mix((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    mutating func add(_ number: Int64?) {
        add(Int64(number == nil ? 0 : 1))
        add(number ?? 0)
    }

    /// Takes bytes in as they are.
    mutating func mix(_ bytes: some Sequence<UInt8>) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes {
                state = (state >> 8) ^ table[Int((state ^ UInt32(byte)) & 0xff)]
            }
        }
        self.state = state
    }
}
