package import GameLogic
package import PartyStore
internal import PushPolicy

/// The one write path: every change of a party, by timer or by request, goes through `change`.
///
/// Keeps the busy parties in memory as a cache; what `change` returns has been committed. The
/// timer is in `GameLoop+Timer.swift`, what comes back from APNs in `GameLoop+Answers.swift`.
package actor GameLoop {
    /// Changes of one party that may wait for their turn.
    package static let waitingMax = 64
    /// Failed ticks after which a party is frozen (R19).
    package static let failuresMax = 5

    let environment: Environment
    let epoch: Epoch
    let dispatcher: PushDispatcher
    let startTerms: StartTerms

    /// Parties in memory. Their outboxes may be ahead of the store by answers (never by state).
    var seats: [PartyID: StoredParty] = [:]
    /// Parties whose answers are not written yet.
    var unwritten: Set<PartyID> = []
    /// Answers that came while their party was being changed.
    var waitingAnswers: [PartyID: [PushAnswer]] = [:]
    /// What Apple called dead, to be taken away with the next batch.
    var deadTargets: [(DeadTarget, PushAnswer)] = []
    var turnstile = Turnstile<PartyID, CheckedContinuation<Void, Never>>()
    /// Whose devices are being decided on.
    var playerTurns = Turnstile<PlayerID, CheckedContinuation<Void, Never>>()
    /// When starts that Apple did not take must be tried again.
    var restarts: [PartyID: [PlayerID: WallTime]] = [:]
    var failures: [PartyID: Int] = [:]
    var schedule = Schedule()
    /// Ends when another server has taken over.
    package let ownership: AsyncStream<Never>
    let ownershipEnd: AsyncStream<Never>.Continuation
    let storySleep: Sleeper
    let answerSleep: Sleeper
    var isStopping = false

    /// Whether changes are taken: not while it stops, nor after another server took over.
    package var isTakingChanges: Bool { !isStopping }

    package init(
        environment: Environment, epoch: Epoch, dispatcher: PushDispatcher,
        startTerms: StartTerms
    ) {
        self.environment = environment
        self.epoch = epoch
        self.dispatcher = dispatcher
        self.startTerms = startTerms
        (ownership, ownershipEnd) = AsyncStream.makeStream()
        storySleep = Sleeper(environment.clock)
        answerSleep = Sleeper(environment.clock)
    }

    // MARK: Changing a party

    /// Tells the party's story up to now, makes the change, commits it, sends its pushes.
    ///
    /// - Returns: What `body` returned, once everything it did is durable.
    /// - Throws: What `body` throws (then nothing has changed), `LoopError`, `StoreError`.
    package func change<Value: Sendable>(
        _ party: PartyID, _ body: @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        guard !isStopping else { throw LoopError.stopping }
        try await enter(party)
        defer { leave(party) }
        guard failures[party, default: 0] < Self.failuresMax else { throw LoopError.frozen(party) }
        var change = PartyChange(try await seat(party), now: environment.clock.now())
        change.advance()
        let value = try body(&change)
        try await commitWithStarts(&change)
        return value
    }

    /// A new party, with what `body` does to it first.
    package func create<Value: Sendable>(
        _ party: StoredParty, _ body: @Sendable (inout PartyChange) throws -> Value
    ) async throws -> Value {
        guard !isStopping else { throw LoopError.stopping }
        let id = party.record.id
        try await enter(id)
        defer { leave(id) }
        var change = PartyChange(party, now: environment.clock.now())
        let value = try body(&change)
        try await commitWithStarts(&change)
        return value
    }

    /// The party as it was committed last.
    package func state(of party: PartyID) async throws -> StoredParty {
        if let seat = seats[party] { return seat }
        guard let stored = try await environment.store.party(party) else {
            throw LoopError.unknownParty(party)
        }
        return stored
    }

    /// From memory, or from the store: then a push that was in flight is of unknown fate.
    private func seat(_ party: PartyID) async throws -> StoredParty {
        if let seat = seats[party] { return seat }
        let stored = try await state(of: party)
        var record = stored.record
        PushPlanner.recover(outbox: &record.outbox, now: environment.clock.now())
        let seat = StoredParty(record: record, registrations: stored.registrations)
        seats[party] = seat
        return seat
    }

    func commit(_ change: inout PartyChange) async throws {
        let party = change.record.id
        guard let finished = change.finish() else {
            schedule(party, at: change.wakeAt)
            return
        }
        do {
            try await environment.store.commit(finished.commit, epoch: epoch)
        } catch {
            recover(party, from: error, at: change.now)
            throw error
        }
        seats[party] = finished.result
        unwritten.remove(party)
        schedule(party, at: change.wakeAt)
        environment.metrics.count(
            finished.commit, took: environment.clock.now().milliseconds - change.now.milliseconds)
        dispatcher.send(finished.orders, watching: finished.result)
        environment.metrics.count(finished.starts, reported: finished.startsReported)
        dispatcher.send(finished.starts.orders)
    }

    /// A commit failed. What is in memory is what was committed last, unless somebody else has
    /// written: then the truth must be read again.
    private func recover(_ party: PartyID, from error: StoreError, at now: WallTime) {
        switch error {
        case .heroIsTaken, .exists:
            // The store refused this change; nothing is wrong with the party.
            break
        case .unavailable:
            // The disk is full, or the file is busy: the story stands until the retry.
            schedule(party, at: now.adding(milliseconds: Self.retryDelay))
        case .staleVersion, .notTheOwner, .corrupt, .broken, .closed:
            seats[party] = nil
            unwritten.remove(party)
            schedule(party, at: now.adding(milliseconds: Self.retryDelay))
            if error == .notTheOwner { giveUp() }
        }
    }

    // MARK: Turns

    private func enter(_ party: PartyID) async throws(LoopError) {
        if turnstile.enter(party) { return }
        guard turnstile.waiting(for: party) < Self.waitingMax else {
            throw LoopError.partyBusy(party)
        }
        await withCheckedContinuation { turnstile.wait(for: party, $0) }
    }

    private func leave(_ party: PartyID) {
        for answer in waitingAnswers.removeValue(forKey: party) ?? [] { settle(answer) }
        if let next = turnstile.leave(party) {
            next.resume()
        } else {
            forgetIfQuiet(party)
        }
    }

    /// A party that nothing is known to happen to leaves memory.
    func forgetIfQuiet(_ party: PartyID) {
        guard let record = seats[party]?.record, !unwritten.contains(party) else { return }
        guard !record.party.isOnAdventure, record.outbox.allSatisfy(\.isQuiet) else { return }
        seats[party] = nil
    }
}
