internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// The gates of the hosts that pushes go to: one, or one for each of Apple's environments. An outage
/// of one host holds back nothing of the other.
struct SendingGates {
    /// An outcome of a push of that party, once it is known what it means.
    typealias Decided = SuspectRefusals.Suspect

    private var main: GatedHost
    private var sandbox: GatedHost?
    /// When an owner's last pause of all pushes ended.
    private(set) var sendingSince: WallTime?

    init(_ watches: HostWatches) {
        main = GatedHost(.main, of: watches.sandbox == nil ? nil : .production, watches.main)
        sandbox = watches.sandbox.map { GatedHost(.sandbox, of: .sandbox, $0) }
    }

    // MARK: Queries

    var areOpen: Bool { main.gate.isOpen && sandbox?.gate.isOpen != false }

    /// Whether an owner has paused all pushes.
    var areShut: Bool { main.gate.isShut }

    /// Whether an accepted push changes nothing here: almost always.
    var areCalm: Bool { main.isCalm && sandbox?.isCalm != false }

    /// Returns which of this party's pushes may be sent.
    func sending(of party: LiveParty) -> PartyChange.Sending {
        guard let sandbox else { return main.sending(of: party) }
        switch (main.sending(of: party), sandbox.sending(of: party)) {
        case (.probe, _): return .probe(main.environment)
        case (_, .probe): return .probe(sandbox.environment)
        case (.paused, .paused): return .paused
        case (.paused, _): return .only(.sandbox)
        case (_, .paused): return .only(.production)
        case (.allowed, _), (.only, _): return .allowed
        }
    }

    /// When something is due here; `nil`: nothing is.
    func dueAt(at now: WallTime) -> WallTime? {
        earlier(main.dueAt(at: now), sandbox?.dueAt(at: now))
    }

    // MARK: Parties

    /// Returns when a party is due for its pushes, as far as no gate holds them. Those that are held
    /// wait at their gate.
    mutating func pushDueAt(_ party: LiveParty, _ stored: StoredParty, at now: WallTime)
        -> WallTime?
    {
        let due = main.pushDueAt(party, stored, at: now)
        return earlier(due, sandbox?.pushDueAt(party, stored, at: now))
    }

    /// Removes and returns a party that waited and may leave.
    mutating func takeOwed() -> LiveParty? { main.gate.takeOwed() ?? sandbox?.gate.takeOwed() }

    /// Notes that a change of the party sends nothing, so another party must try.
    mutating func sentNothing(_ party: LiveParty, at now: WallTime) {
        main.sentNothing(party, at: now)
        sandbox?.sentNothing(party, at: now)
    }

    /// Notes that a change of the party, which might send so much, sends something.
    mutating func sent(_ sending: PartyChange.Sending, of party: LiveParty) {
        guard case .probe(let environment) = sending else { return }
        if main.environment == environment {
            main.gate.sentTry(party)
        } else {
            sandbox?.gate.sentTry(party)
        }
    }

    /// Pauses all pushes, or allows them again.
    mutating func set(_ sending: PartyChange.Sending, at now: WallTime) {
        switch sending {
        case .paused:
            main.gate.shut()
            sandbox?.gate.shut()
        case .allowed, .only, .probe:
            if areShut { sendingSince = now }
            main.gate.unshut(at: now)
            sandbox?.gate.unshut(at: now)
        }
    }

    // MARK: Outcomes

    /// Notes what an outcome shows of its host. Returns the outcomes that are decided by it, which
    /// may include earlier ones, or not include this one yet.
    mutating func note(
        _ sign: HostSign, in outcome: Decided, of party: LiveParty?, at now: WallTime
    ) -> [Decided] {
        switch sign.host {
        case .main: main.note(sign.kind, in: outcome, of: party, at: now)
        case .sandbox: sandbox?.note(sign.kind, in: outcome, of: party, at: now) ?? [outcome]
        case nil: [outcome]
        }
    }

    /// Decides about refusals that have waited long enough.
    mutating func decide(at now: WallTime) -> [Decided] {
        main.decide(at: now) + (sandbox?.decide(at: now) ?? [])
    }

    /// Ends the wait of outcomes, because the server stops. Returns those that waited.
    mutating func stopSuspecting() -> [Decided] {
        main.suspects.end() + (sandbox?.suspects.end() ?? [])
    }

    /// Returns the parties that should try now, each for its host.
    mutating func probes(at now: WallTime) -> [LiveParty] {
        [main.probe(at: now), sandbox?.probe(at: now)].compactMap(\.self)
    }
}
