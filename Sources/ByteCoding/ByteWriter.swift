/// A writer that appends fields to one growing array, without an allocation per field.
///
/// Many rows may share one writer: record `count` before and after a row, and read the row with
/// `withBytes(in:)`. `ByteReader` reads the fields in the same order. Public, so that it is inlined
/// into other modules.
public struct ByteWriter: Sendable {
    @usableFromInline var storage: [UInt8] = []

    @inlinable package var bytes: [UInt8] { storage }

    /// The position of the next byte.
    @inlinable package var count: Int { storage.count }

    @inlinable package init(capacity: Int = 0) { storage.reserveCapacity(capacity) }

    /// Passes the bytes of one row to `body`.
    @inlinable
    package func withBytes<Result>(
        in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try storage.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Empties the writer and keeps its memory for the next rows.
    @inlinable
    package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }
}

// MARK: Numbers

extension ByteWriter {
    @inlinable @inline(__always)
    package mutating func append(byte: UInt8) { storage.append(byte) }

    /// Appends seven bits per byte, the low ones first; the top bit means that more follow
    /// (LEB128).
    @inlinable @inline(__always)
    package mutating func append(varint value: UInt64) {
        guard value >= 0x80 else { return append(byte: UInt8(truncatingIfNeeded: value)) }
        append(longVarint: value)
    }

    /// Appends a number of several bytes; most have one.
    @usableFromInline
    mutating func append(longVarint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            storage.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        storage.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a non-negative number; a negative one is written as 0.
    @inlinable
    package mutating func append(count: Int) { append(varint: UInt64(max(0, count))) }

    /// Appends small numbers of either sign in few bytes: 0, -1, 1, -2 … become 0, 1, 2, 3 …
    @inlinable
    package mutating func append(zigzag value: Int64) {
        append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Appends eight bytes, the low ones first.
    @inlinable
    package mutating func append(fixed value: UInt64) {
        withUnsafeBytes(of: value.littleEndian) { storage.append(contentsOf: $0) }
    }
}

// MARK: Bytes and texts

extension ByteWriter {
    /// Appends bytes unchanged, without their count.
    @inlinable
    package mutating func append(raw: UnsafeRawBufferPointer) { storage.append(contentsOf: raw) }

    /// Appends UTF-8 after its length.
    @inlinable
    package mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(varint: UInt64(utf8.count))
            storage.append(contentsOf: utf8)
        }
    }
}
