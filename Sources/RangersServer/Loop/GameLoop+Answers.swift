internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// What comes back from APNs.
extension GameLoop {
    /// Takes answers as they come, until the dispatcher has given the last one.
    func takeAnswers() async {
        for await answer in dispatcher.answers {
            if turnstile.isInside(answer.party) {
                waitingAnswers[answer.party, default: []].append(answer)
            } else {
                settle(answer)
            }
            if let dead = answer.dead { deadTargets.append((dead, answer)) }
        }
    }

    /// Notes an answer in memory; the store learns of it with the party's next commit, or soon.
    func settle(_ answer: PushAnswer) {
        guard let seat = seats[answer.party] else { return }
        let now = environment.clock.now()
        var record = seat.record
        PushPlanner.settle(answer.order, answer.result, outbox: &record.outbox, now: now)
        let settled = StoredParty(record: record, registrations: seat.registrations)
        seats[answer.party] = settled
        unwritten.insert(answer.party)
        schedule(answer.party, at: PartyChange(settled, now: now).wakeAt)
    }

    /// Writes answers in batches until the loop stops, and takes dead tokens away.
    func writeAnswers() async {
        let clock = environment.clock
        while !isStopping {
            await answerSleep.sleep(until: clock.now().adding(milliseconds: Self.acknowledgeDelay))
            await writeUnwritten()
            await retireTargets()
        }
    }

    /// Takes dead tokens away, unless the client has put another one since (T5, A6), and ends what
    /// watched through dead channels.
    private func retireTargets() async {
        let dead = deadTargets
        deadTargets = []
        for (target, answer) in dead {
            do {
                try await change(answer.party) { change in
                    change.retire(target, of: answer.order.activity)
                }
            } catch {
                // The outbox knows already that the token is dead: nothing goes there.
                environment.log.warning(
                    "cannot retire a dead token",
                    ["activity": "\(answer.order.activity)", "error": "\(error)"])
            }
        }
    }

    /// Writes the outboxes that are ahead of the store.
    package func writeUnwritten() async {
        let parties = unwritten.filter { !turnstile.isInside($0) }
        let records = parties.sorted().compactMap { party in
            seats[party].map {
                OutboxRecord(
                    party: party, version: $0.record.version, outbox: $0.record.outbox)
            }
        }
        guard !records.isEmpty else { return }
        unwritten.subtract(parties)
        do {
            try await environment.store.acknowledge(records, epoch: epoch)
            for party in parties { forgetIfQuiet(party) }
        } catch {
            unwritten.formUnion(parties)
            if error == .notTheOwner { giveUp() }
            environment.log.warning("cannot write answers yet", ["error": "\(error)"])
        }
    }
}
