/// Hex digits, as UUIDs and tokens are written.
enum HexDigits {
    static let dash = UInt8(ascii: "-")

    /// The first letter of each case.
    static let lower = UInt8(ascii: "a")
    static let upper = UInt8(ascii: "A")

    /// The kinds of digits in a text.
    struct Kinds {
        private(set) var hasLowerCase = false
        private var hasUpperCase = false

        var isMixed: Bool { hasLowerCase && hasUpperCase }

        /// Returns the number of eight digits, of which the first is in the lowest byte; `nil`
        /// where another character is among them. All are handled at once, since every row has
        /// several UUIDs.
        mutating func number(_ digits: UInt64) -> UInt32? {
            let ones: UInt64 = 0x0101_0101_0101_0101
            let low = digits & 0x0F0F_0F0F_0F0F_0F0F
            let letters = digits >> 6 & ones
            let small = digits >> 5 & letters
            let values = low &+ letters &* 9
            // What the values are written as: anything else was no digit. A digit is at most 9,
            // a letter 1 to 6 in its low bits.
            let written =
                values &+ ones &* 0x30 &+ letters &* 0x07 &+ small &* 0x20
            let wrong =
                (low &+ ones &* 6) & (letters &* 0x10 ^ ones &* 0x10)
                | ((low &+ ones &* 9) | ~(low &+ ones &* 15)) & (letters &* 0x10)
            guard written == digits, wrong == 0 else { return nil }
            if small != 0 { hasLowerCase = true }
            if small != letters { hasUpperCase = true }
            var number = values.byteSwapped
            number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
            number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
            return UInt32(truncatingIfNeeded: number | number >> 16)
        }
    }

    /// Returns the character of a value below 16; `letter` is the first letter of the case.
    static func digit(_ value: UInt8, _ letter: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : letter + (value - 10)
    }

    /// Returns whether one of the number's digits is a letter.
    static func hasLetter(_ number: UInt64) -> Bool {
        stride(from: UInt64(0), to: 64, by: 4).contains { (number >> $0) & 15 > 9 }
    }

    /// Returns whether the text is whole bytes in lower-case hex, and so is restored exactly.
    static func isCanonical(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !utf8.isEmpty, utf8.count % 2 == 0 else { return false }
        return utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns the byte of two lower-case digits.
    static func byte(_ high: UInt8, _ low: UInt8) -> UInt8 { value(high) << 4 | value(low) }

    private static func value(_ digit: UInt8) -> UInt8 {
        digit < 0x61 ? digit - 0x30 : digit - 0x57
    }

    static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { utf8 in
            for (index, byte) in bytes.enumerated() {
                utf8[2 * index] = digit(byte >> 4, lower)
                utf8[2 * index + 1] = digit(byte & 15, lower)
            }
            return bytes.count * 2
        }
    }
}
