/// The standard alphabet with padding (RFC 4648 section 4).
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
            for place in 0...group.count {
                text.append(alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
            text += Array(repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func isWellFormed(_ text: String) -> Bool {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.dropFirst(digits.count)
        return text.utf8.count % 4 == 0 && padding.count <= 2
            && padding.allSatisfy { $0 == UInt8(ascii: "=") }
            && digits.allSatisfy(alphabet.contains)
    }
}
