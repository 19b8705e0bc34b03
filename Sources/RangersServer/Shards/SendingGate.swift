internal import PushPolicy

/// Controls whether pushes are sent at all: while every request to APNs fails, no party tries.
/// Pure.
///
/// Parties that are owed pushes wait here at no cost. When the pause is over, one of them tries;
/// its outcome opens the gate for all or closes it again.
struct SendingGate {
    private enum State {
        case open
        case closed(until: WallTime)
        /// This party tries for all.
        case probing(LiveParty)
    }

    /// How long the next try waits after one without a result, in milliseconds.
    static let retryDelay: Int64 = 1000
    /// Pauses differ by up to a second; the gate stays closed until the longest is over.
    private static let spreadMilliseconds: Int64 = 2000

    private var state = State.open
    /// Whether an owner has paused all pushes: then no party tries.
    private(set) var isShut = false
    /// When the gate's next try is or was due.
    private var closedUntil = WallTime(milliseconds: .min)
    private var owed: [LiveParty] = []

    /// When the next party tries; `nil`: no try is due.
    var probeAt: WallTime? {
        guard !isShut, case .closed(let until) = state else { return nil }
        return until
    }

    /// Returns whether this party's pushes may be sent.
    func allows(_ party: LiveParty) -> Bool {
        switch state {
        case .open: !isShut
        case .closed: false
        case .probing(let probe): !isShut && probe === party
        }
    }

    var isOpen: Bool {
        if case .open = state { !isShut } else { false }
    }

    /// Returns whether a push that may be sent at that time waits at the gate instead.
    func holds(_ time: WallTime) -> Bool { isShut || (!isOpen && time <= closedUntil) }

    /// Adds a party that is owed pushes.
    mutating func owe(_ party: LiveParty) {
        guard !party.isOwed else { return }
        party.isOwed = true
        owed.append(party)
    }

    /// Closes the gate: APNs takes nothing before that time.
    mutating func close(until time: WallTime) {
        closedUntil = time.adding(milliseconds: Self.spreadMilliseconds)
        state = .closed(until: closedUntil)
    }

    /// Opens the gate after a response from APNs. Returns the parties that waited.
    mutating func open() -> [LiveParty] {
        guard !isOpen else { return [] }
        state = .open
        return isShut ? [] : takeOwed()
    }

    private mutating func takeOwed() -> [LiveParty] {
        defer { owed = [] }
        for party in owed { party.isOwed = false }
        return owed
    }

    /// Pauses all pushes, whatever APNs responds.
    mutating func shut() { isShut = true }

    /// Ends the pause. Returns the parties that may send again.
    mutating func unshut(at now: WallTime) -> [LiveParty] {
        isShut = false
        switch state {
        case .open: return takeOwed()
        case .closed: return []
        case .probing:
            // Its outcome did not count.
            state = .closed(until: now)
            return []
        }
    }

    /// Returns the party that should try now, if the pause is over. Opens the gate if none waits.
    mutating func probe(at now: WallTime) -> LiveParty? {
        guard !isShut, case .closed(let until) = state, until <= now else { return nil }
        guard let party = owed.popLast() else {
            state = .open
            return nil
        }
        party.isOwed = false
        state = .probing(party)
        return party
    }

    /// Notes that the party chosen to try has sent nothing.
    mutating func sentNothing(_ party: LiveParty, at now: WallTime) {
        guard case .probing(let probe) = state, probe === party else { return }
        state = .closed(until: now)
    }
}
