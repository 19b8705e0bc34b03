/// Chooses which of a team's keys signs, and what to do when APNs refuses its tokens. Pure.
///
/// The first key is preferred. When APNs refuses its token as invalid (revoked, or not known yet)
/// or its key as one of the other environment, another key takes over. The first key is tried again
/// when the other's token expires, but not within six hours. Apple's 20 minutes apply to each key
/// separately.
///
/// A refusal that may blame the key or not puts the other key on trial: if that one gets the same
/// refusal within seconds, the key was not the reason, and the one before serves again.
struct KeyRotation: Sendable {
    typealias Moment = ProviderTokenPolicy.Moment

    /// The token to use.
    enum Choice: Hashable, Sendable {
        /// The current token of the key at this position.
        case present(key: Int)
        /// A new token: sign one with that key, then call `minted`.
        case mint(key: Int)
    }

    /// Why APNs refused a token.
    enum Complaint: Hashable, Sendable {
        /// `ExpiredProviderToken`: another key's token would be just as old.
        case expired
        /// `InvalidProviderToken`: the key may be revoked.
        case invalid
        /// `BadEnvironmentKeyInToken`: the key is for the sandbox and this is production, or vice
        /// versa. All of its tokens would be refused.
        case otherEnvironment
        /// A 403 with an unknown reason: the key, or anything else.
        case unknown
    }

    /// How long a refused key rests before a regular change of tokens may try it.
    static let restMilliseconds: Int64 = 6 * 60 * 60_000
    /// How long a refused key rests when the other one is refused too, and the least time between
    /// two trials.
    static let alternationMilliseconds: Int64 = 20 * 60_000
    /// How long a key is on trial: longer than the pushes in flight take.
    static let trialMilliseconds: Int64 = 30_000

    private struct Key {
        var policy = ProviderTokenPolicy()
        /// On the steady clock.
        var refusedAt: Int64?

        func hasRested(_ milliseconds: Int64, at moment: Moment) -> Bool {
            refusedAt.map { moment.steady - $0 >= milliseconds } ?? true
        }
    }

    private var keys: [Key]
    /// The position of the key in use.
    private(set) var current = 0
    /// The number of the token in use; it grows with each change of token.
    private(set) var generation = 0
    /// The highest number of a token that was refused and replaced; 0: none.
    private(set) var refused = 0
    /// Tokens signed.
    private(set) var minted = 0
    /// When the newest trial began, and the key that served before; `nil`: there was none.
    private var trial: (began: Int64, before: Int)?

    init(keys count: Int) {
        precondition(count > 0, "a rotation needs a key, not \(count)")
        keys = Array(repeating: Key(), count: count)
    }

    /// Returns the token for a push now.
    mutating func choice(at moment: Moment) -> Choice {
        switch keys[current].policy.step(at: moment) {
        case .use: .present(key: current)
        case .mint: choice(of: preferred(at: moment), at: moment)
        }
    }

    /// Chooses a token for a retry after APNs refused one.
    ///
    /// - Parameters:
    ///   - used: The number of the token that the push carried.
    ///   - complaint: APNs' reason.
    ///   - moment: Now.
    /// - Returns: The token to retry with; `nil`: none is available.
    mutating func choice(
        afterRefusalOf used: Int, _ complaint: Complaint, at moment: Moment
    ) -> Choice? {
        guard used == generation else { return .present(key: current) }
        switch complaint {
        case .expired: return renewal(at: moment)
        case .invalid: return standIn(at: moment) ?? renewal(at: moment)
        case .otherEnvironment: return standIn(at: moment)
        case .unknown: return tryOther(at: moment)
        }
    }

    /// Ends the trial of a key that got the same refusal as the one before, which serves again.
    /// `used` is the number of the token that the push carried.
    mutating func endTrial(ofGeneration used: Int, at moment: Moment) {
        guard used == generation, let trial, current != trial.before,
            moment.steady - trial.began < Self.trialMilliseconds
        else { return }
        refused = generation
        use(trial.before)
    }

    /// Records that a token was signed and is now in use.
    mutating func minted(key: Int, at moment: Moment) {
        keys[key].policy.minted(at: moment)
        minted += 1
        use(key)
    }

    /// Adopts a token from before a restart; returns whether it may still be used.
    mutating func adopt(key: Int, issuedAt: Int64, age: Int64, at moment: Moment) -> Bool {
        guard keys[key].policy.adopt(issuedAt: issuedAt, age: age, at: moment) else {
            return false
        }
        if key == current { generation += 1 }
        return true
    }

    /// Adopts a newer token that another program has signed; returns whether it is one.
    mutating func follow(key: Int, issuedAt: Int64, age: Int64, at moment: Moment) -> Bool {
        guard keys[key].policy.follow(issuedAt: issuedAt, age: age, at: moment) else {
            return false
        }
        if key == current { generation += 1 }
        return true
    }

    /// Whether the token in use serves until another program signs the next one.
    func canFollow(at moment: Moment) -> Bool { keys[current].policy.canFollow(at: moment) }

    /// Returns how long ago a key's newest token was signed, in milliseconds; 0 without one.
    func age(ofKey key: Int, at moment: Moment) -> Int64 { keys[key].policy.age(at: moment) }

    /// Stops signing for 20 minutes with all keys, because APNs has received too many tokens; after
    /// a restart for the rest of that time.
    mutating func stopMinting(
        for milliseconds: Int64 = ProviderTokenPolicy.spacingMilliseconds, at moment: Moment
    ) {
        for index in keys.indices {
            keys[index].policy.stopMinting(for: milliseconds, at: moment)
        }
    }

    /// Returns how long APNs still refuses new tokens; 0: it does not.
    func stopLeft(at moment: Moment) -> Int64 {
        keys.reduce(0) { max($0, $1.policy.stopLeft(at: moment)) }
    }

    /// Returns a new token of the key in use, if one may be signed.
    private mutating func renewal(at moment: Moment) -> Choice? {
        switch keys[current].policy.refused(at: moment) {
        case .mint:
            refused = generation
            return .mint(key: current)
        case .giveUp:
            return nil
        }
    }

    /// Returns a token of another key after the current one was refused.
    private mutating func standIn(at moment: Moment) -> Choice? {
        keys[current].refusedAt = moment.steady
        guard let other = stand(at: moment) else { return nil }
        refused = generation
        return choice(of: other, at: moment)
    }

    /// Returns a token of another key, on trial, or ends the trial.
    private mutating func tryOther(at moment: Moment) -> Choice? {
        if let trial, moment.steady - trial.began < Self.alternationMilliseconds {
            let isOnTrial = moment.steady - trial.began < Self.trialMilliseconds
            guard isOnTrial, current != trial.before else { return nil }
            refused = generation
            return choice(of: trial.before, at: moment)
        }
        guard let other = stand(at: moment) else { return nil }
        trial = (moment.steady, current)
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

    /// Returns the first key that is not known to be bad.
    private func preferred(at moment: Moment) -> Int {
        keys.firstIndex { $0.hasRested(Self.restMilliseconds, at: moment) } ?? current
    }

    /// Returns the key that replaces the current one.
    private func stand(at moment: Moment) -> Int? {
        keys.indices.first { index in
            index != current && !keys[index].policy.isStopped(at: moment)
                && keys[index].hasRested(Self.alternationMilliseconds, at: moment)
        }
    }
}

extension KeyRotation.Complaint {
    /// Reads what a refusal means for its token.
    init(_ refusal: APNsClient.Refusal) {
        switch refusal.action {
        case .changeProviderKey: self = .otherEnvironment
        case .renewProviderToken:
            self = refusal.reason == "ExpiredProviderToken" ? .expired : .invalid
        case .dropToken, .deadLetter, .fixSettings, .newConnection, .backOffDevice, .stopMinting,
            .backOffHost, .retryLater:
            self = .unknown
        }
    }
}
