/// Storage that keeps provider tokens across restarts, so that frequent restarts do not sign more
/// of them than Apple allows.
///
/// Both methods report their own failures, for example to a log. Pushes continue without them.
public protocol ProviderTokenStorage: Sendable {
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
    /// After `TooManyProviderTokenUpdates`: when Apple accepts a new token again, in milliseconds
    /// since 1970.
    public let noOtherBefore: Int64?
    /// By how many milliseconds the wall clock was stepped since the token was saved, as far as
    /// storage knows. The token's age does not include it: Apple's clock was not stepped.
    public let clockStep: Int64

    /// Creates a stored token from its fields.
    public init(
        keyID: String, teamID: String, token: ProviderToken, noOtherBefore: Int64? = nil,
        clockStep: Int64 = 0
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.token = token
        self.noOtherBefore = noOtherBefore
        self.clockStep = clockStep
    }
}
