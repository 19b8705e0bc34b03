/// Bytes as they are appended, field after field, in one growing array: no field allocates.
///
/// Many rows may share one writer: note `count` before a row and after it, and take the row with
/// `withBytes(in:)`. What is written here, `ByteReader` reads in the same order.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// Where the next byte goes.
    package var count: Int { bytes.count }

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Lends the bytes of one row.
    package func withBytes<Result>(
        in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Empties the writer and keeps its memory for the next rows.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Forgets everything behind `count`: a row that is not wanted after all.
    package mutating func truncate(to count: Int) {
        bytes.removeLast(max(0, bytes.count - count))
    }
}

// MARK: Numbers

extension ByteWriter {
    @inline(__always)
    package mutating func append(byte: UInt8) { bytes.append(byte) }

    /// Seven bits a byte, the low ones first; the top bit says that more follow (LEB128).
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A count or a number that is never negative; a negative one is written as 0.
    package mutating func append(count: Int) { append(varint: UInt64(max(0, count))) }

    /// Small numbers of either sign in few bytes: 0, -1, 1, -2 … are 0, 1, 2, 3 …
    package mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Eight bytes, the low ones first.
    package mutating func append(fixed value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

// MARK: Bytes and texts

extension ByteWriter {
    /// Bytes as they are, without their count.
    package mutating func append(raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

    /// UTF-8 behind its length.
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(varint: UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }
}
