internal import COpenSSL
internal import FoundationEssentials
internal import HTTP2

/// The public half of a provider key. Verifies tokens, as APNs does.
package final class ES256PublicKey: Sendable {
    private let handle: UInt

    /// Reads a public key in PEM (`BEGIN PUBLIC KEY`).
    package init(pem: String) throws(APNsConfigurationError) {
        let key = PEM.read(pem) { PEM_read_bio_PUBKEY($0, nil, nil, nil) }
        guard let key else { throw .unusable("the public key is not in PEM") }
        guard ES256.isP256(key) else {
            EVP_PKEY_free(key)
            throw .unusable("the public key is not a P-256 key")
        }
        handle = UInt(bitPattern: key)
    }

    /// Derives the public half of a private key.
    package convenience init(of key: ES256PrivateKey) throws(APNsConfigurationError) {
        try self.init(pem: key.publicKeyPEM())
    }

    deinit { EVP_PKEY_free(OpaquePointer(bitPattern: handle)) }

    /// Parses a provider token and verifies its signature. The caller checks its age.
    package func verify(_ jwt: some StringProtocol) throws(ProviderTokenProblem)
        -> ProviderTokenClaims
    {
        let parts = jwt.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]),
            let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
        else { throw .malformed("it is not three parts in base64url") }
        let read = try ProviderTokenClaims(header: header, claims: claims)
        let message = Array("\(parts[0]).\(parts[1])".utf8)
        guard isSigned(message, by: signature) else { throw .badSignature }
        return read
    }

    func isSigned(_ message: [UInt8], by signature: [UInt8]) -> Bool {
        guard let encoded = ES256.der(fromRaw: signature), let context = EVP_MD_CTX_new() else {
            return false
        }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let key = OpaquePointer(bitPattern: handle)
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }
}

/// Why a provider token is invalid.
package enum ProviderTokenProblem: Error, Hashable, Sendable {
    case malformed(String)
    case badSignature
}

/// The claims of a provider token.
package struct ProviderTokenClaims: Hashable, Sendable {
    /// `kid`.
    package let keyID: String
    /// `iss`.
    package let teamID: String
    /// `iat`, seconds since 1970.
    package let issuedAt: Int64

    init(header: [UInt8], claims: [UInt8]) throws(ProviderTokenProblem) {
        let parsed: (Header, Claims)
        do {
            let decoder = JSONDecoder()
            parsed = (
                try decoder.decode(Header.self, from: Data(header)),
                try decoder.decode(Claims.self, from: Data(claims))
            )
        } catch {
            throw .malformed("alg, kid and iss must be texts, iat a whole number")
        }
        guard parsed.0.alg == "ES256" else { throw .malformed("alg must be ES256") }
        keyID = parsed.0.kid
        teamID = parsed.1.iss
        issuedAt = parsed.1.iat
    }

    private struct Header: Decodable {
        let alg: String
        let kid: String
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: Int64
    }
}
