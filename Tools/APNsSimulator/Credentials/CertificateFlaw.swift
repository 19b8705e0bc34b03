internal import HTTP2
internal import HTTP2Server

/// The flaws for which clients must refuse a certificate.
package enum CertificateFlaw: String, CaseIterable, Hashable, Sendable {
    /// From the right authority, for another host.
    case wrongName = "wrong-name"
    /// From the right authority, for the right host, expired yesterday.
    case expired
    /// Signed by itself only.
    case selfSigned = "self-signed"
    /// Signed by an authority of the same name with another key.
    case otherAuthority = "other-authority"
}

extension CertificateFlaw {
    /// Returns a certificate with this flaw, and its key.
    func identity(
        for hosts: [String], issuedBy authority: CertificateAuthority, now: Int64
    ) throws(OpenSSLFailure) -> ServerIdentity {
        let day: Int64 = 86_400
        switch self {
        case .wrongName:
            return try authority.issue(
                hosts: ["wrong.example.com"], validFrom: now - day, validDays: 36_500)
        case .expired:
            return try authority.issue(hosts: hosts, validFrom: now - 3 * day, validDays: 2)
        case .selfSigned:
            let itself = try Self.authority(now)
            return ServerIdentity(
                certificatePEM: itself.certificatePEM, privateKeyPEM: itself.privateKeyPEM)
        case .otherAuthority:
            return try Self.authority(now).issue(
                hosts: hosts, validFrom: now - day, validDays: 36_500)
        }
    }

    private static func authority(_ now: Int64) throws(OpenSSLFailure) -> CertificateAuthority {
        try CertificateAuthority(
            commonName: "APNs simulator CA", validFrom: now - 86_400, validDays: 36_500)
    }
}
