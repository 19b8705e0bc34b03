internal import COpenSSL

/// The formats of keys and signatures, shared by signing and verifying.
enum ES256 {
    /// The size of r, and of s, in bytes.
    static let halfBytes = 32

    static func isP256(_ key: OpaquePointer) -> Bool {
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
        return name.prefix(length).elementsEqual("prime256v1".utf8.map { CChar($0) })
    }

    /// Converts OpenSSL's DER sequence to r and s, 32 bytes each.
    static func raw(fromDER encoded: [UInt8]) -> [UInt8]? {
        let signature = encoded.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, buffer.count)
        }
        guard let signature else { return nil }
        defer { ECDSA_SIG_free(signature) }
        var raw: [UInt8] = []
        for number in [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)] {
            var half = [UInt8](repeating: 0, count: halfBytes)
            guard BN_bn2binpad(number, &half, Int32(halfBytes)) == Int32(halfBytes) else {
                return nil
            }
            raw += half
        }
        return raw
    }

    /// Converts back, because OpenSSL verifies DER only.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 2 * halfBytes, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(raw.prefix(halfBytes)), Int32(halfBytes), nil)
        let s = BN_bin2bn(Array(raw.suffix(halfBytes)), Int32(halfBytes), nil)
        guard ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        let length = i2d_ECDSA_SIG(signature, nil)
        guard length > 0 else { return nil }
        var encoded = [UInt8](repeating: 0, count: Int(length))
        encoded.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            _ = i2d_ECDSA_SIG(signature, &cursor)
        }
        return encoded
    }

    /// Returns the text written to a memory BIO.
    static func text(of bio: OpaquePointer) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = BIO_read(bio, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
    }
}
