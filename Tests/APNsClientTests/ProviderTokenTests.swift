internal import Foundation
internal import Testing

@testable internal import APNsClient

@Suite("Provider tokens are ES256 JWTs as Apple wants them")
struct ProviderTokenTests {
    private let pem: PrivateKeyPEM
    private let key: ES256PrivateKey

    init() throws {
        pem = try ES256PrivateKey.generate()
        key = try ES256PrivateKey(pem)
    }

    private func token(issuedAt: Int64 = 1_685_952_000) throws -> ProviderToken {
        try ProviderToken(
            keyID: Sample.keyID, teamID: Sample.teamID, issuedAt: issuedAt, key: key)
    }

    @Test("A4: header and claims are exactly Apple's, iat is a number")
    func shape() throws {
        let parts = try token().jwt.split(separator: ".")
        #expect(parts.count == 3)
        let header = try #require(Base64URL.decode(parts[0]))
        let claims = try #require(Base64URL.decode(parts[1]))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(
            String(decoding: claims, as: UTF8.self)
                == #"{"iss":"DEF123GHIJ","iat":1685952000}"#)
        #expect(Base64URL.decode(parts[2])?.count == 64)
    }

    @Test("A4: the public key verifies 200 tokens, short r and s among them")
    func verifies() throws {
        let publicKey = try ES256PublicKey(of: key)
        for second in 0..<200 {
            let claims = try publicKey.verify(token(issuedAt: Int64(second)).jwt)
            #expect(claims.issuedAt == Int64(second))
            #expect(claims.keyID == Sample.keyID)
            #expect(claims.teamID == Sample.teamID)
        }
    }

    @Test("the verifier accepts the ES256 example of RFC 7515, A.3, and refuses it changed")
    func knownVector() throws {
        let x = try #require(Base64URL.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        let y = try #require(Base64URL.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let prefix: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
            0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let body = Data(prefix + x + y).base64EncodedString(options: .lineLength64Characters)
        let publicKey = try ES256PublicKey(
            pem: "-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----\n")
        let message =
            "eyJhbGciOiJFUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try #require(
            Base64URL.decode(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSA"
                    + "pmWQxfKTUJqPP3-Kg6NU1Q"))
        #expect(publicKey.isSigned(Array(message.utf8), by: signature))
        #expect(!publicKey.isSigned(Array("\(message)x".utf8), by: signature))
        #expect(!publicKey.isSigned(Array(message.utf8), by: Array(signature.dropLast())))
    }

    @Test("another key's token is refused")
    func otherKey() throws {
        let other = try ES256PrivateKey(ES256PrivateKey.generate())
        let jwt = try token().jwt
        #expect(throws: ProviderTokenProblem.badSignature) {
            try ES256PublicKey(of: other).verify(jwt)
        }
    }

    @Test(
        "what is no provider token is refused",
        arguments: ["", ".", "..", "...", "a.b", "a.b.c", "e30.e30.e30", "🐼.🐼.🐼", "e30=.e30.e30"])
    func garbage(jwt: String) throws {
        let publicKey = try ES256PublicKey(of: key)
        #expect(throws: ProviderTokenProblem.self) { try publicKey.verify(jwt) }
    }

    @Test(
        "an iat that is a text, a missing kid and another alg are refused",
        arguments: [
            (#"{"alg":"ES256","kid":"K"}"#, #"{"iss":"T","iat":"1685952000"}"#),
            (#"{"alg":"ES256"}"#, #"{"iss":"T","iat":1}"#),
            (#"{"alg":"none","kid":"K"}"#, #"{"iss":"T","iat":1}"#),
            (#"{"alg":"ES256","kid":"K"}"#, #"{"iat":1}"#),
        ])
    func wrongClaims(header: String, claims: String) throws {
        let message =
            "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))"
        let signature = try key.signature(of: Array(message.utf8))
        let publicKey = try ES256PublicKey(of: key)
        #expect(throws: ProviderTokenProblem.self) {
            try publicKey.verify("\(message).\(Base64URL.encode(signature))")
        }
    }

    @Test("a key that cannot sign is refused at once, in words", arguments: BadKey.allCases)
    func badKey(kind: BadKey) throws {
        let pem = try kind.pem
        let error = #expect(throws: APNsConfigurationError.self) { try ES256PrivateKey(pem) }
        #expect("\(error as Any)".contains(kind.words))
    }

    @Test("a public key is no private key")
    func publicIsNotPrivate() throws {
        let pem = try key.publicKeyPEM()
        #expect(throws: APNsConfigurationError.self) { try ES256PrivateKey(PrivateKeyPEM(pem)) }
    }

    @Test(
        "PR16: a key file that others can read is refused, a private one is read",
        arguments: [0o644, 0o640, 0o604, 0o660])
    func keyFile(mode: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).p8")
        defer { try? FileManager.default.removeItem(at: file) }
        try pem.text.write(to: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        #expect(try PrivateKeyPEM(file: file.path) == pem)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let error = #expect(throws: APNsConfigurationError.self) {
            try PrivateKeyPEM(file: file.path)
        }
        #expect("\(error as Any)".contains("chmod 600"))
    }

    @Test("a key that a pipe gives in two pieces is read whole")
    func pipedKey() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (half, rest) = (pem.text.utf8.count / 2, Array(pem.text.utf8))
        // A pipe holds more than a key: both pieces are there before anybody reads.
        for piece in [rest[..<half], rest[half...]] {
            #expect(Array(piece).withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) } > 0)
        }
        close(ends[1])
        defer { close(ends[0]) }
        fchmod(ends[0], 0o600)
        #expect(try PrivateKeyPEM(file: "/proc/self/fd/\(ends[0])") == pem)
    }

    @Test("what is too long for a key, or no text, is no key", arguments: [16_384, 16_385, 0])
    func noKey(count: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).p8")
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = count == 0 ? [0xFF, 0xFE] : [UInt8](repeating: UInt8(ascii: "k"), count: count)
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        if count == 16_384 {
            #expect(try PrivateKeyPEM(file: file.path).text.utf8.count == count)
        } else {
            #expect(throws: APNsConfigurationError.self) { try PrivateKeyPEM(file: file.path) }
        }
    }

    @Test("a key file that does not exist is named")
    func noKeyFile() {
        let error = #expect(throws: APNsConfigurationError.self) {
            try PrivateKeyPEM(file: "/nonexistent/AuthKey.p8")
        }
        #expect("\(error as Any)".contains("/nonexistent/AuthKey.p8"))
    }
}

/// Keys that people give by mistake.
enum BadKey: CaseIterable {
    case nothing, noKey, otherCurve, withPassphrase

    var pem: PrivateKeyPEM {
        get throws {
            switch self {
            case .nothing: PrivateKeyPEM("")
            case .noKey: PrivateKeyPEM("hello")
            case .otherCurve: try ES256PrivateKey.generate(curve: "P-384")
            case .withPassphrase:
                PrivateKeyPEM(
                    """
                    -----BEGIN \(Self.label)-----
                    \(Self.body)
                    -----END \(Self.label)-----
                    """)
            }
        }
    }

    var words: String {
        switch self {
        case .nothing, .noKey, .withPassphrase: "not a private key in PEM"
        case .otherCurve: "not a P-256 key"
        }
    }

    /// A key that was made and encrypted for this test only.
    private static let label = "ENCRYPTED PRIVATE KEY"
    private static let body = """
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg05YsryTupGgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJ1WOr/wB8K7rTwrtcHT8HAEgZAP
        J76/Vp2TZFSL0MuyjGlQYtOXm8wLpGmgPo8qx1Ht1JO/ELFcnQ9uUS3JNZcMupfX
        jZyh5leXw9VPodaVdCFDSxuQnjPLdGKYLtIUtxDD6zQn2WHEHL4EL7X5QNqQgpWT
        CUn8BJGho+VixCvkV1CyLQRDhZK9ICAzsz+yOi6mdT5qe9T2WRNH/wrZfdffOBo=
        """
}
