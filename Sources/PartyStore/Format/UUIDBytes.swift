/// A UUID as two numbers, and the case of the letters in its text.
///
/// Only the canonical spelling counts: 8-4-4-4-12 hex digits, all letters in one case. Digits alone
/// count as upper case, as Apple writes them.
struct UUIDBytes: Equatable {
    private static let length = 36

    let high: UInt64
    let low: UInt64
    let isLowerCase: Bool

    init(high: UInt64, low: UInt64, isLowerCase: Bool) {
        self.high = high
        self.low = low
        self.isLowerCase = isLowerCase
    }

    /// Parses a UUID; `nil` for any other text.
    init?(_ utf8: UnsafeBufferPointer<UInt8>) {
        guard utf8.count == Self.length, utf8[8] == HexDigits.dash, utf8[13] == HexDigits.dash,
            utf8[18] == HexDigits.dash, utf8[23] == HexDigits.dash
        else { return nil }
        let text = UnsafeRawBufferPointer(utf8)
        func digits(at first: Int, _ second: Int) -> UInt64 {
            let low = text.loadUnaligned(fromByteOffset: first, as: UInt32.self)
            let high = text.loadUnaligned(fromByteOffset: second, as: UInt32.self)
            return UInt64(UInt32(littleEndian: high)) << 32 | UInt64(UInt32(littleEndian: low))
        }
        var kinds = HexDigits.Kinds()
        guard let first = kinds.number(digits(at: 0, 4)),
            let second = kinds.number(digits(at: 9, 14)),
            let third = kinds.number(digits(at: 19, 24)),
            let fourth = kinds.number(digits(at: 28, 32)), !kinds.isMixed
        else { return nil }
        self.init(
            high: UInt64(first) << 32 | UInt64(second), low: UInt64(third) << 32 | UInt64(fourth),
            isLowerCase: kinds.hasLowerCase)
    }

    private static func isDash(at index: Int) -> Bool {
        switch index {
        case 8, 13, 18, 23: true
        default: false
        }
    }

    /// Whether its text is written so: without letters there is no lower case.
    var isCanonical: Bool {
        !isLowerCase || HexDigits.hasLetter(high) || HexDigits.hasLetter(low)
    }

    var text: String {
        let digits = isLowerCase ? HexDigits.lower : HexDigits.upper
        return String(unsafeUninitializedCapacity: Self.length) { utf8 in
            var place = 0
            for index in 0..<Self.length {
                if Self.isDash(at: index) {
                    utf8[index] = HexDigits.dash
                    continue
                }
                let half = place < 16 ? high : low
                let shift = UInt64(60 - 4 * (place % 16))
                utf8[index] = HexDigits.digit(UInt8(truncatingIfNeeded: half >> shift) & 15, digits)
                place += 1
            }
            return Self.length
        }
    }
}
