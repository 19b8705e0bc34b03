/// Decides when one key may sign a new provider token. Pure.
///
/// Apple requires a new token at most every 20 and at least every 60 minutes. A token is therefore
/// used for 45 minutes, and a second one is never signed within 20, unless APNs has refused a token
/// that the clock shows as too old or as one of the future, because the clock was set meanwhile.
///
/// There are two clocks, in milliseconds: `wall` goes into `iat` and may be set, `steady` only
/// advances. The steady clock decides, because after a step it is unknown whether the wall clock
/// was right before or after it. APNs reveals that by refusing the token.
struct ProviderTokenPolicy: Sendable {
    /// A moment on both clocks, in milliseconds.
    struct Moment: Hashable, Sendable {
        /// Since 1970.
        let wall: Int64
        /// Since any fixed moment.
        let steady: Int64
    }

    /// The step before a push.
    enum Step: Hashable, Sendable {
        case use
        /// Sign a token, then call `minted`.
        case mint
    }

    /// The step after APNs refused the current token.
    enum Remedy: Hashable, Sendable {
        /// Sign a new one and retry.
        case mint
        /// Give up, because a new token may not be signed yet or would be identical.
        case giveUp
    }

    static let reuseMilliseconds: Int64 = 45 * 60_000
    static let spacingMilliseconds: Int64 = 20 * 60_000
    static let ageMaxMilliseconds: Int64 = 55 * 60_000
    /// The age at which a token is replaced even while APNs refuses new ones: a minute later it
    /// would certainly be refused, and each refusal counts as our error.
    static let lastCallMilliseconds: Int64 = 59 * 60_000

    private var mintedAt: Moment?
    private var noMintBefore: Int64?

    /// Records that a token was signed with this moment as `iat`.
    mutating func minted(at moment: Moment) { mintedAt = moment }

    /// Adopts a token signed before a restart.
    ///
    /// The steady clock may have restarted, so the wall clock determines the token's age. A token
    /// of the future counts as signed now: the clock was set back, so its true age is unknown, and
    /// a new token might be one too many. If it is really too old, APNs refuses it and it is
    /// replaced at once.
    ///
    /// - Parameters:
    ///   - issuedAt: Its `iat`, in milliseconds since 1970.
    ///   - moment: Now.
    /// - Returns: Whether it may still be used.
    mutating func adopt(issuedAt: Int64, at moment: Moment) -> Bool {
        let age = moment.wall - issuedAt
        guard mintedAt == nil, age < Self.ageMaxMilliseconds else { return false }
        mintedAt = Moment(wall: issuedAt, steady: moment.steady - max(age, 0))
        return true
    }

    /// Returns whether the current token may be used for a push now.
    func step(at moment: Moment) -> Step {
        guard let mintedAt else { return .mint }
        guard !isStopped(at: moment) else { return .use }
        return moment.steady - mintedAt.steady >= Self.reuseMilliseconds
            || (isSpaced(at: moment) && isOddlyOld(at: moment, limit: Self.reuseMilliseconds))
            ? .mint : .use
    }

    /// Returns the step after APNs refused the current token.
    func refused(at moment: Moment) -> Remedy {
        guard !isStopped(at: moment) else { return .giveUp }
        return isSpaced(at: moment) || isOddlyOld(at: moment, limit: Self.ageMaxMilliseconds)
            ? .mint : .giveUp
    }

    /// Stops signing for 20 minutes after `TooManyProviderTokenUpdates`, after a restart for the
    /// rest of that time. Further such responses do not prolong it: every request in flight gets
    /// one, and the token must not expire meanwhile.
    mutating func stopMinting(
        for milliseconds: Int64 = spacingMilliseconds, at moment: Moment
    ) {
        guard stopLeft(at: moment) == 0 else { return }
        noMintBefore = moment.steady + min(milliseconds, Self.spacingMilliseconds)
    }

    /// Returns how long APNs still refuses new tokens; 0: it does not.
    func stopLeft(at moment: Moment) -> Int64 {
        noMintBefore.map { max(0, $0 - moment.steady) } ?? 0
    }

    /// Returns whether signing is stopped because APNs has received too many tokens.
    func isStopped(at moment: Moment) -> Bool {
        guard stopLeft(at: moment) > 0 else { return false }
        guard let mintedAt else { return true }
        return moment.steady - mintedAt.steady < Self.lastCallMilliseconds
    }

    private func isSpaced(at moment: Moment) -> Bool {
        guard let mintedAt else { return true }
        return moment.steady - mintedAt.steady >= Self.spacingMilliseconds
    }

    /// Returns whether the wall clock shows the token as older than `limit`, or as one of the
    /// future.
    private func isOddlyOld(at moment: Moment, limit: Int64) -> Bool {
        guard let mintedAt else { return false }
        let age = moment.wall - mintedAt.wall
        return age < 0 || age >= limit
    }
}
