internal import GameLogic
internal import PushPolicy

/// What the sending gates do with the parties of a shard.
extension LiveParties {
    /// The most pushes that may be out when a party leaves that waited at a gate.
    static let pushesOutMax = 2048

    /// Takes the outcome of an activity's push, and what it shows of its host. One that may concern
    /// all pushes waits until that is known.
    func take(
        _ outcome: ActivityOutcome, showing sign: HostSign, of id: PartyID, at now: WallTime
    ) {
        pushesOut -= 1
        let party = self[id]
        if case .accepted = sign.kind, gates.areCalm {
            if let party { take(outcome, of: party, at: now) }
            return
        }
        let decided = gates.note(
            sign, in: SuspectRefusals.Suspect(party: id, outcome: outcome), of: party, at: now)
        take(decided, at: now)
    }

    /// Notes the outcome of a push that no activity waits for.
    func takeOther() { pushesOut -= 1 }

    private func take(_ decided: [SuspectRefusals.Suspect], at now: WallTime) {
        for suspect in decided {
            guard let party = self[suspect.party] else { continue }
            take(suspect.outcome, of: party, at: now)
        }
    }

    /// Pauses all pushes, or allows them again: then what is owed leaves.
    func set(_ sending: PartyChange.Sending, at now: WallTime) { gates.set(sending, at: now) }

    /// Notes how many pushes leave with a change of the party that may send so much. If it was to
    /// try and none does, another party must try.
    func note(
        _ pushes: Int, sentBy sending: PartyChange.Sending, of party: LiveParty, at now: WallTime
    ) {
        if pushes > 0 {
            gates.sent(sending, of: party)
        } else {
            gates.sentNothing(party, at: now)
        }
    }

    /// Notes that pushes were passed to a sender.
    func sent(_ pushes: Int) { pushesOut += pushes }

    /// Makes one party due, to try for all, when the pause of a host is over.
    func startProbes(at now: WallTime) {
        guard !gates.areCalm else { return }
        take(gates.decide(at: now), at: now)
        restSettled(at: now)
        for party in gates.probes(at: now) { setDue(party, at: now) }
    }

    /// Removes and returns a party that waited at a gate and may send now. So many pushes are out
    /// at most that the sender keeps its pace and what becomes due does not wait long behind them.
    func takeOwed(at now: WallTime) -> LiveParty? {
        while pushesOut < Self.pushesOutMax, let party = gates.takeOwed() {
            // One that is being changed, and one that has left, are scheduled without this.
            guard party.isIdle, party.stored != nil, self[party.id] === party else { continue }
            reschedule(party, at: now)
            guard let due = party.dueAt, due <= now else {
                evictIfQuiet(party, at: now)
                continue
            }
            setDue(party, at: nil)
            return party
        }
        return nil
    }

    /// When the gates have work; `nil`: not before something arrives.
    func gatesDueAt(at now: WallTime) -> WallTime? {
        let due = gates.dueAt(at: now)
        return due == now && pushesOut >= Self.pushesOutMax ? nil : due
    }

    /// Settles the outcomes that wait for others, because the server stops.
    func stopSuspecting(at now: WallTime) {
        take(gates.stopSuspecting(), at: now)
        restSettled(at: now)
    }
}
