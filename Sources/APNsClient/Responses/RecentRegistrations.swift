/// Tokens registered recently, for which APNs' responses to earlier pushes do not count. Pure, on
/// the steady clock in milliseconds.
///
/// A response may be in flight just when the app registers its token again. The size is bounded: in
/// a wave of registrations all tokens count as registered, which costs one more refusal by APNs for
/// each bad one that is tried again.
struct RecentRegistrations: Sendable {
    /// The most tokens kept individually.
    static let tokensMax = 10_000
    /// How long a token is kept: a response takes at most a request's timeout and some repetitions.
    static let stayMilliseconds: Int64 = 5 * 60_000

    /// The registration times, by the token's hash.
    private var times: [Int: Int64] = [:]
    /// When all tokens count as registered.
    private var waveAt: Int64?

    /// The number of tokens kept.
    var count: Int { times.count }

    /// Records the registration of a token, given as its hash.
    mutating func note(_ token: Int, at now: Int64) {
        if times.count >= Self.tokensMax { makeRoom(at: now) }
        times[token] = now
    }

    /// Returns whether a token was registered after a push to it was submitted, so that the push's
    /// response may be outdated.
    func mayOutdate(_ token: Int, pushOf submittedAt: Int64, at now: Int64) -> Bool {
        [times[token], waveAt].contains { time in
            guard let time else { return false }
            return submittedAt <= time && now - time < Self.stayMilliseconds
        }
    }

    /// Frees at least half of the room, because a scan for each registration would be slow.
    private mutating func makeRoom(at now: Int64) {
        times = times.filter { now - $0.value < Self.stayMilliseconds }
        guard times.count > Self.tokensMax / 2 else { return }
        times.removeAll(keepingCapacity: true)
        waveAt = now
    }
}
