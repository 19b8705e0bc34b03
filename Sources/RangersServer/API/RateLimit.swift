internal import GameLogic
internal import PushPolicy

/// The tries that each player has left: a bucket per player that refills over time. A value; time
/// is a parameter.
struct RateLimit: Sendable {
    /// The most players remembered at a time; beyond it, those with the fullest buckets go first.
    static let playersMax = 10_000

    static let inviteGuesses = RateLimit(burst: 10, refillMilliseconds: 6000)
    static let channelOpenings = RateLimit(burst: 5, refillMilliseconds: 600_000)

    /// The number of tries in a full bucket.
    let burst: Int
    /// How long one try takes to refill, in milliseconds.
    let refillMilliseconds: Int64
    /// When each player's bucket will be full again.
    private var fullAt: [PlayerID: WallTime] = [:]

    init(burst: Int, refillMilliseconds: Int64) {
        self.burst = burst
        self.refillMilliseconds = refillMilliseconds
    }

    /// Returns how many seconds the player must wait; `nil` when a try is left.
    func wait(for player: PlayerID, now: WallTime) -> Int? {
        let missing = (fullAt[player] ?? now).milliseconds - now.milliseconds
        let excess = missing - Int64(burst - 1) * refillMilliseconds
        return excess > 0 ? Int((excess + 999) / 1000) : nil
    }

    /// Takes one try.
    mutating func spend(_ player: PlayerID, now: WallTime) {
        fullAt[player] = max(fullAt[player] ?? now, now)
            .adding(milliseconds: refillMilliseconds)
        guard fullAt.count > Self.playersMax else { return }
        fullAt = fullAt.filter { $0.value > now }
        while fullAt.count > Self.playersMax, let fullest = fullAt.min(by: { $0.value < $1.value })
        {
            fullAt[fullest.key] = nil
        }
    }

    /// Reverts the last `spend`, because the try did not count.
    mutating func giveBack(to player: PlayerID) {
        // A time in the past means a full bucket, the same as no entry.
        fullAt[player] = fullAt[player]?.adding(milliseconds: -refillMilliseconds)
    }
}
