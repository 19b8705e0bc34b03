/// Keeps provider tokens over a restart, so that a program that is started again and again does
/// not sign more of them than Apple allows.
///
/// Both calls report their own failures, to a log say: without a storage's help pushes go on.
public protocol ProviderTokenStorage: Sendable {
    /// The tokens that were saved: the newest of each key, or none.
    func load() async -> [StoredProviderToken]

    /// Replaces the token of the same key and team. It is a secret for as long as it is valid:
    /// keep it where nobody else can read it.
    func save(_ token: StoredProviderToken) async
}

/// A provider token with the names of the key that has signed it. Prints redacted.
public struct StoredProviderToken: Hashable, Sendable {
    /// `kid`.
    public let keyID: String
    /// `iss`.
    public let teamID: String
    /// The token with its `iat`.
    public let token: ProviderToken
    /// After `TooManyProviderTokenUpdates`: Apple wants no other token before then, milliseconds
    /// since 1970.
    public let noOtherBefore: Int64?

    /// A token as it was saved.
    public init(
        keyID: String, teamID: String, token: ProviderToken, noOtherBefore: Int64? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.token = token
        self.noOtherBefore = noOtherBefore
    }
}
