package import APNsClient

/// A provider key as Apple stores it: its public half and its ids.
package struct ProviderKey: Sendable {
    /// `kid`, ten characters.
    package let keyID: String
    /// `iss`, ten characters.
    package let teamID: String
    package let publicKey: ES256PublicKey
    /// The environment of a team-scoped key; `nil`: a key of the older kind, for both.
    package let environment: APNsEnvironment?

    package init(
        keyID: String, teamID: String, publicKey: ES256PublicKey,
        environment: APNsEnvironment? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.publicKey = publicKey
        self.environment = environment
    }
}

/// Checks provider tokens. Verified signatures are cached, because every push carries the same
/// token for most of an hour; ages are checked each time.
struct ProviderTokenChecker: Sendable {
    private let keys: [ProviderKey]
    private let environment: APNsEnvironment
    private var seen: [String: Verified?] = [:]
    /// The last valid token with its header: nearly every push has the same.
    private var last: (authorization: String, token: Verified)?

    /// A token with a valid signature.
    struct Verified: Hashable, Sendable {
        let keyID: String
        /// Seconds since 1970.
        let issuedAt: Int64
        /// `nil`: the key is for both environments.
        let environment: APNsEnvironment?

        /// Returns Apple's refusal of its age; `nil`: none. `now` is in milliseconds since 1970.
        func problem(at now: Int64) -> RefusalReason? {
            let age = now / 1_000 - issuedAt
            guard age >= -Limit.aheadSeconds else { return .invalidProviderToken }
            return age <= Limit.ageSeconds ? nil : .expiredProviderToken
        }
    }

    private enum Limit {
        static let seenMax = 1_000
        static let ageSeconds: Int64 = 3_600
        /// The tolerance for a sender's clock that is ahead.
        static let aheadSeconds: Int64 = 60
    }

    init(keys: [ProviderKey], environment: APNsEnvironment) {
        self.keys = keys
        self.environment = environment
    }

    /// Returns the token of an `authorization` header, if Apple would accept it at this moment.
    mutating func check(
        _ authorization: String?, at now: Int64
    ) throws(Refusal) -> Verified {
        guard let authorization, !authorization.isEmpty else {
            throw Refusal(.missingProviderToken)
        }
        guard let token = verified(authorization) else { throw Refusal(.invalidProviderToken) }
        guard token.environment == nil || token.environment == environment else {
            throw Refusal(.badEnvironmentKeyInToken)
        }
        if let problem = token.problem(at: now) { throw Refusal(problem) }
        return token
    }

    private mutating func verified(_ authorization: String) -> Verified? {
        if let last, last.authorization == authorization { return last.token }
        let token = remembered(authorization)
        if let token { last = (authorization, token) }
        return token
    }

    private mutating func remembered(_ authorization: String) -> Verified? {
        if let known = seen[authorization] { return known }
        let token = verify(authorization)
        if seen.count >= Limit.seenMax { seen.removeAll(keepingCapacity: true) }
        seen[authorization] = .some(token)
        return token
    }

    private func verify(_ authorization: String) -> Verified? {
        let scheme = "bearer "
        guard authorization.prefix(scheme.count).lowercased() == scheme else { return nil }
        let jwt = authorization.dropFirst(scheme.count)
        for key in keys {
            guard let claims = try? key.publicKey.verify(jwt), claims.keyID == key.keyID,
                claims.teamID == key.teamID
            else { continue }
            return Verified(
                keyID: claims.keyID, issuedAt: claims.issuedAt, environment: key.environment)
        }
        return nil
    }
}
