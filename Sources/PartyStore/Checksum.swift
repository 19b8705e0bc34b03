internal import ByteCoding

/// CRC-32 over a row's values.
///
/// SQLite's own check sees few flipped bits inside a row; this sees them all (R10). Every value
/// of unknown length goes in with its length, so that no two rows are spelled alike.
struct Checksum {
    /// No row has it: what is stored with it reads as damaged, for ever.
    static let damaged: Int64 = -1

    private var state: UInt32 = 0

    /// As it is stored: SQLite's integers are signed.
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

    /// Takes bytes in as they are.
    mutating func mix(_ bytes: UnsafeRawBufferPointer) { state = crc32(bytes, after: state) }
}
