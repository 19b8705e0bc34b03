internal import ByteCoding

/// CRC-32 over a row's values.
///
/// SQLite's own check detects few flipped bits inside a row; this detects them all (PR10). Every
/// value of variable length is added with its length, so that different rows have different bytes.
struct Checksum {
    private var state: UInt32 = 0

    /// The stored form: SQLite's integers are signed.
    var value: Int64 { Int64(state) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(Int64(bytes.count))
        mix(bytes)
    }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { mix($0) }
    }

    mutating func add(_ number: Int64?) {
        add(Int64(number == nil ? 0 : 1))
        add(number ?? 0)
    }

    /// Adds bytes as they are.
    mutating func mix(_ bytes: UnsafeRawBufferPointer) { state = crc32(bytes, after: state) }
}
