internal import COpenSSL
internal import HTTP2

/// An unfinished X.509 version 3 certificate. Frees its resources on deinitialisation.
final class CertificateDraft {
    private let certificate: OpaquePointer
    /// The issuer; a root is its own issuer.
    private let issuer: OpaquePointer

    /// Sets subject, key, serial number and dates. Without an issuer the certificate is
    /// self-signed.
    init(
        commonName: String, key: OpaquePointer, validFrom: Int64, validDays: Int,
        issuer: OpaquePointer? = nil
    ) throws(OpenSSLFailure) {
        let certificate = try require(X509_new(), "allocate a certificate")
        self.certificate = certificate
        self.issuer = issuer ?? certificate
        try requireSuccess(X509_set_version(certificate, 2), "set the version")
        try setSerialNumber()
        try setDates(validFrom: validFrom, validDays: validDays)
        let name = try require(X509_get_subject_name(certificate), "reach the subject")
        let bytes = Array(commonName.utf8)
        try requireSuccess(
            X509_NAME_add_entry_by_NID(
                name, NID_commonName, MBSTRING_FLAG, bytes, Int32(bytes.count), -1, 0),
            "set the common name '\(commonName)'")
        try requireSuccess(
            X509_set_issuer_name(certificate, X509_get_subject_name(self.issuer)), "set the issuer")
        try requireSuccess(X509_set_pubkey(certificate, key), "set the public key")
    }

    deinit { X509_free(certificate) }

    /// Adds an extension in OpenSSL's configuration notation.
    func add(_ nid: Int32, _ value: String) throws(OpenSSLFailure) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        let what = "add extension \(nid)"
        let made = try require(X509V3_EXT_conf_nid(nil, &context, nid, value), what)
        defer { X509_EXTENSION_free(made) }
        try requireSuccess(X509_add_ext(certificate, made, -1), what)
    }

    /// Signs the certificate and returns it as PEM.
    func sign(with issuerKey: OpaquePointer) throws(OpenSSLFailure) -> String {
        try requireSuccess(X509_sign(certificate, issuerKey, EVP_sha256()), "sign the certificate")
        return try PEM.certificate(certificate)
    }

    /// Sets 63 random bits: positive and unique within this CA.
    private func setSerialNumber() throws(OpenSSLFailure) {
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        try requireSuccess(
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial),
            "set the serial number")
    }

    private func setDates(validFrom: Int64, validDays: Int) throws(OpenSSLFailure) {
        let end = validFrom + Int64(validDays) * 86_400
        let begins = ASN1_TIME_set(X509_getm_notBefore(certificate), Int(validFrom))
        let ends = ASN1_TIME_set(X509_getm_notAfter(certificate), Int(end))
        guard begins != nil, ends != nil else {
            throw OpenSSLFailure("set the dates \(validFrom) to \(end)")
        }
    }
}
