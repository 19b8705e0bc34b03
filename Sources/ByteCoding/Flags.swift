/// Boolean flags, one bit each, read in the order in which they were appended: which optional
/// fields follow, which switches are on.
public struct Flags: Sendable {
    @usableFromInline var bits: UInt64
    @usableFromInline var place: UInt64 = 1

    @inlinable package init() { bits = 0 }

    @usableFromInline init(bits: UInt64) { self.bits = bits }

    @inlinable
    package mutating func append(_ answer: Bool) {
        if answer { bits |= place }
        place <<= 1
    }

    /// Returns the next flag.
    @inlinable
    package mutating func next() -> Bool {
        defer { place <<= 1 }
        return bits & place != 0
    }
}

extension ByteWriter {
    @inlinable
    package mutating func append(_ flags: Flags) { append(varint: flags.bits) }
}

extension ByteReader {
    /// Reads this many flags; throws if any other bit is set.
    @inlinable
    package mutating func flags(_ count: UInt64) throws(ByteError) -> Flags {
        let bits = try varint()
        guard bits >> count == 0 else { throw .invalid("it has a flag that is not known") }
        return Flags(bits: bits)
    }
}
