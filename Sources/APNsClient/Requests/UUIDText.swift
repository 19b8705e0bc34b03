/// UUIDs in their canonical text of 36 characters (RFC 9562 section 4).
package enum UUIDText {
    package static let count = 36

    private enum Group {
        /// Where the hyphens stand.
        static let hyphens = [8, 13, 18, 23]
        /// Where two digits begin, as far as four such pairs lie side by side.
        static let pairs = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
    }

    /// `nil` when it is none. Digits may be capitals too.
    package static func read(_ text: UnsafeBufferPointer<UInt8>) -> UInt128? {
        guard text.count == count, Group.hyphens.allSatisfy({ text[$0] == UInt8(ascii: "-") })
        else { return nil }
        var id: UInt128 = 0
        for place in Group.pairs {
            guard let high = digit(text[place]), let low = digit(text[place + 1]) else {
                return nil
            }
            id = id << 8 | UInt128(high << 4 | low)
        }
        return id
    }

    package static func read(_ text: String) -> UInt128? {
        var text = text
        return text.withUTF8 { read($0) }
    }

    /// In lower case; there must be room.
    package static func write(_ id: UInt128, into text: UnsafeMutableBufferPointer<UInt8>) {
        let high = UInt64(truncatingIfNeeded: id >> 64)
        let low = UInt64(truncatingIfNeeded: id)
        var end = 0
        for shift in stride(from: UInt64(120), through: 0, by: -8) {
            let byte = UInt8(truncatingIfNeeded: shift < 64 ? low >> shift : high >> (shift - 64))
            text[end] = Hex.digit(byte >> 4)
            text[end + 1] = Hex.digit(byte & 15)
            end += 2
            if end == 8 || end == 13 || end == 18 || end == 23 {
                text[end] = UInt8(ascii: "-")
                end += 1
            }
        }
    }

    /// In lower case.
    package static func text(_ id: UInt128) -> String {
        String(unsafeUninitializedCapacity: count) { text in
            write(id, into: text)
            return count
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let number = byte &- UInt8(ascii: "0")
        if number < 10 { return number }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
