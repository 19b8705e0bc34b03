/// A reader for the output of `ByteWriter`, from untrusted bytes.
///
/// It never reads beyond the bytes and never traps: every length is checked against the remaining
/// bytes and against a limit. Each value has one encoding, so that reading and writing again yields
/// the same bytes. Valid only as long as the bytes are. Public, so that it is inlined into other
/// modules.
public struct ByteReader {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// The number of bytes read.
    @usableFromInline var position = 0

    @inlinable package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The number of bytes left.
    @inlinable package var left: Int { bytes.count - position }

    /// Ends the reading; throws when unknown fields follow.
    @inlinable
    package func finish() throws(ByteError) {
        guard left == 0 else { throw .trailingBytes(left) }
    }
}

// MARK: Numbers

extension ByteReader {
    @inlinable @inline(__always)
    package mutating func byte() throws(ByteError) -> UInt8 {
        guard position < bytes.count else { throw .tooShort }
        defer { position += 1 }
        return bytes[position]
    }

    @inlinable @inline(__always)
    package mutating func varint() throws(ByteError) -> UInt64 {
        let first = try byte()
        return first < 0x80 ? UInt64(first) : try varint(after: first)
    }

    /// Reads at most ten bytes; the last one is never 0, because a shorter encoding would exist.
    @usableFromInline
    mutating func varint(after first: UInt8) throws(ByteError) -> UInt64 {
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

    @inlinable
    package mutating func zigzag() throws(ByteError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads the number of elements that follow: at most `limit`, with at least one byte each.
    @inlinable
    package mutating func count(max limit: Int) throws(ByteError) -> Int {
        let count = try varint()
        guard count <= UInt64(limit) else { throw .tooLarge(limit: limit) }
        guard count <= UInt64(left) else { throw .tooShort }
        return Int(count)
    }

    /// Reads a number within a range; `name` identifies it in the error.
    @inlinable
    package mutating func number(
        in range: ClosedRange<Int>, _ name: StaticString
    ) throws(ByteError) -> Int {
        let value = try varint()
        guard let number = Int(exactly: value), range.contains(number) else {
            throw .invalid("its \(name) is out of range")
        }
        return number
    }

    @inlinable
    package mutating func fixed() throws(ByteError) -> UInt64 {
        guard left >= 8 else { throw .tooShort }
        defer { position += 8 }
        return UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}

// MARK: Bytes and texts

extension ByteReader {
    /// Returns the next bytes in place.
    @inlinable
    package mutating func raw(_ count: Int) throws(ByteError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= left else { throw .tooShort }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// Reads UTF-8 after its length of at most `limit` bytes.
    @inlinable
    package mutating func text(max limit: Int = 1 << 20) throws(ByteError) -> String {
        let count = try count(max: limit)
        return try text(count: count)
    }

    /// Reads UTF-8 of a known length.
    @inlinable
    package mutating func text(count: Int) throws(ByteError) -> String {
        try Self.text(try raw(count))
    }

    /// Returns the bytes' text if they are UTF-8.
    @inlinable
    package static func text(_ utf8: UnsafeRawBufferPointer) throws(ByteError) -> String {
        var bits: UInt8 = 0
        for byte in utf8 { bits |= byte }
        // Decoding repairs invalid UTF-8, but is faster; ASCII needs no repair.
        guard bits >= 0x80 else {
            return String(decoding: utf8.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}
