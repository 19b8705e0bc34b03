/// Decodes `%HH` (RFC 3986). Decode once, after splitting: an encoded slash stays data.
enum PercentEncoding {
    /// The meaning of a "+": itself in a path, a space in a query.
    enum Plus {
        case plus
        case space
    }

    /// Returns the decoded text; nil for a broken escape, a NUL, or bytes that are not UTF-8.
    static func decode(_ encoded: UnsafeRawBufferPointer, plus: Plus = .plus) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var index = encoded.startIndex
        while index < encoded.endIndex {
            let byte = encoded[index]
            encoded.formIndex(after: &index)
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = nextDigit(of: encoded, at: &index),
                    let low = nextDigit(of: encoded, at: &index)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plus == .space:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Appends `text`, with `%HH` for all bytes that need encoding.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            let isPlain = byte.isTokenByte && !"%&+".utf8.contains(byte)
            bytes +=
                isPlain
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static func nextDigit(of bytes: UnsafeRawBufferPointer, at index: inout Int) -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        defer { bytes.formIndex(after: &index) }
        return bytes[index].hexDigitValue
    }
}

extension UInt8 {
    /// The value 0 to 15 of an ASCII hexadecimal digit.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
