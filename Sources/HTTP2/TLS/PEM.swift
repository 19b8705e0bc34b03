internal import COpenSSL

/// OpenSSL's objects as PEM text and back. Objects that are returned belong to the caller.
package enum PEM {
    static func certificate(_ certificate: OpaquePointer) throws(OpenSSLFailure) -> String {
        try text("write a certificate") { PEM_write_bio_X509($0, certificate) }
    }

    static func privateKey(_ key: OpaquePointer) throws(OpenSSLFailure) -> String {
        try text("write a private key") {
            PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil)
        }
    }

    /// Every certificate of the text, in its order.
    static func certificates(in text: String) throws(OpenSSLFailure) -> [OpaquePointer] {
        let bio = try reader(text)
        defer { BIO_free(bio) }
        var found: [OpaquePointer] = []
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(certificate) }
        if found.isEmpty { throw OpenSSLFailure("no PEM certificate found") }
        // The end of the text is reported as an error; it is none.
        ERR_clear_error()
        return found
    }

    /// The first private key of the text. An encrypted one is refused: nobody is there to ask.
    static func privateKey(in text: String) throws(OpenSSLFailure) -> OpaquePointer {
        let bio = try reader(text)
        defer { BIO_free(bio) }
        return try require(
            PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil),
            "no unencrypted PEM private key found")
    }

    /// Lets `body` read the text through a BIO. OpenSSL gets a copy: a BIO around Swift's own bytes
    /// would read them after Swift has let them go.
    ///
    /// - Returns: What `body` returns; `nil`, too, where there is no memory.
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

    /// A memory BIO with the text in it; the caller frees it.
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

    /// What `write` writes into a memory BIO.
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
