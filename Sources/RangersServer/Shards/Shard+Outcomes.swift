internal import APNsClient
internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// An outcome that no row in the store contains yet.
struct UnwrittenOutcome {
    let party: LiveParty
    /// The party's version when the outcome was settled; a later row of the party contains it too.
    let version: Int64
    let stored: StoredOutcome

    var isCovered: Bool { party.stored?.version != version }
}

/// Outcomes of pushes.
extension Shard {
    func take(_ reported: ReportedOutcome, at now: WallTime) {
        let sent = reported.sent.pushes[reported.index]
        let judged = pushes.judge(reported.result, of: sent, at: now)
        switch sent.push.recipient {
        case .device(let device): takeStart(sent, judged, on: device)
        case .activity(let activity): take(judged, of: activity, sent, at: now)
        }
    }

    private func take(
        _ judged: JudgedOutcome, of activity: ActivityID, _ sent: SentPush, at now: WallTime
    ) {
        noteHost(judged, of: sent.party, at: now)
        guard let party = live[sent.party] else { return }
        let outcome = ActivityOutcome(
            activity: activity, timestamp: sent.push.timestamp, outcome: judged.outcome)
        if party.isIdle {
            settle(outcome, of: party, at: now)
            guard !party.isSettled else { return retire(judged.dead, of: activity, sent.party) }
            party.isSettled = true
            settled.append(party)
        } else {
            party.outcomes.append(outcome)
        }
        retire(judged.dead, of: activity, sent.party)
    }

    /// Reschedules each settled party once, no matter how many outcomes it got in this turn.
    func restSettled(at now: WallTime) {
        for party in settled {
            party.isSettled = false
            guard party.isIdle else { continue }
            reschedule(party, at: now)
            evictIfQuiet(party, at: now)
        }
        settled.removeAll(keepingCapacity: true)
    }

    /// Notes an outcome in memory. The party's next row, or soon a row of outcomes, records it.
    func settle(_ outcome: ActivityOutcome, of party: LiveParty, at now: WallTime) {
        // Hold no copy of the party here: each outcome would copy its activities.
        guard let key = party.stored?.key, let version = party.stored?.version else { return }
        party.stored?.settle(outcome, at: now)
        party.uncoveredOutcomes += 1
        unwritten.append(
            UnwrittenOutcome(
                party: party, version: version,
                stored: StoredOutcome(
                    party: key, activity: outcome.activity, timestamp: outcome.timestamp,
                    outcome: outcome.outcome)))
        if acknowledgeAt == nil {
            acknowledgeAt = now.adding(milliseconds: Self.acknowledgeDelay)
        }
    }

    /// Retires a dead token, unless the client has registered another since (T5, A6). A dead
    /// channel ends the spectators' activity.
    private func retire(_ dead: DeadTarget?, of activity: ActivityID, _ party: PartyID) {
        guard let dead else { return }
        let log = dependencies.log
        enqueue(
            .own(party) { error in
                // The outbox has already recorded the dead token, so nothing is sent to it.
                log.warning(
                    "cannot retire a dead token", ["activity": "\(activity)", "error": "\(error)"])
            } _: { change in
                change.retire(dead, of: activity)
            })
    }

    /// Closes the gate while every request to APNs fails. The first response opens it.
    private func noteHost(_ judged: JudgedOutcome, of party: PartyID, at now: WallTime) {
        switch judged.host {
        case .answered:
            guard !gate.isOpen else { return }
            for party in gate.open() { reschedule(party, at: now) }
        case .inTrouble(let until):
            gate.close(until: until)
        case .silent:
            guard !gate.isOpen, let party = live[party], gate.allows(party) else { return }
            gate.close(until: now.adding(milliseconds: SendingGate.retryDelay))
        }
    }

    /// Lets one party try when a pause is over.
    func startProbe(at now: WallTime) {
        guard let party = gate.probe(at: now) else { return }
        schedule.set(party, at: now)
    }

    // MARK: Writing outcomes

    /// Adds the outcomes that no row contains, once the oldest has waited long enough.
    func addOutcomes(to batch: inout Batch, _ pending: inout PendingBatch, at now: WallTime) {
        if !outcomeRowsToForget.isEmpty {
            pending.forgotten = outcomeRowsToForget
            batch.forget(outcomeRows: outcomeRowsToForget)
            outcomeRowsToForget = []
        }
        guard let time = acknowledgeAt, time <= now || phase == .finishing else { return }
        acknowledgeAt = nil
        let waiting = unwritten.filter { !$0.isCovered && !$0.party.isBeingWritten }
        unwritten = unwritten.filter { !$0.isCovered && $0.party.isBeingWritten }
        if !unwritten.isEmpty { acknowledgeAt = now.adding(milliseconds: Self.acknowledgeDelay) }
        guard !waiting.isEmpty else { return }
        let row = outcomeRows.newRow()
        pending.outcomes = waiting
        pending.outcomeRow = row
        batch.add(outcomes: waiting.map(\.stored), row: row)
    }

    /// Notes which row contains the outcomes. Those that could not be written wait again.
    func takeOutcomes(of batch: PendingBatch, _ result: BatchResult, at now: WallTime) {
        guard result.failure == nil else {
            outcomeRowsToForget += batch.forgotten
            guard phase != .finishing else { return }
            unwritten += batch.outcomes
            if acknowledgeAt == nil, !unwritten.isEmpty {
                acknowledgeAt = now.adding(milliseconds: Self.acknowledgeDelay)
            }
            return
        }
        guard let row = batch.outcomeRow else { return }
        var parties = 0
        for outcome in batch.outcomes where !outcome.isCovered {
            outcome.party.uncoveredOutcomes -= 1
            guard outcome.party.outcomeRows.last != row else { continue }
            outcome.party.outcomeRows.append(row)
            parties += 1
        }
        if outcomeRows.note(row, of: parties) { outcomeRowsToForget.append(row) }
        for outcome in batch.outcomes { evictIfQuiet(outcome.party, at: now) }
    }

    /// Notes that the party's row contains every outcome settled before it.
    func coverOutcomes(of party: LiveParty) {
        party.uncoveredOutcomes = 0
        for row in party.outcomeRows where outcomeRows.cover(row) {
            outcomeRowsToForget.append(row)
        }
        party.outcomeRows = []
    }

}

extension StoredParty {
    mutating func settle(_ outcome: ActivityOutcome, at now: WallTime) {
        PushPlanner.settle(
            outcome.outcome, of: outcome.activity, timestamp: outcome.timestamp,
            activities: &activities, now: now)
    }
}
