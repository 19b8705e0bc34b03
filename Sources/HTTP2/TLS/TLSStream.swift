internal import COpenSSL

/// One TLS connection without a socket: bytes in, bytes out.
package final class TLSStream {
    enum Handshake {
        case done, wantsMore
        case failed(String)
    }

    enum Reading {
        case bytes(Int)
        case empty
        /// The peer closed the TLS connection.
        case ended
        case failed(String)
    }

    private let ssl: OpaquePointer
    /// Ciphertext from the peer, in a BIO that `ssl` owns.
    private let inbound: OpaquePointer
    /// Ciphertext for the peer.
    let outbound = OutboundBytes()

    /// Creates a server's side.
    package init(accepting context: TLSContext) throws(OpenSSLFailure) {
        (ssl, inbound) = try Self.make(context, outbound)
        SSL_set_accept_state(ssl)
    }

    /// Creates a client's side, which requires the host's name in the certificate.
    init(connecting context: TLSContext, host: String) throws(OpenSSLFailure) {
        (ssl, inbound) = try Self.make(context, outbound)
        SSL_set_connect_state(ssl)
        if NetworkAddress.isLiteral(host) {
            try requireSuccess(
                X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host), "expect '\(host)'")
            return
        }
        SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        try requireSuccess(SSL_set1_host(ssl, host), "expect '\(host)'")
        var name = Array(host.utf8CString)
        let status = name.withUnsafeMutableBytes {
            // The macro SSL_set_tlsext_host_name.
            SSL_ctrl(
                ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), $0.baseAddress)
        }
        try requireSuccess(Int32(status), "name the server '\(host)'")
    }

    deinit { SSL_free(ssl) }

    private static func make(
        _ context: TLSContext, _ outbound: OutboundBytes
    ) throws(OpenSSLFailure) -> (OpaquePointer, OpaquePointer) {
        let ssl = try require(SSL_new(context.handle), "make a TLS stream")
        guard let inbound = BIO_new(BIO_s_mem()), let output = outbound.makeBIO() else {
            SSL_free(ssl)
            throw OpenSSLFailure("allocate BIOs")
        }
        SSL_set_bio(ssl, inbound, output)
        return (ssl, inbound)
    }

    /// Whether both sides agreed on HTTP/2.
    var speaksH2: Bool {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
    }

    /// Adds ciphertext from the peer.
    func feed(_ bytes: UnsafeRawBufferPointer) {
        BIO_write(inbound, bytes.baseAddress, Int32(bytes.count))
    }

    /// Continues the handshake as far as the bytes allow.
    func handshake() -> Handshake {
        ERR_clear_error()
        let status = SSL_do_handshake(ssl)
        if status == 1 { return .done }
        let error = SSL_get_error(ssl, status)
        return error == SSL_ERROR_WANT_READ ? .wantsMore : .failed(handshakeFailure())
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
        if count > 0 { return .bytes(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ: return .empty
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed("TLS: \(Self.reasons())")
        }
    }

    /// Encrypts into the outbound bytes; returns an error's text on failure.
    func write(_ bytes: UnsafeRawBufferPointer) -> String? {
        ERR_clear_error()
        let count = SSL_write(ssl, bytes.baseAddress, Int32(bytes.count))
        return count == Int32(bytes.count) ? nil : "TLS: \(Self.reasons())"
    }

    /// Writes a close alert to the outbound bytes.
    func writeCloseAlert() {
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// Returns what is wrong with the certificate, or else OpenSSL's reason.
    private func handshakeFailure() -> String {
        let reasons = Self.reasons()
        let result = SSL_get_verify_result(ssl)
        guard result != Int(X509_V_OK), let text = X509_verify_cert_error_string(result) else {
            return "TLS handshake: \(reasons)"
        }
        return "TLS handshake: the peer's certificate was refused: \(String(cString: text))"
    }

    private static func reasons() -> String {
        let reasons = OpenSSLFailure.drainReasons()
        return reasons.isEmpty ? "the connection ended early" : reasons
    }
}
