internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// The timer: the loop wakes for what changes, and for nothing else.
extension GameLoop {
    /// Parties that are told on together, so that their commits share a transaction.
    static let batchMax = 256
    /// How long a party waits after a tick or a commit that failed, in milliseconds.
    static let retryDelay: Int64 = 1000
    /// How long answers may wait to be written, in milliseconds: a crash can repeat those.
    static let acknowledgeDelay: Int64 = 250
    /// How long the timer sleeps when nothing is ahead, in seconds: a change wakes it.
    static let idleSeconds: Int64 = 3600
    /// Parties that may be on adventures at a start.
    static let partiesMax = 1_000_000

    /// Runs until `stopStories` and `stopAnswers`, or until another server takes over.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tellStories() }
            group.addTask { await self.takeAnswers() }
            group.addTask { await self.takeStartAnswers() }
            group.addTask { await self.dispatcher.publishBroadcasts() }
            group.addTask { await self.writeAnswers() }
        }
    }

    /// Takes no change from now on; answers of pushes in flight are still noted.
    package func stopStories() {
        isStopping = true
        storySleep.wake()
        answerSleep.wake()
    }

    /// Ends `run`: the sender has given its last answer.
    package func stopAnswers() { dispatcher.finishAnswers() }

    /// Another server has taken over: nothing can be written any more.
    func giveUp() {
        guard !isStopping else { return }
        environment.log.error("another server has taken over this file: no more ticks")
        ownershipEnd.finish()
        stopStories()
    }

    private func tellStories() async {
        await findParties()
        while !isStopping {
            let now = environment.clock.now()
            let due = schedule.take(dueAt: now, limit: Self.batchMax)
            if due.isEmpty {
                await storySleep.sleep(
                    until: schedule.next() ?? now.adding(seconds: Self.idleSeconds))
            } else {
                await withDiscardingTaskGroup { group in
                    for (party, dueAt) in due { group.addTask { await self.tick(party, dueAt) } }
                }
            }
        }
    }

    /// After a start: every party that had something ahead of it is looked at once.
    private func findParties() async {
        while !isStopping {
            do {
                let everything = WallTime(milliseconds: .max)
                let parties = try await environment.store.partiesDue(
                    at: everything, limit: Self.partiesMax)
                for party in parties { schedule.set(party, at: environment.clock.now()) }
                environment.log.info("adventures go on", ["parties": "\(parties.count)"])
                return
            } catch {
                environment.log.error("cannot read the parties", ["error": "\(error)"])
                await storySleep.sleep(
                    until: environment.clock.now().adding(milliseconds: Self.retryDelay))
            }
        }
    }

    private func tick(_ party: PartyID, _ dueAt: WallTime) async {
        let lateness = environment.clock.now().milliseconds - dueAt.milliseconds
        environment.metrics.observe(.tickLateness, milliseconds: lateness)
        do {
            try await change(party) { _ in }
            environment.metrics.add(.ticks)
            failures[party] = nil
        } catch LoopError.stopping {
            // The next start goes on with it.
        } catch LoopError.partyBusy {
            // No fault of the party's: the changes that wait tell its story on.
            retry(party)
        } catch {
            failed(party, error)
        }
    }

    private func failed(_ party: PartyID, _ error: any Error) {
        environment.metrics.add(.failedTicks)
        environment.log.error("a tick failed", ["party": "\(party)", "error": "\(error)"])
        switch error as? StoreError {
        case .notTheOwner:
            return
        case .unavailable, .broken, .staleVersion, .closed:
            // The store's trouble, not this party's.
            break
        case .corrupt, .heroIsTaken, .exists, nil:
            failures[party, default: 0] += 1
        }
        if failures[party, default: 0] >= Self.failuresMax {
            let frozen = failures.values.count { $0 >= Self.failuresMax }
            environment.metrics.set(.partiesFrozen, to: Double(frozen))
            environment.log.error("the party is frozen", ["party": "\(party)"])
        } else {
            retry(party)
        }
    }

    /// Looks at the party again in a while: starts that are overdue must not wake the timer before.
    private func retry(_ party: PartyID) {
        let later = environment.clock.now().adding(milliseconds: Self.retryDelay)
        restarts[party] = restarts[party]?.mapValues { max($0, later) }
        schedule(party, at: later)
    }

    /// Sets when a party is due, and wakes the timer if that is earlier than it thought.
    func schedule(_ party: PartyID, at time: WallTime?) {
        let restart = restarts[party]?.values.min()
        let time = [time, restart].compactMap(\.self).min()
        schedule.set(party, at: time)
        if let time { storySleep.wake(by: time) }
    }
}
