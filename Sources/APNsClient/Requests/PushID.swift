internal import COpenSSL
internal import Glibc
internal import Isolation

/// Values for `apns-id`: UUIDs in lower case.
public enum PushID {
    /// An id that nobody had before: a version 4 UUID (RFC 9562).
    public static func random() -> String {
        var bits = RandomBits.next()
        bits.0 = (bits.0 & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        bits.1 = (bits.1 & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        return UUIDText.text(UInt128(bits.0) << 64 | UInt128(bits.1))
    }

    /// The same id for the same name, such as "activity/version": what was sent twice can then be
    /// counted. It is the name's SHA-256 as an RFC 9562 version 8 UUID.
    public static func derived(from name: String) -> String {
        let (high, low) = SHA256Digest.start(of: name)
        let marked = (high & 0xFFFF_FFFF_FFFF_0FFF) | 0x8000
        let variant = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        return UUIDText.text(UInt128(marked) << 64 | UInt128(variant))
    }

    /// Whether the text is a UUID in its canonical form; APNs wants lower case.
    public static func isWellFormed(_ id: String) -> Bool {
        var id = id
        return id.withUTF8 { text in
            guard text.count == UUIDText.count else { return false }
            // Counted, not judged one by one: of random digits no branch can be foreseen.
            var digits = 0
            for byte in text { digits += Hex.isLowerCaseDigit(byte) ? 1 : 0 }
            return digits == 32 && text[8] == hyphen && text[13] == hyphen
                && text[18] == hyphen && text[23] == hyphen
        }
    }

    private static let hyphen = UInt8(ascii: "-")
}

/// Random bits from the kernel, fetched for many ids at once: a call a push would cost more than
/// all that is done with its id.
private enum RandomBits {
    private struct Supply {
        var words: [UInt64] = []
    }

    private static let supply = Locked(Supply())

    static func next() -> (UInt64, UInt64) {
        supply.withLock { supply in
            if supply.words.isEmpty { supply.words = fetch() }
            return (supply.words.removeLast(), supply.words.removeLast())
        }
    }

    /// 64 ids' worth. The kernel gives up to 256 bytes in one piece, always.
    private static func fetch() -> [UInt64] {
        var words = [UInt64](repeating: 0, count: 128)
        words.withUnsafeMutableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 256) {
                let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + 256])
                let status = getentropy(piece.baseAddress, piece.count)
                precondition(status == 0, "getentropy failed with \(errno)")
            }
        }
        return words
    }
}

/// SHA-256 by OpenSSL.
private enum SHA256Digest {
    /// The algorithm, looked up once: `EVP_sha256()` would be looked up again for every digest. It
    /// is never freed. An address, because pointers are not sendable.
    private static let algorithm = UInt(bitPattern: EVP_MD_fetch(nil, "SHA256", nil))

    /// The first 128 bits of a text's digest.
    static func start(of text: String) -> (UInt64, UInt64) {
        var text = text
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { digest in
            let status = text.withUTF8 {
                EVP_Digest(
                    $0.baseAddress, $0.count, digest.baseAddress, nil,
                    OpaquePointer(bitPattern: algorithm), nil)
            }
            precondition(status == 1, "SHA-256 returned \(status)")
            return (UInt64(bigEndian: digest[0]), UInt64(bigEndian: digest[1]))
        }
    }
}
