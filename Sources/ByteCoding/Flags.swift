/// Answers to yes-or-no questions, a bit each, in the order in which they are appended and read:
/// which optional fields follow, which switches are on.
package struct Flags: Sendable {
    private(set) var bits: UInt64
    private var place: UInt64 = 1

    package init() { bits = 0 }

    init(bits: UInt64) { self.bits = bits }

    package mutating func append(_ answer: Bool) {
        if answer { bits |= place }
        place <<= 1
    }

    /// The next answer.
    package mutating func next() -> Bool {
        defer { place <<= 1 }
        return bits & place != 0
    }
}

extension ByteWriter {
    package mutating func append(_ flags: Flags) { append(varint: flags.bits) }
}

extension ByteReader {
    /// So many answers, and no other bit.
    package mutating func flags(_ count: UInt64) throws(ByteError) -> Flags {
        let bits = try varint()
        guard bits >> count == 0 else { throw .invalid("it has a flag that is not known") }
        return Flags(bits: bits)
    }
}
