internal import Glibc

/// Eight bytes in a word whose lowest byte is the first.
enum Octets {
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns the high bits of zero bytes; above the first one there may be false positives.
    static func zeros(_ word: UInt64) -> UInt64 { (word &- all(1)) & ~word & highBits }

    /// Returns the high bits of bytes in a range of ASCII; no byte of the word may be above 127.
    static func marks(_ word: UInt64, _ range: ClosedRange<UInt8>) -> UInt64 {
        (word &+ all(0x80 - range.lowerBound)) & ~(word &+ all(0x7F - range.upperBound)) & highBits
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns eight bytes, which must exist.
    func word(at index: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(
                fromByteOffset: index, as: UInt64.self))
    }

    func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range])
    }

    func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let mine = baseAddress, let others = other.baseAddress else {
            return count == other.count
        }
        return memcmp(mine, others, count) == 0
    }

    func reads(_ text: StaticString) -> Bool {
        isSame(as: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
