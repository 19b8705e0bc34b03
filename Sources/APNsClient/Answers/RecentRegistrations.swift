/// Tokens that were registered lately, and so are not to be judged by what APNs says of pushes that
/// left before: pure, on the steady clock in milliseconds.
///
/// An answer may be on its way just when the app registers its token again. Bounded: in a wave of
/// registrations all tokens count as registered, at the price of one more refusal by APNs for each
/// bad one that is not believed meanwhile.
struct RecentRegistrations: Sendable {
    /// Tokens that are remembered one by one.
    static let tokensMax = 10_000
    /// How long one is remembered: an answer takes at most a request's timeout, and some
    /// repetitions.
    static let stayMilliseconds: Int64 = 5 * 60_000

    /// When each was registered, by its hash.
    private var times: [Int: Int64] = [:]
    /// When all of them count as registered.
    private var waveAt: Int64?

    /// Tokens that are remembered.
    var count: Int { times.count }

    /// Somebody has registered a token, given as its hash.
    mutating func note(_ token: Int, at now: Int64) {
        if times.count >= Self.tokensMax { makeRoom(at: now) }
        times[token] = now
    }

    /// Whether a token was registered after a push to it was handed in, so that the push's answer
    /// may be about the time before.
    func mayOutdate(_ token: Int, pushOf handedInAt: Int64, at now: Int64) -> Bool {
        [times[token], waveAt].contains { time in
            guard let time else { return false }
            return handedInAt <= time && now - time < Self.stayMilliseconds
        }
    }

    /// Half of the room is made, at least: to look at all of them for each one would be slow.
    private mutating func makeRoom(at now: Int64) {
        times = times.filter { now - $0.value < Self.stayMilliseconds }
        guard times.count > Self.tokensMax / 2 else { return }
        times.removeAll(keepingCapacity: true)
        waveAt = now
    }
}
