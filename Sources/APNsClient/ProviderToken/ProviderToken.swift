internal import JSONWriter

/// A signed provider token (JWT). Prints redacted.
public struct ProviderToken: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    /// The token itself, for the wire only.
    public let jwt: String
    /// Its `iat`, in seconds since 1970.
    public let issuedAt: Int64
    /// The value of the `authorization` header.
    package let authorization: String

    /// Wraps an existing token.
    public init(jwt: String, issuedAt: Int64) {
        self.jwt = jwt
        self.issuedAt = issuedAt
        authorization = "bearer \(jwt)"
    }

    /// Signs a new token. APNs requires `iat` as a JSON number.
    package init(
        keyID: String, teamID: String, issuedAt: Int64, key: ES256PrivateKey
    ) throws(APNsConfigurationError) {
        var header = JSONWriter(reserving: 64)
        header.beginObject()
        header.field("alg", "ES256")
        header.field("kid", keyID)
        header.endObject()
        var claims = JSONWriter(reserving: 64)
        claims.beginObject()
        claims.field("iss", teamID)
        claims.field("iat", issuedAt)
        claims.endObject()
        let message = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
        let signature = try key.signature(of: Array(message.utf8))
        self.init(jwt: "\(message).\(Base64URL.encode(signature))", issuedAt: issuedAt)
    }

    /// A placeholder for the token.
    public var description: String { "<provider token>" }
    /// A placeholder for the token.
    public var debugDescription: String { description }
    /// An empty mirror: `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
