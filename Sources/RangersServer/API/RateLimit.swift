internal import GameLogic
internal import PushPolicy

/// The tries that each player, or each address, has left: a bucket for each that refills over time.
/// A value; time is a parameter.
struct RateLimit: Sendable {
    /// The most players remembered at a time; beyond it, those with the fullest buckets go first.
    static let playersMax = 10_000

    static let inviteGuesses = RateLimit(burst: 10, refillMilliseconds: 6000)
    static let recoveryGuesses = RateLimit(burst: 5, refillMilliseconds: 60_000)
    static let channelOpenings = RateLimit(burst: 5, refillMilliseconds: 600_000)

    /// The number of tries in a full bucket.
    let burst: Int
    /// How long one try takes to refill, in milliseconds.
    let refillMilliseconds: Int64
    /// When each bucket will be full again.
    private var fullAt: [String: WallTime] = [:]

    init(burst: Int, refillMilliseconds: Int64) {
        self.burst = burst
        self.refillMilliseconds = refillMilliseconds
    }

    /// Returns how many seconds the client must wait; `nil` when a try is left.
    func wait(for client: String, now: WallTime) -> Int? {
        let missing = (fullAt[client] ?? now).milliseconds - now.milliseconds
        let excess = missing - Int64(burst - 1) * refillMilliseconds
        return excess > 0 ? Int((excess + 999) / 1000) : nil
    }

    /// Takes one try.
    mutating func spend(_ client: String, now: WallTime) {
        fullAt[client] = max(fullAt[client] ?? now, now)
            .adding(milliseconds: refillMilliseconds)
        guard fullAt.count > Self.playersMax else { return }
        fullAt = fullAt.filter { $0.value > now }
        while fullAt.count > Self.playersMax, let fullest = fullAt.min(by: { $0.value < $1.value })
        {
            fullAt[fullest.key] = nil
        }
    }

    /// Reverts the last `spend`, because the try did not count.
    mutating func giveBack(to client: String) {
        // A time in the past means a full bucket, the same as no entry.
        fullAt[client] = fullAt[client]?.adding(milliseconds: -refillMilliseconds)
    }
}

extension RateLimit {
    func wait(for player: PlayerID, now: WallTime) -> Int? {
        wait(for: player.rawValue, now: now)
    }

    mutating func spend(_ player: PlayerID, now: WallTime) { spend(player.rawValue, now: now) }

    mutating func giveBack(to player: PlayerID) { giveBack(to: player.rawValue) }
}
