internal import HTTP2
package import HTTP2Server
internal import Isolation

/// Operations on whole connections.
extension APNsSimulator {
    /// Sends GOAWAY with `{"reason": …}`; requests in flight get their responses.
    package func sendGoAway(
        to audience: HTTP2Server.Audience = .everyConnection, reason: String
    ) {
        for server in servers {
            server.goAway(to: audience, debugData: APNsResponses.reason(reason))
        }
    }

    /// Sends GOAWAY repeatedly; `nil` stops it.
    package func sendGoAway(
        everyMilliseconds interval: Int?, to audience: HTTP2Server.Audience = .everyConnection,
        reason: String
    ) {
        for server in servers {
            server.goAway(
                everyMilliseconds: interval, to: audience, debugData: APNsResponses.reason(reason))
        }
    }

    /// Changes the stream limit of every current connection.
    package func setStreamsMax(_ count: UInt32) {
        for server in servers { server.setMaxConcurrentStreams(count) }
    }

    /// Sets how to receive new connections: late, in silence, with another window or certificate.
    ///
    /// - Throws: When the identity cannot be used; then nothing has changed.
    package func receive(as reception: HTTP2Server.Reception) throws(HTTP2ServerError) {
        for server in servers { try server.receive(as: reception) }
        apns.withLock { $0.reception = reception }
    }

    /// How new connections are received.
    package var reception: HTTP2Server.Reception { apns.withLock { $0.reception } }

    /// Presents a certificate with this flaw to new connections; `nil`: a valid one again.
    ///
    /// - Throws: When the settings cannot create such a certificate.
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
