internal import HTTP2Server

/// The connections to the simulated APNs, with the provider tokens that each has used.
struct SimulatedConnections: Sendable {
    private var checker: ProviderTokenChecker
    private var states: [HTTP2Server.ConnectionID: ConnectionState] = [:]

    private static let countMax = 8_192

    init(_ checker: ProviderTokenChecker) { self.checker = checker }

    /// Replaces the valid keys.
    mutating func use(_ checker: ProviderTokenChecker) { self.checker = checker }

    /// Checks a provider token, against the connection's state too.
    mutating func check(
        _ authorization: String?, on connection: HTTP2Server.ConnectionID, at now: Int64
    ) throws(Refusal) {
        let token = try checker.check(authorization, at: now)
        forgetOld(unlessKnown: connection)
        try states[connection, default: ConnectionState()]
            .use(token, authorization: authorization ?? "", at: now)
    }

    /// Whether a request was accepted on the connection.
    func isTrusted(_ connection: HTTP2Server.ConnectionID) -> Bool {
        states[connection]?.isTrusted == true
    }

    /// Records an accepted request on a connection.
    mutating func trust(_ connection: HTTP2Server.ConnectionID) {
        forgetOld(unlessKnown: connection)
        states[connection, default: ConnectionState()].trust()
    }

    /// Drops the oldest connections: their ends are not reported. Numbers grow with time, below zero
    /// for the management address.
    private mutating func forgetOld(unlessKnown connection: HTTP2Server.ConnectionID) {
        guard states.count >= Self.countMax, states[connection] == nil else { return }
        let oldest = states.keys.sorted { $0.magnitude < $1.magnitude }.prefix(Self.countMax / 2)
        for number in oldest { states[number] = nil }
    }
}

/// APNs' state for one connection.
struct ConnectionState: Sendable {
    /// Whether a request was accepted, which allows more than one stream.
    private(set) var isTrusted = false
    private var keyID: String?
    private var tokens: Set<String> = []
    private var lastToken: String?
    private var refreshedAt: Int64?

    private static let refreshInterval: Int64 = 20 * 60_000

    /// Checks a token's use. A connection is bound to its first key, and accepts a new token at
    /// most once in 20 minutes. Known tokens may recur, because requests overtake each other.
    mutating func use(
        _ token: ProviderTokenChecker.Verified, authorization: String, at now: Int64
    ) throws(Refusal) {
        guard lastToken != authorization else { return }
        guard keyID == nil || keyID == token.keyID else { throw Refusal(.unrelatedKeyIDInToken) }
        guard !tokens.contains(authorization) else { return }
        if !tokens.isEmpty {
            if let refreshedAt, now - refreshedAt < Self.refreshInterval {
                throw Refusal(.tooManyProviderTokenUpdates)
            }
            refreshedAt = now
        }
        keyID = token.keyID
        tokens.insert(authorization)
        lastToken = authorization
    }

    mutating func trust() { isTrusted = true }
}
