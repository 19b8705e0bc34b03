internal import COpenSSL

/// Settings and identity shared by the TLS streams of one side. Not sendable: it moves to one
/// thread with all of its streams.
package final class TLSContext {
    let handle: OpaquePointer

    /// Sets what both sides share, such as TLS 1.2 or later and ALPN h2.
    private init(method: OpaquePointer?) throws(OpenSSLFailure) {
        handle = try require(SSL_CTX_new(method), "make a TLS context")
        try requireSuccess(
            Int32(SSL_CTX_ctrl(handle, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)),
            "require TLS 1.2")
        SSL_CTX_set_options(handle, Option.noRenegotiation | Option.noCompression)
        // Idle connections release their buffers.
        SSL_CTX_ctrl(handle, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    }

    deinit { SSL_CTX_free(handle) }

    /// Creates a context that verifies the peer's chain with a PEM file of roots; `nil`: the
    /// system's.
    package static func client(trustedCAFile: String?) throws(OpenSSLFailure) -> TLSContext {
        let context = try TLSContext(method: TLS_client_method())
        SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        if let trustedCAFile {
            try requireSuccess(
                SSL_CTX_load_verify_file(context.handle, trustedCAFile),
                "cannot read trusted roots from '\(trustedCAFile)'")
        } else {
            try requireSuccess(
                SSL_CTX_set_default_verify_paths(context.handle),
                "cannot read the system's trusted roots")
        }
        // Unlike in most of OpenSSL, 0 means success here.
        let status = SSL_CTX_set_alpn_protos(
            context.handle, ALPN.offer, UInt32(ALPN.offer.count))
        try requireSuccess(status == 0 ? 1 : 0, "offer ALPN h2")
        return context
    }

    /// Creates a context with a certificate chain. Throws when the PEM texts are invalid, or not a
    /// pair.
    package static func server(
        certificatePEM: String, privateKeyPEM: String
    ) throws(OpenSSLFailure) -> TLSContext {
        let context = try TLSContext(method: TLS_server_method())
        let chain = try PEM.certificates(in: certificatePEM)
        defer { chain.forEach(X509_free) }
        let key = try PEM.privateKey(in: privateKeyPEM)
        defer { EVP_PKEY_free(key) }
        try requireSuccess(SSL_CTX_use_certificate(context.handle, chain[0]), "use the certificate")
        for link in chain.dropFirst() {
            // The macro SSL_CTX_add1_chain_cert: the context retains its own reference.
            let added = SSL_CTX_ctrl(
                context.handle, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(link))
            try requireSuccess(Int32(added), "use the certificate chain")
        }
        try requireSuccess(SSL_CTX_use_PrivateKey(context.handle, key), "use the private key")
        try requireSuccess(
            SSL_CTX_check_private_key(context.handle), "certificate and private key are no pair")
        // Nothing resumes sessions here, so handshakes need no tickets.
        SSL_CTX_set_num_tickets(context.handle, 0)
        ALPN.selectH2(on: context.handle)
        return context
    }

    private enum Option {
        // The header defines these as function-like macros, which Swift does not import.
        static let noCompression: UInt64 = 1 << 17
        static let noRenegotiation: UInt64 = 1 << 30
    }
}

/// Application-layer protocol negotiation: h2 and nothing else (RFC 9113 section 3.2).
private enum ALPN {
    /// Length and name, in wire format.
    static let offer: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]

    /// Selects h2 if offered; otherwise ends the handshake with an alert.
    static func selectH2(on context: OpaquePointer) {
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, selected, selectedLength, offers, offersLength, _ in
                guard let selected, let selectedLength, let offers else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                var index = 0
                while index < Int(offersLength) {
                    let length = Int(offers[index])
                    let name = UnsafeBufferPointer(start: offers + index + 1, count: length)
                    guard index + 1 + length <= Int(offersLength) else { break }
                    if name.elementsEqual("h2".utf8) {
                        selected.pointee = offers + index + 1
                        selectedLength.pointee = UInt8(length)
                        return SSL_TLSEXT_ERR_OK
                    }
                    index += 1 + length
                }
                return SSL_TLSEXT_ERR_ALERT_FATAL
            }, nil)
    }
}
