internal import APNsClient
internal import PushPolicy

/// Controls whether pushes to one host are sent at all: while the host takes none, no party tries.
/// Pure.
///
/// Parties that are owed pushes wait here at no cost. From time to time one of them tries; its
/// outcome opens the gate for all or closes it again. Once it is open, those that wait leave one
/// after another: first those that are owed a push of high priority.
struct SendingGate {
    /// What a party that waits is owed.
    enum Owed: Hashable, Sendable {
        case highPriority, lowPriority
    }

    private enum State {
        case open
        case closed(until: WallTime)
        /// This party tries for all.
        case probing(LiveParty, since: WallTime, Try)
    }

    private enum Try {
        case chosen
        /// Its push is on the way. Nothing more of the party leaves until the outcome is known.
        case sent
    }

    /// The shortest time between two tries, in milliseconds.
    static let probeDistance: Int64 = 1000

    let host: PushHost
    private var state = State.open
    /// Whether an owner has paused all pushes: then no party tries.
    private(set) var isShut = false
    private var urgent = Queue<LiveParty>()
    private var patient = Queue<LiveParty>()

    init(_ host: PushHost) { self.host = host }

    /// Whether the host takes pushes, as far as is known.
    var hostIsOpen: Bool {
        if case .open = state { true } else { false }
    }

    var isOpen: Bool { hostIsOpen && !isShut }

    private var isOwing: Bool { !urgent.isEmpty || !patient.isEmpty }

    /// Returns whether this party's pushes may be sent.
    func allows(_ party: LiveParty) -> Bool {
        guard !isShut else { return false }
        switch state {
        case .open: return true
        case .probing(let probe, _, .chosen): return probe === party
        case .closed, .probing(_, _, .sent): return false
        }
    }

    /// Returns whether this party tries for all.
    func isProbe(_ party: LiveParty) -> Bool {
        guard case .probing(let probe, _, _) = state else { return false }
        return probe === party
    }

    /// Returns whether a push that may be sent at that time waits at the gate instead.
    func holds(_ time: WallTime, at now: WallTime) -> Bool {
        guard !isOpen else { return false }
        return isShut || time <= max(now, nextAt ?? now)
    }

    // MARK: Waiting

    /// Adds a party that is owed pushes. One that waits with a low priority may get a high one.
    mutating func owe(_ party: LiveParty, _ owed: Owed) {
        switch (party.owed[host], owed) {
        case (.highPriority, _), (.lowPriority, .lowPriority): return
        case (_, .highPriority): urgent.append(party)
        case (nil, .lowPriority): patient.append(party)
        }
        party.owed[host] = owed
    }

    /// Whether parties that waited may leave.
    var isDraining: Bool { isOpen && isOwing }

    /// Removes and returns a party that waited and may leave: one with a push of high priority, if
    /// there is any.
    mutating func takeOwed() -> LiveParty? {
        guard isOpen else { return nil }
        return take(.highPriority) ?? take(.lowPriority)
    }

    /// Skips places that a party has left for another.
    private mutating func take(_ owed: Owed) -> LiveParty? {
        while let party = owed == .highPriority ? urgent.popFirst() : patient.popFirst() {
            guard party.owed[host] == owed else { continue }
            party.owed[host] = nil
            return party
        }
        return nil
    }

    // MARK: The host

    /// Closes the gate: the host accepts nothing before that time. Probes stay spaced.
    mutating func close(until time: WallTime) {
        switch state {
        case .open, .closed: state = .closed(until: time)
        case .probing(_, let since, _):
            state = .closed(until: max(time, since.adding(milliseconds: Self.probeDistance)))
        }
    }

    /// Opens the gate: the host takes pushes.
    mutating func open() { state = .open }

    /// Pauses all pushes, whatever the host does.
    mutating func shut() { isShut = true }

    /// Ends the pause.
    mutating func unshut(at now: WallTime) {
        isShut = false
        // Its outcome did not count.
        if case .probing = state { state = .closed(until: now) }
    }

    // MARK: Tries

    /// When a party tries next; `nil`: no try is due.
    var probeAt: WallTime? { isShut || !isOwing ? nil : nextAt }

    /// When the pause is over, or the outcome of a try has been awaited for too long.
    private var nextAt: WallTime? {
        switch state {
        case .open: nil
        case .closed(let until): until
        case .probing(_, let since, _): since.adding(milliseconds: ProbePauses.pauseMax)
        }
    }

    /// Returns whether a party should try now.
    func wantsProbe(at now: WallTime) -> Bool { probeAt.map { $0 <= now } ?? false }

    /// Returns the party that tries now. One with low priority, if possible: APNs may require that
    /// the content of a failed try waits for 15 minutes (PR8).
    mutating func probe(at now: WallTime) -> LiveParty? {
        while let party = take(.lowPriority) ?? take(.highPriority) {
            // One that is being changed comes back.
            guard party.isIdle else { continue }
            state = .probing(party, since: now, .chosen)
            return party
        }
        return nil
    }

    /// Notes that a push of the party that was chosen is on the way.
    mutating func sentTry(_ party: LiveParty) {
        guard case .probing(let probe, let since, _) = state, probe === party else { return }
        state = .probing(party, since: since, .sent)
    }

    /// Notes that this party has sent nothing. Returns whether it was chosen to try; then another
    /// one may at once.
    mutating func sentNothing(_ party: LiveParty, at now: WallTime) -> Bool {
        guard isProbe(party) else { return false }
        state = .closed(until: now)
        return true
    }
}

/// What a party waits for, at each of the two hosts.
struct OwedPushes: Hashable, Sendable {
    private var main: SendingGate.Owed?
    private var sandbox: SendingGate.Owed?

    var isEmpty: Bool { main == nil && sandbox == nil }

    subscript(_ host: PushHost) -> SendingGate.Owed? {
        get {
            switch host {
            case .main: main
            case .sandbox: sandbox
            }
        }
        set {
            switch host {
            case .main: main = newValue
            case .sandbox: sandbox = newValue
            }
        }
    }
}
