internal import COpenSSL
package import HTTP2

/// A small P-256 certificate authority for simulators and tests. It creates itself, issues server
/// certificates, and can be stored as two PEM texts.
package struct CertificateAuthority: Sendable {
    /// The certificate for clients to trust.
    package let certificatePEM: String
    /// The signing key, a secret.
    package let privateKeyPEM: String

    /// Creates a new CA. `validFrom` is in seconds since 1970.
    package init(
        commonName: String, validFrom: Int64, validDays: Int
    ) throws(OpenSSLFailure) {
        let key = try Self.makeKey()
        defer { EVP_PKEY_free(key) }
        let draft = try CertificateDraft(
            commonName: commonName, key: key, validFrom: validFrom, validDays: validDays)
        try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try draft.add(NID_subject_key_identifier, "hash")
        certificatePEM = try draft.sign(with: key)
        privateKeyPEM = try PEM.privateKey(key)
    }

    /// Restores a stored CA. Throws when the texts are not a certificate and its key.
    package init(certificatePEM: String, privateKeyPEM: String) throws(OpenSSLFailure) {
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
        let key = try PEM.privateKey(in: privateKeyPEM)
        defer { EVP_PKEY_free(key) }
        let certificates = try PEM.certificates(in: certificatePEM)
        defer { certificates.forEach(X509_free) }
        try requireSuccess(
            X509_check_private_key(certificates[0], key), "certificate and key do not match")
    }

    /// Issues a server certificate for host names and IP addresses, with its own key. `validFrom`
    /// is in seconds since 1970.
    package func issue(
        hosts: [String], validFrom: Int64, validDays: Int
    ) throws(OpenSSLFailure) -> ServerIdentity {
        let issuerKey = try PEM.privateKey(in: privateKeyPEM)
        defer { EVP_PKEY_free(issuerKey) }
        let issuers = try PEM.certificates(in: certificatePEM)
        defer { issuers.forEach(X509_free) }
        let key = try Self.makeKey()
        defer { EVP_PKEY_free(key) }

        let draft = try CertificateDraft(
            commonName: hosts.first ?? "", key: key, validFrom: validFrom, validDays: validDays,
            issuer: issuers[0])
        try draft.add(NID_basic_constraints, "critical,CA:FALSE")
        try draft.add(NID_key_usage, "critical,digitalSignature")
        try draft.add(NID_ext_key_usage, "serverAuth")
        try draft.add(NID_subject_alt_name, Self.alternativeNames(hosts))
        try draft.add(NID_subject_key_identifier, "hash")
        try draft.add(NID_authority_key_identifier, "keyid")
        return ServerIdentity(
            certificatePEM: try draft.sign(with: issuerKey), privateKeyPEM: try PEM.privateKey(key))
    }

    /// Returns `DNS:localhost,IP:127.0.0.1`. Allows only characters of host names, because OpenSSL
    /// parses the text and a comma would add another name.
    private static func alternativeNames(_ hosts: [String]) throws(OpenSSLFailure) -> String {
        var names: [String] = []
        for host in hosts {
            let isPlain = host.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-.:*_".utf8.contains($0)
                }
            }
            guard isPlain, !host.isEmpty else {
                throw OpenSSLFailure("'\(host)' is neither a host name nor an IP address")
            }
            names.append(NetworkAddress.isLiteral(host) ? "IP:\(host)" : "DNS:\(host)")
        }
        guard !names.isEmpty else { throw OpenSSLFailure("a certificate needs at least one host") }
        return names.joined(separator: ",")
    }

    private static func makeKey() throws(OpenSSLFailure) -> OpaquePointer {
        let what = "make a P-256 key"
        let context = try require(EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil), what)
        defer { EVP_PKEY_CTX_free(context) }
        try requireSuccess(EVP_PKEY_keygen_init(context), what)
        try requireSuccess(
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1), what)
        var key: OpaquePointer?
        try requireSuccess(EVP_PKEY_keygen(context, &key), what)
        return try require(key, what)
    }
}
