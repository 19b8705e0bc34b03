/// Reads what `ByteWriter` wrote, from bytes that nobody vouches for.
///
/// It never reads beyond the bytes and never traps: every length is checked against what is left
/// and against a limit. There is one spelling for each value, so that what is read and written
/// again gives the same bytes. Valid only as long as the bytes are.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    /// What has been read.
    package private(set) var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// How many bytes are left.
    package var left: Int { bytes.count - position }

    /// The last step: throws when fields follow that this reader does not know.
    package func finish() throws(ByteError) {
        guard left == 0 else { throw .trailingBytes(left) }
    }
}

// MARK: Numbers

extension ByteReader {
    @inline(__always)
    package mutating func byte() throws(ByteError) -> UInt8 {
        guard position < bytes.count else { throw .tooShort }
        defer { position += 1 }
        return bytes[position]
    }

    @inline(__always)
    package mutating func varint() throws(ByteError) -> UInt64 {
        let first = try byte()
        return first < 0x80 ? UInt64(first) : try varint(after: first)
    }

    /// At most ten bytes; the last one is never 0, or a shorter spelling would do.
    private mutating func varint(after first: UInt8) throws(ByteError) -> UInt64 {
        var value = UInt64(first & 0x7f)
        for shift in stride(from: UInt64(7), through: 63, by: 7) {
            let next = try byte()
            if shift == 63, next > 1 { throw .overlongNumber }
            value |= UInt64(next & 0x7f) << shift
            guard next >= 0x80 else {
                if next == 0 { throw .overlongNumber }
                return value
            }
        }
        throw .overlongNumber
    }

    package mutating func zigzag() throws(ByteError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// How many elements follow: at most `limit`, and each of them takes at least a byte.
    package mutating func count(max limit: Int) throws(ByteError) -> Int {
        let count = try varint()
        guard count <= UInt64(limit) else { throw .tooLarge(limit: limit) }
        guard count <= UInt64(left) else { throw .tooShort }
        return Int(count)
    }

    /// A number within a range; `name` is what is wrong when it is not.
    package mutating func number(
        in range: ClosedRange<Int>, _ name: StaticString
    ) throws(ByteError) -> Int {
        let value = try varint()
        guard let number = Int(exactly: value), range.contains(number) else {
            throw .invalid("its \(name) is out of range")
        }
        return number
    }

    package mutating func fixed() throws(ByteError) -> UInt64 {
        guard left >= 8 else { throw .tooShort }
        defer { position += 8 }
        return UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}

// MARK: Bytes and texts

extension ByteReader {
    /// The next bytes, lent as they lie there.
    package mutating func raw(_ count: Int) throws(ByteError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= left else { throw .tooShort }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// UTF-8 behind its length of at most `limit` bytes.
    package mutating func text(max limit: Int = 1 << 20) throws(ByteError) -> String {
        let count = try count(max: limit)
        return try text(count: count)
    }

    /// UTF-8 of a length that is known.
    package mutating func text(count: Int) throws(ByteError) -> String {
        try Self.text(try raw(count))
    }

    /// The text that the bytes spell, if they are UTF-8.
    package static func text(_ utf8: UnsafeRawBufferPointer) throws(ByteError) -> String {
        var bits: UInt8 = 0
        for byte in utf8 { bits |= byte }
        // Decoding repairs what is not UTF-8, but is faster; ASCII needs no repair.
        guard bits >= 0x80 else {
            return String(decoding: utf8.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}
