/// Eight bytes of a text, checked together, because several texts are checked for every push.
public struct EightBytes {
    /// The highest bit of each byte, set where the byte passes.
    public typealias Mask = UInt64

    @usableFromInline let bits: UInt64

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Returns which bytes are in a range of ASCII, both ends included.
    @inlinable @inline(__always)
    package func within(_ first: UInt8, _ last: UInt8) -> Mask {
        // With its highest bit set, no byte borrows from the next in a subtraction.
        let whole = bits | Self.highest
        let fromFirst = whole &- Self.every(first)
        let beyondLast = whole &- Self.every(last &+ 1)
        return fromFirst & ~beyondLast & ~bits & Self.highest
    }

    /// Which bytes are above ASCII.
    @inlinable @inline(__always)
    package var aboveASCII: Mask { bits & Self.highest }

    /// The bytes with upper-case letters in lower case; some other bytes change too.
    @inlinable @inline(__always)
    package var lowerCased: EightBytes { EightBytes(bits: bits | Self.every(0x20)) }

    /// Returns whether a rule holds for each byte of a text; true for an empty text.
    @inlinable @inline(__always)
    package static func all(
        of text: UnsafeBufferPointer<UInt8>, pass rule: (EightBytes) -> Mask
    ) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        guard bytes.count >= 8 else { return few(bytes, pass: rule) }
        var passed = highest
        var offset = 0
        while offset < bytes.count - 8 {
            passed &= rule(
                EightBytes(bits: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        return passed & rule(EightBytes(bits: last)) == highest
    }

    @inlinable @inline(__always)
    static func few(_ bytes: UnsafeRawBufferPointer, pass rule: (EightBytes) -> Mask) -> Bool {
        for byte in bytes where rule(EightBytes(bits: every(byte))) != highest { return false }
        return true
    }

    @inlinable @inline(__always)
    static var highest: UInt64 { every(0x80) }

    @inlinable @inline(__always)
    static func every(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
