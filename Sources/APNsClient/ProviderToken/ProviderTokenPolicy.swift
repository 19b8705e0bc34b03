/// When one key may sign a new provider token: pure.
///
/// Apple wants a new one at most every 20 and at least every 60 minutes. So one is used for 45,
/// and a second one is never signed within 20, except where APNs has refused a token that the
/// clock calls too old or of the future: the clock was set meanwhile.
///
/// Two clocks, in milliseconds: `wall` is what goes into `iat` and may be set back and forth,
/// `steady` only runs. The steady clock decides, because after a step nobody can know whether the
/// wall clock was right before it or after; APNs does, and says so by refusing the token.
struct ProviderTokenPolicy: Sendable {
    /// A moment on both clocks, in milliseconds.
    struct Moment: Hashable, Sendable {
        /// Since 1970.
        let wall: Int64
        /// Since any fixed moment.
        let steady: Int64
    }

    /// What to do before a push.
    enum Step: Hashable, Sendable {
        case use
        /// Sign a token, and say so by `minted`.
        case mint
    }

    /// What to do after APNs has refused the present token.
    enum Remedy: Hashable, Sendable {
        /// Sign a new one and try with it.
        case mint
        /// A new one may not be signed yet, or would say the same: give up.
        case giveUp
    }

    static let reuseMilliseconds: Int64 = 45 * 60_000
    static let spacingMilliseconds: Int64 = 20 * 60_000
    static let ageMaxMilliseconds: Int64 = 55 * 60_000
    /// At this age a token is replaced even while APNs wants no other: in a minute it would be
    /// refused for certain, and each refusal counts as an error of ours.
    static let lastCallMilliseconds: Int64 = 59 * 60_000

    private var mintedAt: Moment?
    private var noMintBefore: Int64?

    /// Notes that a token was signed with this moment as `iat`.
    mutating func minted(at moment: Moment) { mintedAt = moment }

    /// Takes over a token that was signed before a restart.
    ///
    /// The steady clock may have begun anew since then, so the wall clock has to tell the token's
    /// age. One of the future counts as signed just now: the clock was set back while nobody
    /// looked, so its true age is unknown, and with it whether another one would be one too many.
    /// If it is too old in truth, APNs refuses it, and then it is replaced at once.
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

    /// Whether the present token may be used for a push now.
    func step(at moment: Moment) -> Step {
        guard let mintedAt else { return .mint }
        guard !isStopped(at: moment) else { return .use }
        return moment.steady - mintedAt.steady >= Self.reuseMilliseconds
            || (isSpaced(at: moment) && isOddlyOld(at: moment, limit: Self.reuseMilliseconds))
            ? .mint : .use
    }

    /// APNs refused the present token.
    func refused(at moment: Moment) -> Remedy {
        guard !isStopped(at: moment) else { return .giveUp }
        return isSpaced(at: moment) || isOddlyOld(at: moment, limit: Self.ageMaxMilliseconds)
            ? .mint : .giveUp
    }

    /// APNs answered `TooManyProviderTokenUpdates`: nothing is signed for 20 minutes, or for what
    /// was left of them before a restart. Further such answers do not prolong it: whatever is in
    /// flight gets one, and the token must not grow too old over them.
    mutating func stopMinting(
        for milliseconds: Int64 = spacingMilliseconds, at moment: Moment
    ) {
        guard stopLeft(at: moment) == 0 else { return }
        noMintBefore = moment.steady + min(milliseconds, Self.spacingMilliseconds)
    }

    /// How long APNs still wants no other token; 0: it does not mind.
    func stopLeft(at moment: Moment) -> Int64 {
        noMintBefore.map { max(0, $0 - moment.steady) } ?? 0
    }

    /// Whether nothing may be signed because APNs has had too much.
    func isStopped(at moment: Moment) -> Bool {
        guard stopLeft(at: moment) > 0 else { return false }
        guard let mintedAt else { return true }
        return moment.steady - mintedAt.steady < Self.lastCallMilliseconds
    }

    private func isSpaced(at moment: Moment) -> Bool {
        guard let mintedAt else { return true }
        return moment.steady - mintedAt.steady >= Self.spacingMilliseconds
    }

    /// Whether the wall clock calls the token older than `limit`, or of the future.
    private func isOddlyOld(at moment: Moment, limit: Int64) -> Bool {
        guard let mintedAt else { return false }
        let age = moment.wall - mintedAt.wall
        return age < 0 || age >= limit
    }
}
