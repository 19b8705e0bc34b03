/// Which of a team's keys is in use, and what to do when APNs does not take its tokens: pure.
///
/// The first key is the one to use. When APNs calls its token invalid (revoked, or not known
/// yet) or its key one of the other environment, the other one takes over; the first is tried again
/// when the other's token has served its time, but not within six hours. Each key keeps Apple's 20
/// minutes for itself.
struct KeyRotation: Sendable {
    typealias Moment = ProviderTokenPolicy.Moment

    /// Which token to use.
    enum Choice: Hashable, Sendable {
        /// The present one of the key with this place in the list.
        case present(key: Int)
        /// Sign one with that key, and say so by `minted`.
        case mint(key: Int)
    }

    /// Why APNs did not take a token.
    enum Complaint: Hashable, Sendable {
        /// `ExpiredProviderToken`: another key's token would be as old.
        case expired
        /// `InvalidProviderToken`: the key may be revoked.
        case invalid
        /// `BadEnvironmentKeyIdInToken`: the key is for the sandbox and this is production, or the
        /// other way round. Another token of it would be refused alike.
        case otherEnvironment
    }

    /// How long a refused key is left alone before it is tried in a regular change of tokens.
    static let restMilliseconds: Int64 = 6 * 60 * 60_000
    /// How long a refused key is left alone when the other one is refused too.
    static let alternationMilliseconds: Int64 = 20 * 60_000

    private struct Key {
        var policy = ProviderTokenPolicy()
        /// On the steady clock.
        var refusedAt: Int64?

        func hasRested(_ milliseconds: Int64, at moment: Moment) -> Bool {
            refusedAt.map { moment.steady - $0 >= milliseconds } ?? true
        }
    }

    private var keys: [Key]
    /// The place of the key in use.
    private(set) var current = 0
    /// The number of the token in use; it grows with every other token.
    private(set) var generation = 0
    /// The newest number of a token that was refused and replaced: 0 for none.
    private(set) var refused = 0
    /// How many tokens were signed.
    private(set) var minted = 0

    init(keys count: Int) {
        precondition(count > 0, "a rotation needs a key, not \(count)")
        keys = Array(repeating: Key(), count: count)
    }

    /// The token for a push now.
    mutating func choice(at moment: Moment) -> Choice {
        switch keys[current].policy.step(at: moment) {
        case .use: .present(key: current)
        case .mint: choice(of: preferred(at: moment), at: moment)
        }
    }

    /// APNs did not take a token; `nil`: there is none to try with.
    ///
    /// - Parameters:
    ///   - used: The number of the token that the push carried.
    ///   - complaint: What APNs said of it.
    ///   - moment: Now.
    /// - Returns: With which token to try again.
    mutating func choice(
        afterRefusalOf used: Int, _ complaint: Complaint, at moment: Moment
    ) -> Choice? {
        guard used == generation else { return .present(key: current) }
        switch complaint {
        case .expired: return renewal(at: moment)
        case .invalid: return standIn(at: moment) ?? renewal(at: moment)
        case .otherEnvironment: return standIn(at: moment)
        }
    }

    /// Notes that a token was signed and is in use from now on.
    mutating func minted(key: Int, at moment: Moment) {
        keys[key].policy.minted(at: moment)
        minted += 1
        use(key)
    }

    /// Takes over a token from before a restart; tells whether it may still be used.
    mutating func adopt(key: Int, issuedAt: Int64, at moment: Moment) -> Bool {
        guard keys[key].policy.adopt(issuedAt: issuedAt, at: moment) else { return false }
        if key == current { generation += 1 }
        return true
    }

    /// APNs has had too many tokens: none is signed for 20 minutes, with whatever key, or for what
    /// was left of them before a restart.
    mutating func stopMinting(
        for milliseconds: Int64 = ProviderTokenPolicy.spacingMilliseconds, at moment: Moment
    ) {
        for index in keys.indices {
            keys[index].policy.stopMinting(for: milliseconds, at: moment)
        }
    }

    /// How long APNs still wants no other token; 0: it does not mind.
    func stopLeft(at moment: Moment) -> Int64 {
        keys.reduce(0) { max($0, $1.policy.stopLeft(at: moment)) }
    }

    /// A new token of the key in use, where one may be signed.
    private mutating func renewal(at moment: Moment) -> Choice? {
        switch keys[current].policy.refused(at: moment) {
        case .mint:
            refused = generation
            return .mint(key: current)
        case .giveUp:
            return nil
        }
    }

    /// A token of another key, now that the one in use was refused.
    private mutating func standIn(at moment: Moment) -> Choice? {
        keys[current].refusedAt = moment.steady
        guard let other = stand(at: moment) else { return nil }
        refused = generation
        return choice(of: other, at: moment)
    }

    private mutating func choice(of key: Int, at moment: Moment) -> Choice {
        guard keys[key].policy.step(at: moment) == .use else { return .mint(key: key) }
        if key != current { use(key) }
        return .present(key: key)
    }

    private mutating func use(_ key: Int) {
        current = key
        generation += 1
    }

    /// The first key that is not known to be bad.
    private func preferred(at moment: Moment) -> Int {
        keys.firstIndex { $0.hasRested(Self.restMilliseconds, at: moment) } ?? current
    }

    /// The key that steps in for the current one.
    private func stand(at moment: Moment) -> Int? {
        keys.indices.first { index in
            index != current && !keys[index].policy.isStopped(at: moment)
                && keys[index].hasRested(Self.alternationMilliseconds, at: moment)
        }
    }
}

extension KeyRotation.Complaint {
    /// What a refusal says of the token that it came for.
    init(_ refusal: APNsClient.Refusal) {
        self =
            switch refusal.reason {
            case "ExpiredProviderToken": .expired
            case "BadEnvironmentKeyIdInToken": .otherEnvironment
            default: .invalid
            }
    }
}
