/// An HTTP proxy that forwards TLS without reading it (CONNECT, RFC 9110 section 9.3.6).
package struct HTTPProxy: Hashable, Sendable {
    package let host: String
    package let port: UInt16
    /// The value of `Proxy-Authorization`: a secret.
    package let authorization: String?

    package init(host: String, port: UInt16, authorization: String? = nil) {
        self.host = host
        self.port = port
        self.authorization = authorization
    }
}
