internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Parties on their way from the store into memory.
extension Shard {
    /// Asks the store for the party; the answer arrives as mail.
    func load(_ party: LiveParty) {
        party.stage = .loading
        readsOut += 1
        let (id, store, mailbox) = (party.id, dependencies.store, mailbox)
        // Nobody waits for it: the shard ends only when the mail has arrived.
        Task {
            do throws(StoreError) {
                mailbox.add(LoadedParty(id: id, result: .success(try await store.party(id))))
            } catch {
                mailbox.add(LoadedParty(id: id, result: .failure(error)))
            }
        }
    }

    /// Somebody else has written the party: reads it again.
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

    /// Takes a party into memory. Whether APNs took what was in flight is known only from what was
    /// written of outcomes; the rest is of unknown outcome and due again.
    func adopt(_ stored: StoredParty, as party: LiveParty, at now: WallTime) {
        guard failures[stored.id, default: 0] < Self.failuresMax else { return forget(party) }
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
        // Looked at once, whatever the time: the clock may have been set back since it was stored.
        if live[party.id] === party { schedule.set(party, at: now) }
    }

    /// Every party of this loop with something ahead has been found.
    func foundAll() {
        readsOut -= 1
        for outcomes in inherited.loopFoundAll() {
            for row in Set(outcomes.map(\.row)) where outcomeRows.cover(row) {
                outcomeRowsToForget.append(row)
            }
        }
    }

    /// Looks at a party again in a while, which is not in memory or whose change failed.
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
