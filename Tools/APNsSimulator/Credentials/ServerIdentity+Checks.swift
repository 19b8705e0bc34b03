internal import COpenSSL
internal import HTTP2
internal import HTTP2Server

extension ServerIdentity {
    /// Returns whether clients that trust this authority will accept it for these hosts until then
    /// (seconds since 1970). An unreadable certificate is not usable.
    func isUsable(
        until moment: Int64, for hosts: [String], issuedBy authority: CertificateAuthority
    ) -> Bool {
        // Loading both as an authority's pair proves that they match.
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

/// The validity of certificates.
enum CertificateDates {
    /// Returns whether the certificate is still valid then, in seconds since 1970.
    static func covers(_ pem: String, until moment: Int64) -> Bool {
        Certificate.read(pem) { covers($0, until: moment) } ?? false
    }

    static func covers(_ certificate: OpaquePointer, until moment: Int64) -> Bool {
        ASN1_TIME_cmp_time_t(X509_get0_notAfter(certificate), time_t(moment)) == 1
    }
}

/// OpenSSL's certificate for the duration of a call.
private enum Certificate {
    /// Passes the certificate to `body`; `nil` when the text contains none.
    static func read<Result>(_ pem: String, _ body: (OpaquePointer) -> Result) -> Result? {
        PEM.read(pem) { bio in
            guard let certificate = PEM_read_bio_X509(bio, nil, nil, nil) else { return nil }
            defer { X509_free(certificate) }
            return body(certificate)
        }
    }
}
