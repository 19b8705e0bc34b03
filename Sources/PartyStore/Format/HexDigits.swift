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

        /// Returns the digit's value; `nil` for any other character.
        mutating func digit(_ character: UInt8) -> UInt8? {
            switch character {
            case 0x30...0x39: return character - 0x30
            case 0x61...0x66:
                hasLowerCase = true
                return character - 0x57
            case 0x41...0x46:
                hasUpperCase = true
                return character - 0x37
            default: return nil
            }
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
