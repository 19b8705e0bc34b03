/// UUIDs in their canonical text of 36 characters (RFC 9562 section 4).
enum UUIDText {
    static let count = 36

    private enum Group {
        /// Where the hyphens stand.
        static let hyphens = [8, 13, 18, 23]
        /// Where two digits begin, as far as four such pairs lie side by side.
        static let pairs = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]
    }

    /// `nil` when it is none. Digits may be capitals too.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> UInt128? {
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

    static func read(_ text: String) -> UInt128? {
        var text = text
        return text.withUTF8 { read($0) }
    }

    /// In lower case; there must be room.
    static func write(_ id: UInt128, into text: UnsafeMutableBufferPointer<UInt8>) {
        let digits: StaticString = "0123456789abcdef"
        for place in Group.hyphens { text[place] = UInt8(ascii: "-") }
        var rest = id
        for place in Group.pairs.reversed() {
            text[place + 1] = digits.utf8Start[Int(truncatingIfNeeded: rest & 15)]
            text[place] = digits.utf8Start[Int(truncatingIfNeeded: rest >> 4 & 15)]
            rest >>= 8
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let number = byte &- UInt8(ascii: "0")
        if number < 10 { return number }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
