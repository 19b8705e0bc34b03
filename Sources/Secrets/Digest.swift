internal import COpenSSL

/// Hashes, computed by OpenSSL.
package enum Digest {
    /// The algorithm, fetched once: `SHA256` looks it up again for every digest. It is never freed.
    /// Stored as an address, because pointers are not sendable.
    private static let algorithm = UInt(bitPattern: EVP_MD_fetch(nil, "SHA256", nil))

    /// Returns the 32 bytes of SHA-256 (FIPS 180-4).
    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { sha256(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { sha256($0) }
    }

    private static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            let done = EVP_Digest(
                bytes.baseAddress, bytes.count, output.baseAddress, nil,
                OpaquePointer(bitPattern: algorithm), nil)
            precondition(done == 1, "OpenSSL computed no SHA-256 of \(bytes.count) bytes")
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }

    /// Returns bytes as lower-case hexadecimal digits.
    package static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }
}
