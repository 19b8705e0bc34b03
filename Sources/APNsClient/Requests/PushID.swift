internal import COpenSSL
internal import Glibc
internal import Isolation

/// A value for `apns-id` and `apns-request-id`: 128 bits, on the wire a UUID in lower case.
public struct PushID: Hashable, Sendable {
    /// The id as a number, the first digits highest.
    package let bits: UInt128

    package init(bits: UInt128) { self.bits = bits }

    /// Parses a canonical text, in either case; `nil` if it is invalid.
    public init?(_ text: String) {
        guard let bits = UUIDText.read(text) else { return nil }
        self.bits = bits
    }

    /// Returns a new random id: a version 4 UUID (RFC 9562).
    public static func random() -> PushID {
        let (high, low) = RandomBits.next()
        return PushID(version: 0x4000, high, low)
    }

    /// Returns the same id for the same name, such as "activity/version", so that duplicates can be
    /// counted. It is the name's SHA-256 as a version 8 UUID (RFC 9562).
    public static func derived(from name: String) -> PushID {
        let (high, low) = SHA256Digest.start(of: name)
        return PushID(version: 0x8000, high, low)
    }

    private init(version: UInt64, _ high: UInt64, _ low: UInt64) {
        let marked = (high & 0xFFFF_FFFF_FFFF_0FFF) | version
        let variant = (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        bits = UInt128(marked) << 64 | UInt128(variant)
    }
}

extension PushID: LosslessStringConvertible {
    /// The canonical text, in lower case.
    public var description: String { UUIDText.text(bits) }
}

/// Random bits from the kernel, fetched for many ids at once: a system call for each push would
/// cost more than everything else done with its id.
private enum RandomBits {
    private struct Supply {
        var words: [UInt64] = []
    }

    private static let supply = Locked(Supply())

    static func next() -> (UInt64, UInt64) {
        if let thread = SimulatedThreads.current {
            return (thread.randomBits(), thread.randomBits())
        }
        return supply.withLock { supply in
            if supply.words.isEmpty { supply.words = fetch() }
            return (supply.words.removeLast(), supply.words.removeLast())
        }
    }

    /// Returns bits for 64 ids. The kernel always returns up to 256 bytes at once.
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
    /// The algorithm, fetched once: `EVP_sha256()` would be looked up again for every digest. It is
    /// never freed. Stored as an address, because pointers are not sendable.
    private static let algorithm = UInt(bitPattern: EVP_MD_fetch(nil, "SHA256", nil))

    /// Returns the first 128 bits of a text's digest.
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
