internal import COpenSSL
internal import HTTP2

/// The server's certificate and its key, in PEM.
package struct ServerIdentity: Sendable {
    package let certificatePEM: String
    package let privateKeyPEM: String

    /// Whether clients that trust this authority will take it for these hosts until then (seconds
    /// since 1970). A certificate that cannot be read is not usable.
    func isUsable(
        until moment: Int64, for hosts: [String], issuedBy authority: CertificateAuthority
    ) -> Bool {
        // Reading both as an authority's pair proves that they are one.
        guard
            (try? CertificateAuthority(
                certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)) != nil
        else { return false }
        return Certificate.read(certificatePEM) { own in
            CertificateDates.covers(own, until: moment) && hosts.allSatisfy { Self.names(own, $0) }
                && Self.isSigned(own, by: authority.certificatePEM)
        } ?? false
    }

    private static func names(_ certificate: OpaquePointer, _ host: String) -> Bool {
        X509_check_ip_asc(certificate, host, 0) == 1
            || X509_check_host(certificate, host, host.utf8.count, 0, nil) == 1
    }

    private static func isSigned(_ certificate: OpaquePointer, by authorityPEM: String) -> Bool {
        defer { ERR_clear_error() }
        return Certificate.read(authorityPEM) { authority in
            X509_verify(certificate, X509_get0_pubkey(authority)) == 1
        } ?? false
    }
}

/// How long certificates last.
enum CertificateDates {
    /// Whether the certificate is still good then, seconds since 1970.
    static func covers(_ pem: String, until moment: Int64) -> Bool {
        Certificate.read(pem) { covers($0, until: moment) } ?? false
    }

    static func covers(_ certificate: OpaquePointer, until moment: Int64) -> Bool {
        ASN1_TIME_cmp_time_t(X509_get0_notAfter(certificate), time_t(moment)) == 1
    }
}

/// OpenSSL's certificate for the length of a call.
private enum Certificate {
    /// `nil` when the text holds no certificate.
    static func read<Result>(_ pem: String, _ body: (OpaquePointer) -> Result) -> Result? {
        PEM.read(pem) { bio in
            guard let certificate = PEM_read_bio_X509(bio, nil, nil, nil) else { return nil }
            defer { X509_free(certificate) }
            return body(certificate)
        }
    }
}
