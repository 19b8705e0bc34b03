/// Players with a token that APNs has accepted, and players with bad ones. Bounded.
struct TokenPlayers: Sendable {
    /// The most players known as proven. They are kept in two generations: when the newer one is
    /// full, the older one is forgotten.
    static let provenMax = 1 << 18
    /// The most players with bad tokens. Beyond it no more are noted until others have expired: for
    /// them the share of unproven players has to do.
    static let badPlayersMax = 1 << 16
    /// How often expired ones are looked for when there is no room, in milliseconds.
    private static let sweepMilliseconds: Int64 = 60_000

    private struct Bad: Sendable {
        var count: Int
        var until: Int64
    }

    private var proven: Set<UInt64> = []
    private var provenBefore: Set<UInt64> = []
    private var bad: [UInt64: Bad] = [:]
    private var sweptAt: Int64?

    var count: Int { proven.count + provenBefore.count + bad.count }

    func isProven(_ player: UInt64) -> Bool {
        proven.contains(player) || provenBefore.contains(player)
    }

    mutating func prove(_ player: UInt64) {
        guard !proven.contains(player) else { return }
        if proven.count >= Self.provenMax / 2 {
            provenBefore = proven
            proven = []
        }
        proven.insert(player)
    }

    /// Returns how long the player's new tokens still rest, in milliseconds; `nil`: they do not.
    func rest(of player: UInt64, at now: Int64) -> Int64? {
        guard let known = bad[player], known.count >= TokenTrust.badMax, known.until > now else {
            return nil
        }
        return known.until - now
    }

    mutating func noteBad(_ player: UInt64, at now: Int64) {
        var noted = Bad(count: 0, until: 0)
        if let known = bad[player] {
            if known.until > now { noted = known }
        } else if !hasRoom(at: now) {
            return
        }
        noted.count += 1
        // What was under way when the rest began does not prolong it.
        if noted.count <= TokenTrust.badMax { noted.until = now + TokenTrust.restMilliseconds }
        bad[player] = noted
    }

    private mutating func hasRoom(at now: Int64) -> Bool {
        if bad.count < Self.badPlayersMax { return true }
        if let sweptAt, now - sweptAt < Self.sweepMilliseconds { return false }
        sweptAt = now
        bad = bad.filter { $0.value.until > now }
        return bad.count < Self.badPlayersMax
    }
}
