/// What the server thinks of push tokens that APNs has not accepted yet, and of their players.
///
/// Anybody can invent push tokens, and APNs slows and disconnects a sender who uses many of them. So
/// players none of whose tokens was ever accepted share a small part of the sending rate while too
/// many such tokens are bad, and the new tokens of a player with three bad ones rest for a day. A
/// token that has been accepted is never asked for.
///
/// Most tries of a rest are kept for players whose network is within its share
/// (`Limit.firstPushes`); once these are used up, networks take turns. So whoever invents tokens
/// delays the first pushes of their own network.
///
/// Pure; time is a parameter, in milliseconds of a clock that never steps. Players and networks are
/// hashes with a seed of the process.
struct TokenTrust: Sendable {
    /// Bad tokens are too many if they are more than one in this many new ones.
    static let badPart = 20
    /// The fewest outcomes of new tokens that say anything.
    static let outcomesMin = 100
    /// Bad tokens of a player within a day until the player's new ones rest.
    static let badMax = 3
    /// How long they rest, and how long a bad token counts.
    static let restMilliseconds: Int64 = 24 * 60 * 60_000
    /// How many new tokens are tried in a second while too many are bad, or one for every `badPart`
    /// pushes that APNs accepts, if that is more.
    static let sharePerSecond: Int64 = 10
    /// How many are tried at once after a rest, and how many of them are kept for networks within
    /// their share.
    static let triesMax: Int64 = 200
    static let triesKept: Int64 = 160
    /// The shortest and the longest that a push waits for its share before it asks again.
    static let waits: ClosedRange<Int64> = 1000...60_000

    /// What may be done with the first push to a token.
    enum Decision: Hashable, Sendable {
        case send
        /// The player's new tokens rest. In milliseconds.
        case rest(milliseconds: Int64)
        /// The share of unproven players is used up. In milliseconds.
        case wait(milliseconds: Int64)
    }

    private var outcomes = RecentOutcomes()
    private var players = TokenPlayers()
    private var acceptances = AcceptanceRate()
    /// When all tries are there again.
    private var fullAt: Int64 = 0
    private var turns = TryTurns()
    /// When the next one of those that wait without a turn asks again.
    private var nextWaitingAt: Int64 = 0

    /// How many players are remembered.
    var playerCount: Int { players.count }

    /// Whether too many new tokens are bad, so that unproven players share a part of the rate.
    func isSharing(at now: Int64) -> Bool { outcomes.areTooManyBad(at: now) }

    /// Returns whether any token of the player was ever accepted, as far as is known.
    func isProven(_ player: UInt64) -> Bool { players.isProven(player) }

    /// Returns whether a first push to the player now counts for the share of the player's network.
    func needsShare(of player: UInt64, on network: UInt64, at now: Int64) -> Bool {
        isSharing(at: now) && !players.isProven(player)
            && players.rest(of: player, at: now) == nil && !turns.has(player, on: network)
    }

    /// Decides on a push to a token that was not accepted yet. `hasShare` is whether the player's
    /// network is within its share; `acceptedTotal` is the number of all pushes that APNs has accepted.
    mutating func decide(
        of player: UInt64, on network: UInt64, hasShare: Bool, acceptedTotal: Int64, at now: Int64
    ) -> Decision {
        acceptances.note(total: acceptedTotal, at: now)
        if let rest = players.rest(of: player, at: now) { return .rest(milliseconds: rest) }
        guard isSharing(at: now), !players.isProven(player) else { return .send }
        let share = max(Self.sharePerSecond, acceptances.perSecond / Int64(Self.badPart))
        let interval = max(1, 1000 / share)
        if let wait = turns.wait(of: player, on: network, at: now) {
            return wait > 0 ? .wait(milliseconds: wait) : .send
        }
        let tries = hasShare ? Self.triesMax : Self.triesMax - Self.triesKept
        let nextAt = max(fullAt, now) + interval
        let readyAt = nextAt - interval * tries
        if readyAt <= now {
            fullAt = nextAt
            return .send
        }
        if hasShare, readyAt - now <= Self.waits.upperBound,
            turns.give(player, on: network, at: readyAt, now: now)
        {
            fullAt = nextAt
            return .wait(milliseconds: max(readyAt - now, Self.waits.lowerBound))
        }
        // Each gets a time of its own, so that they do not all come back at once.
        nextWaitingAt = max(nextWaitingAt, now) + interval
        let wait = nextWaitingAt - now
        if wait > Self.waits.upperBound { nextWaitingAt = now }
        return .wait(
            milliseconds: min(max(wait, Self.waits.lowerBound), Self.waits.upperBound))
    }

    /// Notes that APNs has accepted the first push to a token.
    mutating func noteAccepted(of player: UInt64, at now: Int64) {
        outcomes.note(.accepted, at: now)
        players.prove(player)
    }

    /// Notes that APNs does not know a token of which it has accepted no push.
    mutating func noteBad(of player: UInt64, at now: Int64) {
        outcomes.note(.bad, at: now)
        players.noteBad(player, at: now)
    }

    /// Notes that a token of the player was accepted before the server started.
    mutating func prove(_ player: UInt64) { players.prove(player) }
}

/// Tries that are promised, one to each network at a time: those that wait are served in turn between
/// networks. Bounded.
struct TryTurns: Sendable {
    /// The most networks with a turn.
    static let countMax = 1 << 12
    /// How late a promised try may be asked for, in milliseconds.
    static let keptMilliseconds: Int64 = 60_000

    private struct Turn: Sendable {
        let player: UInt64
        let at: Int64
    }

    private var turns: [UInt64: Turn] = [:]

    func has(_ player: UInt64, on network: UInt64) -> Bool { turns[network]?.player == player }

    /// Returns how long the player's turn is away, in milliseconds; 0: it has come, and is used up
    /// now. `nil`: the player has none.
    mutating func wait(of player: UInt64, on network: UInt64, at now: Int64) -> Int64? {
        guard let turn = turns[network], turn.player == player else { return nil }
        guard turn.at <= now else { return turn.at - now }
        turns[network] = nil
        return 0
    }

    /// Promises a try. Returns whether the network had none, and there was room.
    mutating func give(_ player: UInt64, on network: UInt64, at time: Int64, now: Int64) -> Bool {
        if let turn = turns[network], now - turn.at < Self.keptMilliseconds { return false }
        if turns.count >= Self.countMax {
            turns = turns.filter { now - $0.value.at < Self.keptMilliseconds }
        }
        guard turns.count < Self.countMax else { return false }
        turns[network] = Turn(player: player, at: time)
        return true
    }
}

/// The outcomes of new tokens in the last minute, in a ring of short times.
struct RecentOutcomes: Sendable {
    enum Outcome {
        case accepted, bad
    }

    /// How long an outcome counts, in milliseconds.
    static let stayMilliseconds: Int64 = 60_000
    private static let slotCount: Int64 = 12
    private static let slotMilliseconds = stayMilliseconds / slotCount

    private struct Slot: Sendable {
        var number: Int64 = -1
        var all = 0
        var bad = 0
    }

    private var slots = Array(repeating: Slot(), count: Int(slotCount))

    mutating func note(_ outcome: Outcome, at now: Int64) {
        let number = now / Self.slotMilliseconds
        let index = Int(number % Self.slotCount)
        if slots[index].number != number { slots[index] = Slot(number: number) }
        slots[index].all += 1
        switch outcome {
        case .accepted: break
        case .bad: slots[index].bad += 1
        }
    }

    func areTooManyBad(at now: Int64) -> Bool {
        let oldest = now / Self.slotMilliseconds - Self.slotCount + 1
        var (all, bad) = (0, 0)
        for slot in slots where slot.number >= oldest {
            all += slot.all
            bad += slot.bad
        }
        return all >= TokenTrust.outcomesMin && bad * TokenTrust.badPart > all
    }
}

/// How many pushes APNs accepts in a second.
struct AcceptanceRate: Sendable {
    private static let intervalMilliseconds: Int64 = 10_000

    private var last: (total: Int64, at: Int64)?
    private(set) var perSecond: Int64 = 0

    mutating func note(total: Int64, at now: Int64) {
        guard let last else { return self.last = (total, now) }
        let elapsed = now - last.at
        guard elapsed >= Self.intervalMilliseconds else { return }
        perSecond = (total - last.total) * 1000 / elapsed
        self.last = (total, now)
    }
}
