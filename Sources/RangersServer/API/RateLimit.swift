internal import GameLogic
internal import PushPolicy

/// How many tries a player has left: a bucket for each that fills again with time. A value; time
/// is a parameter.
struct RateLimit: Sendable {
    /// Players who are remembered at a time; beyond it, those with the fullest buckets go first.
    static let playersMax = 10_000

    /// Tries that a rested player has.
    let burst: Int
    /// How long one try takes to come back, in milliseconds.
    let refillMilliseconds: Int64
    /// When each player's bucket will be full again.
    private var fullAt: [PlayerID: WallTime] = [:]

    init(burst: Int, refillMilliseconds: Int64) {
        self.burst = burst
        self.refillMilliseconds = refillMilliseconds
    }

    /// How many seconds the player must wait; `nil` when there is a try left.
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

    /// Takes the last `spend` back: what was tried never happened.
    mutating func giveBack(to player: PlayerID) {
        // A moment that has passed by this means the same as none: the bucket is full.
        fullAt[player] = fullAt[player]?.adding(milliseconds: -refillMilliseconds)
    }
}
