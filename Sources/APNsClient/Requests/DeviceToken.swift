/// A push token in lower-case hex. Prints redacted.
public struct DeviceToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The token itself: for the wire only.
    public let hex: String
    /// Whether it is hex of whole bytes. Apple: make no assumption about its size, so the bound
    /// only keeps nonsense out. Found once: a token is sent to many times.
    public let isWellFormed: Bool

    /// Wraps a token as the app reported it.
    public init(hex: String) {
        self.hex = hex
        let digits = hex.utf8
        isWellFormed =
            !digits.isEmpty && digits.count <= Self.digitsMax && digits.count % 2 == 0
            && digits.allSatisfy { Hex.value($0) != nil }
    }

    /// Wraps a token's bytes, as `Activity.pushToken` gives them.
    public init(bytes: some Sequence<UInt8>) { self.init(hex: Hex.lowerCase(bytes)) }

    /// Never the token.
    public var description: String { "<device token>" }
    /// Never the token.
    public var debugDescription: String { description }
    /// Never the token: `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// 512 bytes: Apple gives no size, Live Activities' tokens have been seen near 80 bytes.
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

    /// The digit of 0…15.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The digits of 32 bits, in lower case: the first in the lowest byte.
    static func digits(_ bits: UInt32) -> UInt64 {
        // The four bits of each digit, spread over eight bytes.
        var spread = UInt64(bits.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in the byte of each letter: 10 and 6 carry into the next four bits.
        let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        let fromDigitsToLetters = UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* fromDigitsToLetters
    }

    /// What a digit stands for, in letters of either case; `nil`: it is none.
    static func value(_ digit: UInt8) -> UInt8? {
        let number = digit &- UInt8(ascii: "0")
        if number < 10 { return number }
        let letter = (digit | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
