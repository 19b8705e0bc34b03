internal import COpenSSL

/// Settings and identity shared by the TLS streams of one side. Not sendable: it moves to one
/// thread with all of its streams.
package final class TLSContext {
    package let handle: OpaquePointer

    /// Sets what both sides share, such as TLS 1.2 or later and ALPN h2.
    package init(method: OpaquePointer?) throws(OpenSSLFailure) {
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
        // h2 and nothing else (RFC 9113 section 3.2): length and name.
        let offer: [UInt8] = [2, UInt8(ascii: "h"), UInt8(ascii: "2")]
        // Unlike in most of OpenSSL, 0 means success here.
        let status = SSL_CTX_set_alpn_protos(context.handle, offer, UInt32(offer.count))
        try requireSuccess(status == 0 ? 1 : 0, "offer ALPN h2")
        return context
    }

    private enum Option {
        // The header defines these as function-like macros, which Swift does not import.
        static let noCompression: UInt64 = 1 << 17
        static let noRenegotiation: UInt64 = 1 << 30
    }
}
