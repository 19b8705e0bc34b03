package import HTTP2
internal import Isolation

/// What happens to connections as a whole.
extension APNsSimulator {
    /// Says GOAWAY with `{"reason": …}`; what is in flight is answered.
    package func sendGoAway(
        to audience: HTTP2Server.Audience = .everyConnection, reason: String
    ) {
        for server in servers { server.goAway(to: audience, debugData: Answers.reason(reason)) }
    }

    /// Says it again and again; `nil` ends that.
    package func sendGoAway(
        everyMilliseconds interval: Int?, to audience: HTTP2Server.Audience = .everyConnection,
        reason: String
    ) {
        for server in servers {
            server.goAway(
                everyMilliseconds: interval, to: audience, debugData: Answers.reason(reason))
        }
    }

    /// Changes the limit of streams of every connection there is.
    package func setStreamsMax(_ count: UInt32) {
        for server in servers { server.setMaxConcurrentStreams(count) }
    }

    /// How the next connections are received: late, in silence, with another window or
    /// certificate.
    ///
    /// - Throws: When the identity cannot be used; then nothing has changed.
    package func receive(as reception: HTTP2Server.Reception) throws(HTTP2ServerError) {
        for server in servers { try server.receive(as: reception) }
        side.withLock { $0.reception = reception }
    }

    /// How new connections are received now.
    package var reception: HTTP2Server.Reception { side.withLock { $0.reception } }

    /// The next connections see a certificate with this flaw; `nil`: a good one again.
    ///
    /// - Throws: When no such certificate can be made, as the settings bring none.
    package func showCertificate(_ flaw: CertificateFlaw?) throws {
        var reception = reception
        reception.identity = try flaw.map { flaw in
            guard let flawedIdentity else {
                throw CredentialsError("these settings have no other certificates to show")
            }
            let identity = try flawedIdentity(flaw)
            return HTTP2Server.Identity(
                certificatePEM: identity.certificatePEM, privateKeyPEM: identity.privateKeyPEM)
        }
        try receive(as: reception)
    }

    private var servers: [HTTP2Server] { [server] + (management.map { [$0] } ?? []) }
}
