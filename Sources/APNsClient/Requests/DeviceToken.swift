/// A push token in lower-case hex. Prints redacted.
public struct DeviceToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The token itself, for the wire only.
    public let hex: String
    /// Whether the token is hex of whole bytes. Apple specifies no size, so the limit only rejects
    /// nonsense. Computed once, because a token is used many times.
    public let isWellFormed: Bool

    /// Wraps a token as the app reported it.
    public init(hex: String) {
        self.hex = hex
        var text = hex
        isWellFormed = text.withUTF8 { digits in
            !digits.isEmpty && digits.count <= Self.digitsMax && digits.count % 2 == 0
                && Hex.areDigits(digits)
        }
    }

    /// Wraps a token's bytes, as `Activity.pushToken` provides them.
    public init(bytes: some Sequence<UInt8>) { self.init(hex: Hex.lowerCase(bytes)) }

    /// A placeholder for the token.
    public var description: String { "<device token>" }
    /// A placeholder for the token.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// 512 bytes. Apple specifies no size; tokens of Live Activities have been about 80 bytes.
    package static let digitsMax = 1024
}

/// Hexadecimal digits.
enum Hex {
    static func lowerCase(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the digit of 0…15.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// Returns the digits of 32 bits in lower case, the first in the lowest byte.
    static func digits(_ bits: UInt32) -> UInt64 {
        // Each digit's four bits, spread over eight bytes.
        var spread = UInt64(bits.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in the byte of each letter: 10 and 6 carry into the next four bits.
        let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let fromDigitsToLetters = UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* fromDigitsToLetters
    }

    /// Whether all are digits, in either case. It leaves none out, because without branches the
    /// processor looks at many at once; each push has a token.
    static func areDigits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var others: UInt8 = 0
        for character in text {
            let isNumber: UInt8 = character &- UInt8(ascii: "0") < 10 ? 1 : 0
            let isLetter: UInt8 = (character | 0x20) &- UInt8(ascii: "a") < 6 ? 1 : 0
            others |= (isNumber | isLetter) ^ 1
        }
        return others == 0
    }

    /// Returns a digit's value, in either case; `nil`: it is not a digit.
    static func value(_ digit: UInt8) -> UInt8? {
        let number = digit &- UInt8(ascii: "0")
        if number < 10 { return number }
        let letter = (digit | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
