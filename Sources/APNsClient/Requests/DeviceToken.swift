/// A push token in lower-case hex. Prints redacted.
public struct DeviceToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The token itself: for the wire only.
    public let hex: String

    /// Wraps a token as the app reported it.
    public init(hex: String) { self.hex = hex }

    /// Wraps a token's bytes, as `Activity.pushToken` gives them.
    public init(bytes: some Sequence<UInt8>) {
        hex = Hex.lowerCase(bytes)
    }

    /// Whether it is hex of whole bytes. Apple: make no assumption about its size, so the bound
    /// only keeps nonsense out.
    public var isWellFormed: Bool {
        let digits = hex.utf8
        return !digits.isEmpty && digits.count <= Self.digitsMax && digits.count % 2 == 0
            && ASCII.every(byteOf: hex, Hex.isDigit)
    }

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

    /// In letters of either case.
    static func isDigit(_ byte: UInt8) -> Bool {
        // Subtractions that wrap: of random digits a branch would be guessed wrong half the time.
        isLowerCaseDigit(byte | (byte & 0x40) >> 1)
    }

    static func isLowerCaseDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
    }
}
