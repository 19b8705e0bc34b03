internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Parties on their way from the store into memory.
extension Shard {
    /// Reads the party from the store; the result arrives in the mailbox.
    func load(_ party: LiveParty) {
        party.stage = .loading
        readsOut += 1
        let (id, store, mailbox) = (party.id, dependencies.store, mailbox)
        // Nobody waits for it: the shard ends only when the result has arrived.
        Task {
            do throws(StoreError) {
                mailbox.add(LoadedParty(id: id, result: .success(try await store.party(id))))
            } catch {
                mailbox.add(LoadedParty(id: id, result: .failure(error)))
            }
        }
    }

    /// Reads the party again, after somebody else has written it.
    func reload(_ party: LiveParty) {
        schedule.set(party, at: nil)
        party.stored = nil
        load(party)
    }

    func take(_ loaded: LoadedParty, at now: WallTime) {
        readsOut -= 1
        guard let party = live[loaded.id], party.stored == nil else { return }
        switch loaded.result {
        case .success(let stored?): adopt(stored, as: party, at: now)
        case .success(nil): forget(party, because: ShardError.unknownParty(party.id))
        case .failure(let error):
            let wasDue = party.isOverdue
            forget(party, because: error)
            if wasDue { failed(loaded.id, error, at: now) }
        }
    }

    /// Takes a party into memory. Only the recorded outcomes show whether APNs accepted what was in
    /// flight; everything else has an unknown outcome and is due again.
    func adopt(_ stored: StoredParty, as party: LiveParty, at now: WallTime) {
        guard !frozen.contains(stored.id) else { return forget(party) }
        live[stored.id] = party
        party.stored = stored
        party.isOverdue = false
        for inherited in inherited.take(stored.key) {
            let outcome = inherited.stored
            party.stored?.settle(
                ActivityOutcome(
                    activity: outcome.activity, timestamp: outcome.timestamp,
                    outcome: outcome.outcome),
                at: now)
            if party.outcomeRows.last != inherited.row { party.outcomeRows.append(inherited.row) }
        }
        party.stored?.recover(at: now)
        rest(party, at: now)
        // Due at once, at any time: the clock may have been set back since the party was stored.
        if live[party.id] === party { schedule.set(party, at: now) }
    }

    /// Notes that every party of this loop with scheduled work has been found.
    func foundAll() {
        readsOut -= 1
        for outcomes in inherited.loopFoundAll() {
            for row in Set(outcomes.map(\.row)) where outcomeRows.cover(row) {
                outcomeRowsToForget.append(row)
            }
        }
    }

    /// Schedules another try for a party that is not in memory or whose change failed.
    func lookAgain(_ id: PartyID, at time: WallTime) {
        let party = live[id] ?? LiveParty(id)
        live[id] = party
        party.isOverdue = party.stored == nil
        restarts[id] = restarts[id]?.mapValues { max($0, time) }
        schedule.set(party, at: time)
    }
}

extension StoredParty {
    fileprivate mutating func recover(at now: WallTime) {
        PushPlanner.recover(activities: &activities, now: now)
    }
}
