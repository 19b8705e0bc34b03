internal import Glibc
internal import HTTP2

/// An app's bundle id, as used in a path and at the start of a topic.
package enum BundleID {
    /// Returns whether an id consists of letters, digits, hyphens and full stops, without a push
    /// type's suffix, which belongs to topics.
    package static func isWellFormed(_ id: String) -> Bool {
        // The fast path for contiguous text, which nearly all ids are: every push needs this check.
        id.utf8.withContiguousStorageIfAvailable(isWellFormed)
            ?? Array(id.utf8).withUnsafeBufferPointer(isWellFormed)
    }

    static func isWellFormed(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (1...bytesMax).contains(id.count), EightBytes.all(of: id, pass: { isAllowed($0) })
        else {
            return false
        }
        return !hasSuffix(id)
    }

    private static func hasSuffix(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var place = id.baseAddress else { return false }
        let end = place + id.count
        while end - place >= suffix.utf8CodeUnitCount,
            let dot = memchr(place, Int32(UInt8(ascii: ".")), end - place)
        {
            let found = UnsafePointer(dot.assumingMemoryBound(to: UInt8.self))
            if end - found >= suffix.utf8CodeUnitCount,
                memcmp(found, suffix.utf8Start, suffix.utf8CodeUnitCount) == 0
            {
                return true
            }
            place = found + 1
        }
        return false
    }

    @inline(__always)
    private static func isAllowed(_ bytes: EightBytes) -> EightBytes.Mask {
        bytes.lowerCased.within(UInt8(ascii: "a"), UInt8(ascii: "z"))
            | bytes.within(UInt8(ascii: "0"), UInt8(ascii: "9"))
            | bytes.within(UInt8(ascii: "-"), UInt8(ascii: "."))
    }

    private static let suffix: StaticString = ".push-type."
    private static let bytesMax = 255
}
