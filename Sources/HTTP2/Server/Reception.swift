extension HTTP2Server {
    /// How new connections are received. A simulator changes it while the server runs, to play a
    /// host that is slow, deaf or not who it should be.
    package struct Reception: Hashable, Sendable {
        package var opening = Opening.usual
        /// `nil`: the certificate of the settings.
        package var identity: Identity?
        /// `nil`: as the settings have it.
        package var initialWindowSize: UInt32?
        package var replenishing = Replenishing.atOnce
        /// `nil`: as the settings have it.
        package var maxConcurrentStreams: UInt32?

        package init() {}
    }

    /// What comes between TCP and the first request.
    package enum Opening: Hashable, Sendable {
        case usual
        /// TLS begins so much later.
        case late(milliseconds: Int)
        /// TCP is accepted, and that is all that ever happens.
        case silent
        /// TLS is as usual, then these bytes come instead of HTTP/2.
        case strange([UInt8])
    }

    /// A certificate chain with its private key, in PEM.
    package struct Identity: Hashable, Sendable {
        package let certificatePEM: String
        package let privateKeyPEM: String

        package init(certificatePEM: String, privateKeyPEM: String) {
            self.certificatePEM = certificatePEM
            self.privateKeyPEM = privateKeyPEM
        }
    }

    /// When a client may send again what it has sent of its flow-control window.
    package enum Replenishing: Hashable, Sendable {
        /// As nghttp2 does: in steps of half a window.
        case atOnce
        /// So long after the bytes came.
        case after(milliseconds: Int)
        /// The window stays exhausted once it is.
        case never
    }
}
