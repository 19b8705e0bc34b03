internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A host of pushes with its gate: what it shows closes and opens the gate, and whose pushes wait.
struct GatedHost {
    /// The environment whose pushes go there; `nil`: all pushes do.
    let environment: PushEnvironment?
    let watch: HostWatch
    var gate: SendingGate
    var suspects = SuspectRefusals()

    init(_ host: PushHost, of environment: PushEnvironment?, _ watch: HostWatch) {
        self.environment = environment
        self.watch = watch
        gate = SendingGate(host)
    }

    /// Whether an accepted push changes nothing here.
    var isCalm: Bool { gate.hostIsOpen && suspects.isEmpty }

    /// When something is due here; `nil`: nothing is.
    func dueAt(at now: WallTime) -> WallTime? {
        gate.isDraining ? now : earlier(gate.probeAt, suspects.decideAt)
    }

    /// Returns which of this party's pushes to the host may be sent.
    func sending(of party: LiveParty) -> PartyChange.Sending {
        guard gate.allows(party) else { return .paused }
        return gate.hostIsOpen ? .allowed : .probe(environment)
    }

    /// Returns when a party is due for its pushes to the host, unless the gate holds them: then the
    /// party waits at the gate.
    mutating func pushDueAt(_ party: LiveParty, _ stored: StoredParty, at now: WallTime)
        -> WallTime?
    {
        let due = PushPlanner.nextReleaseAt(
            activities: stored.activities, only: environment, now: now)
        guard let due, gate.holds(due, at: now) else { return due }
        let isUrgent = PushPlanner.owesHighPriority(
            activities: stored.activities, only: environment, now: now)
        gate.owe(party, isUrgent ? .highPriority : .lowPriority)
        return nil
    }

    /// Notes that nothing of the party left for the host.
    mutating func sentNothing(_ party: LiveParty, at now: WallTime) {
        if gate.sentNothing(party, at: now) { watch.didNotProbe(at: now) }
    }

    /// Notes what an outcome shows of the host. Returns the outcomes that are decided by it.
    mutating func note(
        _ kind: HostSign.Kind, in outcome: SuspectRefusals.Suspect, of party: LiveParty?,
        at now: WallTime
    ) -> [SuspectRefusals.Suspect] {
        switch kind {
        case .accepted:
            open(at: now)
            return suspects.clear() + [outcome]
        case .responded:
            open(at: now)
        case .unreachable:
            gate.close(until: watch.unreachable(at: now))
        case .silent:
            guard let party, gate.isProbe(party) else { break }
            gate.close(until: watch.unreachable(at: now))
        case .notTried:
            // Another party tries: a player whose new tokens rest must not spend the try.
            if let party { sentNothing(party, at: now) }
        case .refused(let reason):
            return note(reason, in: outcome, of: party, at: now)
        }
        return [outcome]
    }

    private mutating func open(at now: WallTime) {
        guard !gate.hostIsOpen else { return }
        gate.open()
        watch.takesPushes(at: now)
    }

    private mutating func note(
        _ kind: RefusalKind, in outcome: SuspectRefusals.Suspect, of party: LiveParty?,
        at now: WallTime
    ) -> [SuspectRefusals.Suspect] {
        guard gate.hostIsOpen else {
            if let party, gate.isProbe(party) { gate.close(until: watch.refuses(at: now)) }
            return [outcome.again(at: now)]
        }
        let others = suspects.isAbout(otherThan: kind) ? suspects.clear() : []
        switch suspects.note(kind, outcome, at: now) {
        case .unknown: return others
        case .own: return others + [outcome]
        case .all(let same):
            gate.close(until: watch.refuses(at: now))
            return others + (same + [outcome]).map { $0.again(at: now) }
        }
    }

    /// Decides about refusals that have waited long enough.
    mutating func decide(at now: WallTime) -> [SuspectRefusals.Suspect] {
        guard let (decided, isHostWide) = suspects.decide(at: now) else { return [] }
        guard isHostWide else { return decided }
        gate.close(until: watch.refuses(at: now))
        return decided.map { $0.again(at: now) }
    }

    /// Returns the party that should try now, if any.
    mutating func probe(at now: WallTime) -> LiveParty? {
        guard gate.wantsProbe(at: now) else { return nil }
        switch watch.permission(at: now) {
        case .open: open(at: now)
        case .wait(let until): gate.close(until: until)
        case .probe:
            if let party = gate.probe(at: now) { return party }
            watch.didNotProbe(at: now)
        }
        return nil
    }
}

extension SuspectRefusals.Suspect {
    /// Returns an outcome after which the newest content is due again at once: the gate holds it
    /// while the host refuses everything. The refusal counts, because the host may refuse only this
    /// activity while nothing else is sent.
    fileprivate func again(at now: WallTime) -> Self {
        var again = outcome
        again.outcome = .pause(until: now)
        if again.refusal != nil { again.refusal = .forNow }
        return Self(party: party, outcome: again)
    }
}
