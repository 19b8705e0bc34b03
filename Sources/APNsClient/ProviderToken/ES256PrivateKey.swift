internal import COpenSSL
internal import HTTP2

/// A P-256 key that signs provider tokens (RFC 7518 section 3.4).
///
/// OpenSSL's key is stored as a number, because C pointers are not `Sendable`. It never changes
/// after it was read, and OpenSSL allows several threads to sign with one key.
package final class ES256PrivateKey: Sendable {
    private let handle: UInt

    /// Reads a PKCS #8 or SEC 1 key in PEM, the format of Apple's .p8 files.
    package init(_ pem: PrivateKeyPEM) throws(APNsConfigurationError) {
        let key = Self.read(pem.text)
        guard let key else {
            throw .unusable(
                "the provider key is not a private key in PEM: give the .p8 file from Apple's "
                    + "developer site as it is")
        }
        guard ES256.isP256(key) else {
            EVP_PKEY_free(key)
            throw .unusable("the provider key is not a P-256 key: APNs accepts only ES256")
        }
        handle = UInt(bitPattern: key)
    }

    deinit { EVP_PKEY_free(OpaquePointer(bitPattern: handle)) }

    /// Returns the signature over the SHA-256 of the bytes: r and s, 32 bytes each.
    package func signature(of message: [UInt8]) throws(APNsConfigurationError) -> [UInt8] {
        let key = OpaquePointer(bitPattern: handle)
        guard let context = EVP_MD_CTX_new() else { throw Self.cannotSign }
        defer { EVP_MD_CTX_free(context) }
        var length = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, nil, &length, message, message.count) == 1
        else { throw Self.cannotSign }
        var encoded = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &encoded, &length, message, message.count) == 1,
            let raw = ES256.raw(fromDER: Array(encoded.prefix(length)))
        else { throw Self.cannotSign }
        return raw
    }

    /// Returns the public key in PEM, for the verifier.
    package func publicKeyPEM() throws(APNsConfigurationError) -> String {
        guard let bio = BIO_new(BIO_s_mem()) else { throw Self.cannotSign }
        defer { BIO_free(bio) }
        guard PEM_write_bio_PUBKEY(bio, OpaquePointer(bitPattern: handle)) == 1 else {
            throw Self.cannotSign
        }
        return ES256.text(of: bio)
    }

    /// Generates a key for simulators and tests; APNs takes P-256 only.
    package static func generate(
        curve: String = "P-256"
    ) throws(APNsConfigurationError) -> PrivateKeyPEM {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw cannotSign }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_group_name(context, curve) == 1,
            EVP_PKEY_generate(context, &key) == 1, let bio = BIO_new(BIO_s_mem())
        else { throw cannotSign }
        defer {
            BIO_free(bio)
            EVP_PKEY_free(key)
        }
        guard PEM_write_bio_PKCS8PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1 else {
            throw cannotSign
        }
        return PrivateKeyPEM(ES256.text(of: bio))
    }

    private static let cannotSign = APNsConfigurationError.unusable(
        "OpenSSL could not sign a provider token: is its default provider installed?")

    private static func read(_ text: String) -> OpaquePointer? {
        guard !text.isEmpty, text.utf8.count <= pemBytesMax else { return nil }
        // Without an empty passphrase, OpenSSL would prompt for one on the terminal.
        var passphrase: [UInt8] = [0]
        return PEM.read(text) { PEM_read_bio_PrivateKey($0, nil, nil, &passphrase) }
    }

    private static let pemBytesMax = 16 * 1024
}
