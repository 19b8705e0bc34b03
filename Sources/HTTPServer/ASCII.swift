internal import Glibc

extension UInt8 {
    /// Whether this is a character of a method or of a header's name (RFC 9110, section 5.6.2).
    ///
    /// The characters are bits of two words, which avoids a table that must be fetched and checked.
    var isTokenByte: Bool {
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        guard self < 0x80 else { return false }
        return (self < 0x40 ? low : high) &>> UInt64(self & 0x3f) & 1 == 1
    }

    /// A character of a header's value: no control character except the tab.
    var isFieldByte: Bool { self >= 0x20 && self != 0x7f || self == 0x09 }

    /// A character of path and query in their encoded form: printable ASCII, no "#".
    var isTargetByte: Bool { self > 0x20 && self < 0x7f && self != UInt8(ascii: "#") }

    /// A character of `Host`: none that could make it a list, a path or a user.
    var isHostByte: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: "/"),
            UInt8(ascii: "\\"), UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"):
            false
        default:
            true
        }
    }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// The byte in lower case, if it is an ASCII letter.
    var lowercased: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether these are the bytes of `text`.
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let baseAddress else {
            return isEmpty && count == text.utf8CodeUnitCount
        }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }

    /// Returns whether these are the bytes of `name`, ignoring case; `name` is in lower case.
    package func equals(anyCaseOf name: StaticString) -> Bool {
        equals(anyCaseOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// Returns whether these are the bytes of `name`, ignoring case; `name` is in lower case.
    func equals(anyCaseOf name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == name.count else { return false }
        for index in indices where self[index].lowercased != name[index] { return false }
        return true
    }

    /// The bytes without trailing blanks.
    var trimmedEnd: UnsafeRawBufferPointer {
        var end = count
        while end > 0, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    /// The value of decimal digits; nil for anything else, and beyond 63 bits.
    package var decimal: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in self {
            guard byte.isDigit else { return nil }
            let (tenfold, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeNow) = tenfold.addingReportingOverflow(Int(byte & 0x0f))
            guard !isTooLarge, !isTooLargeNow else { return nil }
            number = sum
        }
        return number
    }

    /// The bytes as text. Invalid UTF-8 is replaced, so such a text never equals one of ours.
    package var text: String { String(decoding: self, as: UTF8.self) }
}
