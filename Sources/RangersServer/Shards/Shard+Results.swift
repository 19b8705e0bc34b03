internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Results of batches.
extension Shard {
    func take(_ written: WrittenBatch, at now: WallTime) {
        guard let batch = out.removeValue(forKey: written.number) else { return }
        takeOutcomes(of: batch, written.result, at: now)
        var committed: [PendingChange] = []
        for (change, result) in zip(batch.changes, written.result.parties) {
            switch result {
            case .success:
                take(committed: change, at: now)
                committed.append(change)
            case .failure(let error):
                refused(change, by: error, at: now)
            }
        }
        // Devices receive a change before its caller does, so that the caller can rely on it.
        pushes.send(committed.lazy.map(\.finished), to: mailbox)
        for change in committed { answer(change.request, .success(())) }
        if written.result.failure == .notTheOwner { giveUp() }
    }

    /// Publishes a committed change: first to readers, then to devices, then to the caller.
    private func take(committed change: PendingChange, at now: WallTime) {
        let party = change.party
        let commit = change.finished.commit
        party.stored = commit.stored
        coverOutcomes(of: party)
        failures[party.id] = nil
        forgetRestarts(change.restarted, of: party.id)
        snapshots.publish(commit)
        count(change, at: now)
        rest(party, at: now)
    }

    private func count(_ change: PendingChange, at now: WallTime) {
        if change.request == nil { counters.tick() }
        counters.committed(
            change.finished.commit,
            tookMilliseconds: now.milliseconds - change.beganAt.milliseconds)
        dependencies.metrics.count(
            change.finished.starts, reported: change.finished.startsReported)
    }

    /// Returns the party to its last committed state, with the outcomes that arrived since. Reads
    /// it again if somebody else has written it.
    private func refused(_ change: PendingChange, by error: StoreError, at now: WallTime) {
        let party = change.party
        switch error {
        case .staleDevice:
            return repeatWithDevices(change, error, at: now)
        case .heroIsTaken, .exists:
            // The store refused this change; the party itself is sound.
            rest(party, at: now)
        case .unavailable:
            // The disk is full or the file is busy: the adventure stands still until the retry.
            rest(party, at: now)
            if live[party.id] === party {
                schedule.set(party, at: now.adding(milliseconds: Self.retryDelay))
            }
        case .staleVersion:
            reload(party)
        case .corrupt, .broken, .closed:
            forget(party, because: error)
            snapshots.forget(party.id)
        case .notTheOwner:
            forget(party, because: error)
            giveUp()
        }
        if change.request == nil || live[party.id] == nil { failed(party.id, error, at: now) }
        answer(change.request, .failure(error))
    }

    /// Handles a failed tick. Freezes the party after `failuresMax` failures of its own.
    func failed(_ party: PartyID, _ error: any Error, at now: WallTime) {
        let log = dependencies.log
        dependencies.metrics.add(.failedTicks)
        log.error("a tick failed", ["party": "\(party)", "error": "\(error)"])
        switch error as? StoreError {
        case .notTheOwner, .unavailable, .staleVersion, .staleDevice:
            // A fault of the store, not of this party, which is already scheduled again.
            return
        case .broken, .closed:
            break
        case .corrupt, .heroIsTaken, .exists, nil:
            failures[party, default: 0] += 1
        }
        guard failures[party, default: 0] < Self.failuresMax else { return freeze(party) }
        lookAgain(party, at: now.adding(milliseconds: Self.retryDelay))
    }

    /// Sets a party aside that fails repeatedly, or that a start finds damaged.
    func freeze(_ party: PartyID) {
        guard frozen.insert(party).inserted else { return }
        if let live = live[party] { forget(live, because: ShardError.frozen(party)) }
        snapshots.forget(party)
        dependencies.metrics.add(.partiesFrozen)
        dependencies.log.error("the party is frozen", ["party": "\(party)"])
    }

    /// Ends all work when another server has taken over: nothing can be written any more.
    func giveUp() {
        if case .replaced = phase { return }
        phase = .replaced
        mailbox.close()
        for party in Array(live.values) where !party.isBeingWritten { forget(party) }
        dependencies.log.error("another server has taken over this file: no more ticks")
        replaced()
    }
}

// MARK: - Between two changes

extension Shard {
    /// Makes the party idle again: takes what waited, and schedules the next change.
    func rest(_ party: LiveParty, at now: WallTime) {
        guard let stored = party.stored, stored.version > 0 else {
            // Its creation failed: nothing of it stays.
            return forget(party)
        }
        party.stage = .idle
        for outcome in party.outcomes { settle(outcome, of: party, at: now) }
        party.outcomes = []
        reschedule(party, at: now)
        ask(party)
        evictIfQuiet(party, at: now)
    }

    /// Sets when the party is due next. Pushes that APNs does not take now wait at the gate.
    func reschedule(_ party: LiveParty, at now: WallTime) {
        guard let stored = party.stored else { return }
        let restart = restarts.isEmpty ? nil : restarts[party.id]?.values.min()
        var time = earlier(stored.wakeAt(now: now), restart)
        if !gate.isOpen, let push = stored.pushAt(now: now), gate.holds(push) {
            gate.owe(party)
            time = earlier(stored.storyAt, restart)
        }
        schedule.set(party, at: time)
    }

    /// Evicts a party with no scheduled work. Writes its row first if outcomes are missing in it.
    func evictIfQuiet(_ party: LiveParty, at now: WallTime) {
        guard party.isIdle, party.requests.isEmpty, !party.isOwed, restarts[party.id] == nil,
            party.stored?.isSettled == true, live[party.id] === party
        else { return }
        guard !mustWrite(party) else { return schedule.set(party, at: now) }
        schedule.set(party, at: nil)
        live[party.id] = nil
    }

    /// Returns whether the party is about to be evicted and its row lacks outcomes.
    func mustWrite(_ party: LiveParty) -> Bool {
        let isCovered = party.uncoveredOutcomes == 0 && party.outcomeRows.isEmpty
        return !isCovered && party.stored?.isSettled == true
    }

    /// Drops a party and fails its waiting requests with `error`.
    func forget(_ party: LiveParty, because error: any Error = ShardError.stopping) {
        schedule.set(party, at: nil)
        if case .readingDevices(let request) = party.stage { answer(request, .failure(error)) }
        party.stored = nil
        party.stage = .forgotten
        if live[party.id] === party { live[party.id] = nil }
        let waiting = party.requests
        party.requests = []
        for request in waiting { answer(request, .failure(error)) }
    }
}
