internal import COpenSSL

/// Conversions between OpenSSL's objects and PEM text. The caller owns returned objects.
package enum PEM {
    package static func certificate(_ certificate: OpaquePointer) throws(OpenSSLFailure) -> String {
        try text("write a certificate") { PEM_write_bio_X509($0, certificate) }
    }

    package static func privateKey(_ key: OpaquePointer) throws(OpenSSLFailure) -> String {
        try text("write a private key") {
            PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil)
        }
    }

    /// Returns every certificate of the text, in order.
    package static func certificates(in text: String) throws(OpenSSLFailure) -> [OpaquePointer] {
        let bio = try reader(text)
        defer { BIO_free(bio) }
        var found: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(certificate) }
        if found.isEmpty { throw OpenSSLFailure("no PEM certificate found") }
        // OpenSSL reports the end of the text as an error.
        ERR_clear_error()
        return found
    }

    /// Returns the text's first private key. Refuses an encrypted one, because nobody can enter its
    /// passphrase.
    package static func privateKey(in text: String) throws(OpenSSLFailure) -> OpaquePointer {
        let bio = try reader(text)
        defer { BIO_free(bio) }
        return try require(
            PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil),
            "no unencrypted PEM private key found")
    }

    /// Passes the text to `body` in a BIO. OpenSSL gets a copy: a BIO over Swift's own bytes would
    /// outlive them.
    ///
    /// - Returns: The result of `body`; `nil`, too, when out of memory.
    package static func read<Value>(
        _ text: String, _ body: (OpaquePointer) -> Value?
    ) -> Value? {
        guard let bio = try? reader(text) else { return nil }
        defer {
            BIO_free(bio)
            ERR_clear_error()
        }
        return body(bio)
    }

    /// Returns a memory BIO with the text, which the caller frees.
    private static func reader(_ text: String) throws(OpenSSLFailure) -> OpaquePointer {
        let bio = try require(BIO_new(BIO_s_mem()), "allocate a memory BIO")
        var text = text
        let written = text.withUTF8 { BIO_write(bio, $0.baseAddress, Int32($0.count)) }
        if written < 0 {
            BIO_free(bio)
            throw OpenSSLFailure("fill a memory BIO")
        }
        return bio
    }

    /// Returns what `write` writes to a memory BIO.
    private static func text(
        _ what: String, write: (OpaquePointer) -> Int32
    ) throws(OpenSSLFailure) -> String {
        let bio = try require(BIO_new(BIO_s_mem()), "allocate a memory BIO")
        defer { BIO_free(bio) }
        try requireSuccess(write(bio), what)
        let count = BIO_ctrl_pending(bio)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let read = BIO_read(bio, buffer.baseAddress, Int32(buffer.count))
            initialized = max(0, Int(read))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
