import HTTP2
import HTTP2Server
import Testing

@Suite("Certificate authority")
struct CertificateAuthorityTests {
    @Test("A CA that was kept as PEM issues certificates again")
    func keptAuthorityIssues() throws {
        let made = try CertificateAuthority(commonName: "Test CA", validFrom: 0, validDays: 36_500)
        let kept = try CertificateAuthority(
            certificatePEM: made.certificatePEM, privateKeyPEM: made.privateKeyPEM)
        let issued = try kept.issue(
            hosts: ["localhost", "127.0.0.1", "::1"], validFrom: 0, validDays: 36_500)
        #expect(issued.certificatePEM.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(issued.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    }

    @Test("Certificate and key of two CAs are no pair")
    func foreignKeyIsRefused() throws {
        let one = try CertificateAuthority(commonName: "One", validFrom: 0, validDays: 1)
        let other = try CertificateAuthority(commonName: "Other", validFrom: 0, validDays: 1)
        #expect(throws: OpenSSLFailure.self) {
            try CertificateAuthority(
                certificatePEM: one.certificatePEM, privateKeyPEM: other.privateKeyPEM)
        }
    }

    @Test(
        "A host that is no host is refused",
        arguments: [[], [""], ["localhost,DNS:evil"], ["a b"], ["a\n"]])
    func oddHosts(_ hosts: [String]) throws {
        let authority = try CertificateAuthority(commonName: "CA", validFrom: 0, validDays: 1)
        #expect(throws: OpenSSLFailure.self) {
            try authority.issue(hosts: hosts, validFrom: 0, validDays: 1)
        }
    }

    @Test("A private key that asks for a passphrase is refused, and nobody is asked")
    func encryptedKey() throws {
        let authority = try CertificateAuthority(commonName: "CA", validFrom: 0, validDays: 1)
        let body = String(repeating: "A", count: 64)
        let encrypted = """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF

            \(body)
            -----END EC PRIVATE KEY-----

            """
        #expect(throws: OpenSSLFailure.self) {
            try CertificateAuthority(
                certificatePEM: authority.certificatePEM, privateKeyPEM: encrypted)
        }
    }
}

@Suite("Trusted roots")
struct TrustedRootsTests {
    @Test("a missing file is reported in the system's words, without OpenSSL's numbers")
    func missing() {
        let error = #expect(throws: OpenSSLFailure.self) {
            try TLSContext.client(trustedCAFile: "/nowhere/ca.pem")
        }
        let words = error?.description ?? ""
        #expect(words.contains("/nowhere/ca.pem"))
        #expect(words.contains("No such file or directory"))
        #expect(!words.contains("error "))
    }
}
