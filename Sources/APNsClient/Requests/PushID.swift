internal import COpenSSL
internal import Foundation

/// Values for `apns-id`: UUIDs in lower case.
public enum PushID {
    /// An id that nobody had before.
    public static func random() -> String {
        UUID().uuidString.lowercased()
    }

    /// The same id for the same name, such as "activity/version": what was sent twice can then be
    /// counted. It is the name's SHA-256 as an RFC 9562 version 8 UUID.
    public static func derived(from name: String) -> String {
        var digest = SHA256Digest.of(Array(name.utf8))
        digest[6] = (digest[6] & 0x0F) | 0x80
        digest[8] = (digest[8] & 0x3F) | 0x80
        return String(unsafeUninitializedCapacity: 36) { text in
            var end = 0
            for index in 0..<16 {
                if [4, 6, 8, 10].contains(index) {
                    text[end] = UInt8(ascii: "-")
                    end += 1
                }
                text[end] = Hex.digit(digest[index] >> 4)
                text[end + 1] = Hex.digit(digest[index] & 15)
                end += 2
            }
            return end
        }
    }

    /// Whether the text is a UUID in its canonical form; APNs wants lower case.
    public static func isWellFormed(_ id: String) -> Bool {
        let bytes = Array(id.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default:
                Hex.isDigit(bytes[index])
                    && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(bytes[index])
            }
        }
    }
}

/// SHA-256 by OpenSSL.
enum SHA256Digest {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let status = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
        precondition(status == 1 && length == 32, "SHA-256 returned \(status), \(length) bytes")
        return digest
    }
}
