internal import Isolation

/// The one place where provider tokens are signed, shared by all connections to a host.
final class ProviderTokenMint: Sendable {
    /// A token and its number, by which a refusal is told from an outdated one.
    struct Issued: Sendable {
        let token: ProviderToken
        let generation: Int
    }

    /// What to try with after a refusal.
    struct Replacement: Sendable {
        let issued: Issued
        let connections: Connections

        /// Whether the connections that carried the refused token are still in use.
        enum Connections: Hashable, Sendable {
            /// This is the first refusal of that token: renew them now.
            case toBeRenewed
            /// An earlier refusal has seen to it.
            case renewed
        }
    }

    private struct State {
        var policy = ProviderTokenPolicy()
        var token: ProviderToken?
        var refusedGeneration = 0
    }

    private let key: ES256PrivateKey
    private let keyID: String
    private let teamID: String
    private let state = Locked(State())

    /// Reads the key once: a bad one is refused here, not at the first push.
    init(keyID: String, teamID: String, pem: PrivateKeyPEM) throws(APNsConfigurationError) {
        key = try ES256PrivateKey(pem)
        self.keyID = keyID
        self.teamID = teamID
    }

    /// The token for a push now; signs one where it is time (some 40 microseconds).
    func token(
        at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Issued {
        try state.withLock { state throws(APNsConfigurationError) -> Issued in
            switch state.policy.step(at: moment) {
            case .use: try self.present(&state, at: moment)
            case .mint: try self.mint(&state, at: moment)
            }
        }
    }

    /// The token for another try after APNs has refused one; `nil`: there is none to try with.
    func replacement(
        forGeneration used: Int, at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Replacement? {
        try state.withLock { state throws(APNsConfigurationError) -> Replacement? in
            let issued: Issued
            switch state.policy.refused(generation: used, at: moment) {
            case .useNewer: issued = try self.present(&state, at: moment)
            case .mint: issued = try self.mint(&state, at: moment)
            case .giveUp: return nil
            }
            guard used > state.refusedGeneration else {
                return Replacement(issued: issued, connections: .renewed)
            }
            state.refusedGeneration = used
            return Replacement(issued: issued, connections: .toBeRenewed)
        }
    }

    /// APNs answered `TooManyProviderTokenUpdates`.
    func stop(at moment: ProviderTokenPolicy.Moment) {
        state.withLock { $0.policy.stopMinting(at: moment) }
    }

    /// How many tokens were signed.
    var count: Int { state.withLock { $0.policy.generation } }

    private func present(
        _ state: inout State, at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Issued {
        guard let token = state.token else { return try mint(&state, at: moment) }
        return Issued(token: token, generation: state.policy.generation)
    }

    private func mint(
        _ state: inout State, at moment: ProviderTokenPolicy.Moment
    ) throws(APNsConfigurationError) -> Issued {
        let token = try ProviderToken(
            keyID: keyID, teamID: teamID, issuedAt: moment.wall / 1000, key: key)
        state.token = token
        state.policy.minted(at: moment)
        return Issued(token: token, generation: state.policy.generation)
    }
}
