/// Decides when one key may sign a new provider token. Pure.
///
/// Apple requires a new token at most every 20 and at least every 60 minutes. A token is therefore
/// used for 45 minutes, and a second one is never signed within 20, unless APNs has refused a token
/// that the wall clock shows as too old or as one of the future, because the clock was set meanwhile.
///
/// There are two clocks, in milliseconds: `wall` goes into `iat` and may be set, `steady` only
/// advances. The steady clock decides until APNs refuses the token: after a step it is unknown
/// whether the wall clock was right before or after it, and the refusal reveals it.
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

    /// The age up to which a token is used on where another program signs the next one.
    static let followedMilliseconds: Int64 = 50 * 60_000

    private var mintedAt: Moment?
    private var noMintBefore: Int64?

    /// Records that a token was signed with this moment as `iat`.
    mutating func minted(at moment: Moment) { mintedAt = moment }

    /// Adopts a token signed before a restart.
    ///
    /// - Parameters:
    ///   - issuedAt: Its `iat`, in milliseconds since 1970.
    ///   - age: How long ago it was signed, in milliseconds, whatever the wall clock says. A negative
    ///     one counts as 0: storage's time may have gone back over a boot.
    ///   - moment: Now.
    /// - Returns: Whether it may still be used.
    mutating func adopt(issuedAt: Int64, age: Int64, at moment: Moment) -> Bool {
        guard mintedAt == nil, age < Self.ageMaxMilliseconds else { return false }
        mintedAt = Moment(wall: issuedAt, steady: moment.steady - max(age, 0))
        return true
    }

    /// Adopts a token that another program has signed, if it is newer than the current one.
    mutating func follow(issuedAt: Int64, age: Int64, at moment: Moment) -> Bool {
        let isNewer = mintedAt.map { moment.steady - $0.steady > max(age, 0) } ?? true
        guard isNewer, age < Self.ageMaxMilliseconds else { return false }
        mintedAt = Moment(wall: issuedAt, steady: moment.steady - max(age, 0))
        return true
    }

    /// Whether another program has time to sign the next token.
    func canFollow(at moment: Moment) -> Bool {
        mintedAt.map { moment.steady - $0.steady < Self.followedMilliseconds } ?? false
    }

    /// Returns how long ago the current token was signed, in milliseconds; 0 without one.
    func age(at moment: Moment) -> Int64 { mintedAt.map { moment.steady - $0.steady } ?? 0 }

    /// Returns whether the current token may be used for a push now.
    func step(at moment: Moment) -> Step {
        guard let mintedAt else { return .mint }
        guard !isStopped(at: moment) else { return .use }
        return moment.steady - mintedAt.steady >= Self.reuseMilliseconds ? .mint : .use
    }

    /// Returns the step after APNs refused the current token.
    func refused(at moment: Moment) -> Remedy {
        guard !isStopped(at: moment) else { return .giveUp }
        return isSpaced(at: moment) || isOddlyOld(at: moment) ? .mint : .giveUp
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

    /// Returns whether the wall clock shows the token as too old, or as one of the future.
    private func isOddlyOld(at moment: Moment) -> Bool {
        guard let mintedAt else { return false }
        return !(0..<Self.ageMaxMilliseconds).contains(moment.wall - mintedAt.wall)
    }
}
