/// Storage that keeps provider tokens across restarts, so that frequent restarts do not sign more
/// of them than Apple allows.
///
/// Both methods report their own failures, for example to a log. Pushes continue without them.
public protocol ProviderTokenStorage: Sendable {
    /// The time of `StoredProviderToken`: milliseconds since a fixed moment, which must continue over
    /// restarts. The wall clock will do if nobody sets it.
    var now: Int64 { get }

    /// Returns the saved tokens: the newest of each key, or none.
    func load() async -> [StoredProviderToken]

    /// Replaces the token of the same key and team. It is secret while valid: keep it where only
    /// the server's user can read it.
    func save(_ token: StoredProviderToken) async
}

/// A provider token with its key's ids. Prints redacted.
public struct StoredProviderToken: Hashable, Sendable {
    /// `kid`.
    public let keyID: String
    /// `iss`.
    public let teamID: String
    /// The token with its `iat`.
    public let token: ProviderToken
    /// When it was signed, in the storage's time.
    public let signedAt: Int64
    /// After `TooManyProviderTokenUpdates`: when Apple accepts a new token again, in the storage's
    /// time.
    public let noOtherBefore: Int64?

    /// Creates a stored token from its fields.
    public init(
        keyID: String, teamID: String, token: ProviderToken, signedAt: Int64,
        noOtherBefore: Int64? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.token = token
        self.signedAt = signedAt
        self.noOtherBefore = noOtherBefore
    }
}
