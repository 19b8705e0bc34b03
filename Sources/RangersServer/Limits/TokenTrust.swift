/// What the server thinks of push tokens that APNs has not accepted yet, and of their players.
///
/// Anybody can invent push tokens, and APNs slows and disconnects a sender who uses many of them. So
/// players none of whose tokens was ever accepted share a small part of the sending rate while too
/// many such tokens are bad, and the new tokens of a player with three bad ones rest for a day. A
/// token that has been accepted is never asked for.
///
/// Pure; time is a parameter, in milliseconds of a clock that never steps. Players are hashes with a
/// seed of the process.
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
    /// When the share allows the next token, and when the next one of those that wait.
    private var nextAt: Int64 = 0
    private var nextWaitingAt: Int64 = 0

    /// How many players are remembered.
    var playerCount: Int { players.count }

    /// Whether too many new tokens are bad, so that unproven players share a part of the rate.
    func isSharing(at now: Int64) -> Bool { outcomes.areTooManyBad(at: now) }

    /// Returns whether any token of the player was ever accepted, as far as is known.
    func isProven(_ player: UInt64) -> Bool { players.isProven(player) }

    /// Decides on a push to a token that was not accepted yet. `acceptedTotal` is the number of all
    /// pushes that APNs has accepted.
    mutating func decide(of player: UInt64, acceptedTotal: Int64, at now: Int64) -> Decision {
        acceptances.note(total: acceptedTotal, at: now)
        if let rest = players.rest(of: player, at: now) { return .rest(milliseconds: rest) }
        guard isSharing(at: now), !players.isProven(player) else { return .send }
        let share = max(Self.sharePerSecond, acceptances.perSecond / Int64(Self.badPart))
        let interval = max(1, 1000 / share)
        guard now < nextAt else {
            nextAt = now + interval
            return .send
        }
        // Each gets a time of its own, so that they do not all come back at once.
        nextWaitingAt = max(nextWaitingAt, nextAt) + interval
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
