internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A change that the writer has, with the request that waits for its result.
struct PendingChange {
    let party: LiveParty
    let finished: PartyChange.Finished
    let request: ChangeRequest?
    /// Players whose starts this change retries.
    let restarted: Set<PlayerID>
    let beganAt: WallTime
}

/// What the writer has of one batch.
struct PendingBatch {
    var changes: [PendingChange] = []
    var outcomes: [UnwrittenOutcome] = []
    var outcomeRow: Int64?
    var forgotten: [Int64] = []
}

/// From due parties and requests to a batch.
extension Shard {
    /// Passes one batch to the writer. Returns whether there was anything to write.
    func handOver(at now: WallTime) -> Bool {
        var batch = Batch()
        var pending = PendingBatch()
        fill(&batch, &pending, at: now)
        addOutcomes(to: &batch, &pending, at: now)
        guard !batch.isEmpty else { return false }
        let number = nextBatch
        nextBatch += 1
        out[number] = pending
        counters.batch(of: pending.changes.count)
        let mailbox = mailbox
        dependencies.store.write(batch, epoch: epoch) { result in
            mailbox.add(WrittenBatch(number: number, result: result))
        }
        return true
    }

    private func fill(_ batch: inout Batch, _ pending: inout PendingBatch, at now: WallTime) {
        while pending.changes.count < settings.batchMax, let ready = withDevices.popFirst() {
            guard case .readingDevices(let request) = ready.party.stage else { continue }
            make(request, of: ready.party, devices: ready.devices, &batch, &pending, at: now)
        }
        startProbe(at: now)
        let isAnyoneDue = isTelling && schedule.next().map { $0 <= now } == true
        // Actions precede ticks, but leave room for them.
        let askedMax = isAnyoneDue ? max(1, settings.batchMax / 2) : settings.batchMax
        while pending.changes.count < askedMax, let party = asked.popFirst() {
            party.isAsked = false
            guard party.isIdle, let request = party.requests.popFirst() else { continue }
            make(request, of: party, devices: nil, &batch, &pending, at: now)
        }
        fillWithDue(&batch, &pending, at: now)
    }

    /// Limited by the parties examined, not by the changes: a tick may find nothing to write.
    private func fillWithDue(
        _ batch: inout Batch, _ pending: inout PendingBatch, at now: WallTime
    ) {
        guard isTelling else { return }
        for _ in pending.changes.count..<max(settings.batchMax, pending.changes.count) {
            guard let (party, dueAt) = schedule.take(dueAt: now) else { return }
            counters.due(lateMilliseconds: now.milliseconds - dueAt.milliseconds)
            guard party.isIdle else { continue }
            make(nil, of: party, devices: nil, &batch, &pending, at: now)
        }
    }

    private var isTelling: Bool {
        if case .running = phase { true } else { false }
    }

    /// Makes one change: advances the adventure to now, runs the request, and adds both to the
    /// batch.
    private func make(
        _ request: ChangeRequest?, of party: LiveParty, devices: [StartDevice]?,
        _ batch: inout Batch, _ pending: inout PendingBatch, at now: WallTime
    ) {
        guard let stored = party.stored else {
            // It was dropped after a failure and is due again.
            if let request { party.requests.insert(request, at: party.requests.startIndex) }
            return load(party)
        }
        var change = PartyChange(stored, now: now)
        var request = request
        do {
            change.advance()
            if change.isBehind, let waiting = request {
                // The rest of the adventure comes first; the request keeps its place.
                party.requests.insert(waiting, at: party.requests.startIndex)
                request = nil
            }
            try request?.body(&change)
        } catch {
            rest(party, at: now)
            return answer(request, .failure(error))
        }
        guard let restarted = planStarts(&change, request, of: party, devices: devices) else {
            return
        }
        change.writesAnyway = mustWrite(party)
        let finished = change.finish(sending: gate.allows(party) ? .allowed : .paused)
        if finished?.pushes.isEmpty ?? true { gate.sentNothing(party, at: now) }
        guard let finished else {
            rest(party, at: now)
            return answer(request, .success(()))
        }
        batch.add(finished.commit)
        party.stage = .writing
        pending.changes.append(
            PendingChange(
                party: party, finished: finished, request: request, restarted: restarted,
                beganAt: now))
    }

    /// Completes a request with its result.
    func answer(_ request: ChangeRequest?, _ result: Result<Void, any Error>) {
        guard let request else { return }
        // The mailbox has room for another request only from here on.
        if request.origin == .caller { mailbox.requestAnswered() }
        request.answer(result)
    }

    // MARK: Requests

    func enqueue(_ request: ChangeRequest) {
        guard !frozen.contains(request.party) else {
            return answer(request, .failure(ShardError.frozen(request.party)))
        }
        if case .replaced = phase { return answer(request, .failure(ShardError.stopping)) }
        let party = live[request.party] ?? enter(request)
        guard party.requests.count < Self.waitingMax else {
            return answer(request, .failure(ShardError.partyBusy(request.party)))
        }
        party.requests.append(request)
        ask(party)
    }

    /// Adds a party with requests to the queue, unless it is already there or has to wait.
    func ask(_ party: LiveParty) {
        guard party.isIdle, !party.isAsked, !party.requests.isEmpty else { return }
        party.isAsked = true
        asked.append(party)
    }

    private func enter(_ request: ChangeRequest) -> LiveParty {
        let party = LiveParty(request.party)
        live[request.party] = party
        switch request.target {
        case .existing: load(party)
        case .new(let stored):
            party.stored = stored
            party.stage = .idle
        }
        return party
    }
}
