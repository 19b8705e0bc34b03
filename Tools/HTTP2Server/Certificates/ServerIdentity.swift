internal import COpenSSL
internal import HTTP2

/// A server's certificate chain and private key, in PEM.
package struct ServerIdentity: Hashable, Sendable {
    package let certificatePEM: String
    package let privateKeyPEM: String

    package init(certificatePEM: String, privateKeyPEM: String) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
    }

    /// Creates a TLS context that presents this identity. Throws when the texts are invalid, or not
    /// a pair.
    func context() throws(OpenSSLFailure) -> TLSContext {
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
            SSL_CTX_check_private_key(context.handle), "certificate and private key do not match")
        // Nothing resumes sessions here, so handshakes need no tickets.
        SSL_CTX_set_num_tickets(context.handle, 0)
        Self.selectH2(on: context)
        return context
    }

    /// Selects h2 if offered; otherwise ends the handshake with an alert.
    private static func selectH2(on context: TLSContext) {
        SSL_CTX_set_alpn_select_cb(
            context.handle,
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
