/// A device token in one word, to store many of them: the chance that two of a million tokens share
/// one is 1 in 37 million. Case does not matter.
struct TokenDigest: Hashable, Sendable {
    let word: UInt64

    /// Hashes a token; `nil` when it is not hex, which APNs refuses.
    init?(_ token: UnsafeBufferPointer<UInt8>) {
        var mixed = Seed.first ^ UInt64(token.count)
        var index = 0
        while index + 8 <= token.count {
            guard let digits = Self.digits(token.word(at: index)) else { return nil }
            mixed = Self.mix(mixed, digits)
            index += 8
        }
        if index < token.count {
            var rest = Octets.all(UInt8(ascii: "0"))
            for byte in token[index...] { rest = rest << 8 | UInt64(byte) }
            guard let digits = Self.digits(rest) else { return nil }
            mixed = Self.mix(mixed, digits)
        }
        word = mixed
    }

    init?(_ token: String) {
        var token = token
        guard let digest = token.withUTF8({ TokenDigest($0) }) else { return nil }
        self = digest
    }

    private enum Seed {
        static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
        static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93
    }

    /// Returns eight hex digits in lower case, or `nil`.
    private static func digits(_ word: UInt64) -> UInt64? {
        let lower = word | Octets.all(0x20)
        guard word & Octets.highBits == 0 else { return nil }
        let marks =
            Octets.marks(word, UInt8(ascii: "0")...UInt8(ascii: "9"))
            | Octets.marks(lower, UInt8(ascii: "a")...UInt8(ascii: "f"))
        return marks == Octets.highBits ? lower : nil
    }

    private static func mix(_ word: UInt64, _ digits: UInt64) -> UInt64 {
        let product = (word ^ digits).multipliedFullWidth(by: Seed.factor)
        return product.high ^ product.low
    }
}
