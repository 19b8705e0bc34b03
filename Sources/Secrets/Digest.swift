internal import COpenSSL

/// Hashes, computed by OpenSSL.
package enum Digest {
    /// Returns the 32 bytes of SHA-256 (FIPS 180-4).
    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, count in
            _ = SHA256(input, input.count, output.baseAddress)
            count = Int(SHA256_DIGEST_LENGTH)
        }
    }
}
