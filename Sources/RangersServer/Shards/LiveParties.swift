internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// The parties in a shard's memory: when each is due, what waits for it, and when it leaves.
///
/// Confined to the shard: it is not `Sendable`.
final class LiveParties {
    /// How long a party waits after a failed change, in milliseconds.
    static let retryDelay: Int64 = 1000

    private let dependencies: Dependencies
    private let snapshots: PartySnapshots
    private let mailbox: Mailbox
    private let inherited: InheritedOutcomes
    private let newTokens: NewTokens
    private var parties: [PartyID: LiveParty] = [:]
    private(set) var reads: StoreReads
    private(set) var failures = PartyFailures()
    private var schedule = Schedule()
    private var requested = RequestQueues()
    private(set) var outcomes: UnwrittenOutcomes
    /// Parties that a request has begun to read before all were found; `nil`: not all are found.
    private var readFirst: Set<PartyID>?
    /// Parties whose outcomes this turn has settled.
    private var settled: [LiveParty] = []
    var retries = StartRetries()
    var letters = PendingLetters()
    var gates: SendingGates
    /// Parties of lost shards that the writer still has.
    private(set) var leavingCount = 0
    /// Pushes that were passed to a sender and have no outcome yet.
    var pushesOut = 0

    init(
        _ dependencies: Dependencies, mailbox: Mailbox, snapshots: PartySnapshots,
        watches: HostWatches, outcomeRows: OutcomeRows, inherited: InheritedOutcomes,
        newTokens: NewTokens
    ) {
        self.dependencies = dependencies
        self.newTokens = newTokens
        self.snapshots = snapshots
        self.mailbox = mailbox
        self.inherited = inherited
        reads = StoreReads(dependencies.store, to: mailbox, log: dependencies.log)
        outcomes = UnwrittenOutcomes(outcomeRows)
        gates = SendingGates(watches)
    }

    subscript(_ id: PartyID) -> LiveParty? { parties[id] }

    var count: Int { parties.count }

    var ids: [PartyID] { Array(parties.keys) }

    /// Whether requests or outcomes wait that the shard can handle by itself.
    var hasWork: Bool { !outcomes.isEmpty || !requested.isEmpty }

    // MARK: Entering and leaving

    /// Adds a party for its first request.
    func enter(_ request: ChangeRequest) -> LiveParty {
        let party = LiveParty(request.party)
        parties[party.id] = party
        switch request.target {
        case .existing: load(party)
        case .new(let stored): party.stored = stored
        }
        return party
    }

    /// Reads the party from the store; the result arrives in the mailbox.
    func load(_ party: LiveParty) {
        party.stage = .loading
        reads.read(party.id)
    }

    /// Reads the party again, after somebody else has written it.
    func reload(_ party: LiveParty) {
        schedule.set(party, at: nil)
        party.responses.spellOut(in: party.stored)
        party.stored = nil
        // Its adventure goes on only if it can be read.
        party.isOverdue = true
        load(party)
    }

    func take(_ loaded: LoadedParty, at now: WallTime) {
        reads.arrived()
        defer { if readFirst?.remove(loaded.id) != nil { leaveInherited() } }
        guard let party = parties[loaded.id], party.stored == nil else { return }
        switch loaded.result {
        case .success(let stored?): adopt(stored, as: party, at: now)
        case .success(nil):
            letters.removeAll(to: party.id)
            forget(party, because: ShardError.unknownParty(party.id))
        case .failure(let error):
            let wasDue = party.isOverdue
            forget(party, because: error)
            guard wasDue else { return }
            failed(loaded.id, error, at: now)
            guard parties[loaded.id] == nil, !failures.isFrozen(loaded.id) else { return }
            tryAgain(loaded.id, at: now.adding(milliseconds: Self.retryDelay))
        }
    }

    /// Takes a party that the start of the server, or its taking of shards, has found. One that a
    /// request is reading needs that read no longer: it could come after the outcomes of its pushes
    /// have been left, or fail.
    func take(found stored: StoredParty, at now: WallTime) {
        let party = parties[stored.id] ?? LiveParty(stored.id)
        if party.stored == nil { adopt(stored, as: party, at: now) }
    }

    /// Notes that every party of this shard with scheduled work has been found.
    func foundAll() {
        reads.arrived()
        readFirst = Set(parties.values.filter(\.isLoading).map(\.id))
        leaveInherited()
    }

    /// Leaves the outcomes of the last server that nobody has taken, once all parties are read that
    /// may have some: the others' rows contain theirs.
    private func leaveInherited() {
        guard readFirst?.isEmpty == true else { return }
        for outcomes in inherited.loopFoundAll() {
            self.outcomes.cover(rows: Set(outcomes.compactMap(\.row)))
        }
    }

    /// Takes a party into memory as the store has it. Only the recorded outcomes show whether APNs
    /// accepted what was in flight; everything else has an unknown outcome and is due again.
    private func adopt(_ stored: StoredParty, as party: LiveParty, at now: WallTime) {
        guard !failures.isFrozen(stored.id) else { return forget(party) }
        parties[party.id] = party
        party.stored = stored
        party.isOverdue = false
        let known = inherited.take(stored.key)
        for outcome in known where dependencies.sabotage != .acceptedForgotten {
            outcomes.take(outcome, of: party, at: now)
        }
        outcomes.cover(rows: Set(known.compactMap(\.row)).subtracting(party.outcomeRows))
        if let activities = party.stored?.activities { newTokens.learn(from: activities) }
        if dependencies.sabotage != .inFlightKept { party.stored?.recover(at: now) }
        snapshots.expect(stored.version, of: party.id)
        rest(party, at: now)
        // Due at once: what was stored says nothing of how long the server was down.
        if parties[party.id] === party { schedule.set(party, at: now) }
    }

    /// Drops a party and fails its waiting requests with `error`.
    func forget(_ party: LiveParty, because error: any Error = ShardError.stopping) {
        schedule.set(party, at: nil)
        if case .readingDevices(let request) = party.stage {
            mailbox.complete(request, .failure(error))
        }
        if party.isLeaving {
            party.isLeaving = false
            leavingCount -= 1
        }
        party.stored = nil
        party.stage = .forgotten
        if parties[party.id] === party { parties[party.id] = nil }
        for request in party.takeRequests() { mailbox.complete(request, .failure(error)) }
    }

    /// Drops every party that the writer does not have.
    func forgetAll() {
        for party in Array(parties.values) where !party.isBeingWritten { forget(party) }
    }

    /// Drops the parties of shards that this server has no longer; those that are being changed, or
    /// whose rows lack outcomes of pushes, once they are written.
    func release(_ shards: Set<Int>, at now: WallTime) {
        for party in Array(parties.values)
        where shards.contains(Shards.shard(of: party.id)) && !party.isLeaving {
            party.isLeaving = true
            leavingCount += 1
            switch party.stage {
            case .writing, .readingDevices: break
            case .idle: leave(party, at: now)
            default: forget(party, because: party.movedAway)
            }
        }
        retries.remove { shards.contains(Shards.shard(of: $0)) }
        letters.removeAll { shards.contains(Shards.shard(of: $0)) }
        let thawedCount = failures.forget { shards.contains(Shards.shard(of: $0)) }
        dependencies.metrics.add(.partiesFrozen, -Double(thawedCount))
    }

    /// Drops a party of another node, once its row has the known outcomes of its pushes.
    private func leave(_ party: LiveParty, at now: WallTime) {
        for outcome in party.outcomes { outcomes.settle(outcome, of: party, at: now) }
        party.outcomes = []
        guard party.mustBeWritten else { return forget(party, because: party.movedAway) }
        schedule.set(party, at: now)
    }

    /// Evicts a party with no scheduled work. Writes its row first if outcomes are missing in it.
    func evictIfQuiet(_ party: LiveParty, at now: WallTime) {
        guard party.isIdle, party.requests.isEmpty, party.owed.isEmpty,
            retries.next(of: party.id) == nil, party.isSettled,
            parties[party.id] === party
        else { return }
        guard !party.mustBeWritten, !letters.areWaiting(for: party.id) else {
            return schedule.set(party, at: now)
        }
        schedule.set(party, at: nil)
        parties[party.id] = nil
    }

    // MARK: Requests

    /// Adds a party with requests to its queue, unless it is already there or has to wait.
    func queue(_ party: LiveParty) { requested.add(party) }

    /// Removes and returns the caller's request whose party has waited longest.
    func takeRequest() -> (LiveParty, ChangeRequest)? { requested.takeNext() }

    /// Removes and returns the request of the server's own whose party has waited longest.
    func takeOwnRequest() -> (LiveParty, ChangeRequest)? { requested.takeLater() }

    // MARK: Scheduling

    /// Returns the earliest time at which a party is due.
    func nextDueAt() -> WallTime? { schedule.next() }

    /// Removes and returns the party that has been due longest, if one is due at `time`.
    func take(dueAt time: WallTime) -> (party: LiveParty, due: WallTime)? {
        schedule.take(dueAt: time)
    }

    /// Sets when a party is due, if it is still in memory; `nil`: not before a request arrives.
    func setDue(_ party: LiveParty, at time: WallTime?) {
        if parties[party.id] === party { schedule.set(party, at: time) }
    }

    /// Makes the party idle again: takes what waited, and schedules the next change.
    func rest(_ party: LiveParty, at now: WallTime) {
        guard let version = party.stored?.version, version > 0 else {
            // Its creation failed: nothing of it stays.
            return forget(party)
        }
        party.stage = .idle
        guard !party.isLeaving else { return leave(party, at: now) }
        for outcome in party.outcomes { outcomes.settle(outcome, of: party, at: now) }
        party.outcomes = []
        reschedule(party, at: now)
        queue(party)
        snapshots.news.note(party, at: now)
        evictIfQuiet(party, at: now)
    }

    /// Sets when the party is due next. Pushes that their host does not take now wait at its gate.
    func reschedule(_ party: LiveParty, at now: WallTime) {
        guard !party.isLeaving, !letters.areWaiting(for: party.id) else {
            return schedule.set(party, at: now)
        }
        let areOpen = gates.areOpen
        let due = party.stored?.inPlace { stored in
            areOpen
                ? stored.dueAt(now: now)
                : stored.dueAt(pushes: gates.pushDueAt(party, stored, at: now), now: now)
        }
        guard let due else { return }
        let retry = earlier(retries.next(of: party.id), party.doubtDueAt)
        schedule.set(party, at: earlier(due, retry))
    }

    /// Schedules another try for a party that is not in memory or whose change failed.
    private func tryAgain(_ id: PartyID, at time: WallTime) {
        let party = parties[id] ?? LiveParty(id)
        parties[id] = party
        party.isOverdue = party.stored == nil
        retries.postpone(id, to: time)
        schedule.set(party, at: time)
    }

    // MARK: Failures

    /// Handles a failed tick. Freezes the party after too many failures of its own.
    func failed(_ party: PartyID, _ error: any Error, at now: WallTime) {
        dependencies.metrics.add(.failedTicks)
        let blame = (error as? StoreError)?.blame ?? .party
        if blame != .all {
            dependencies.log.error("a tick failed", ["party": "\(party)", "error": "\(error)"])
        }
        switch blame {
        case .all, .change: return
        case .store: break
        case .party:
            let fault = "\(error)"
            if failures.add(party, fault) { return freeze(party, because: fault, at: now) }
        }
        tryAgain(party, at: now.adding(milliseconds: Self.retryDelay))
    }

    /// Sets a party aside that fails repeatedly, or that a start finds damaged.
    func freeze(_ party: PartyID, because fault: String, at now: WallTime) {
        guard failures.freeze(party, fault, at: now) else { return }
        if let live = parties[party] { forget(live, because: ShardError.frozen(party)) }
        snapshots.forget(party)
        dependencies.metrics.add(.partiesFrozen)
        dependencies.log.error("the party is frozen", ["party": "\(party)"])
    }

    /// Ends a party's freeze. Returns whether it was frozen.
    func thaw(_ party: PartyID) -> Bool {
        guard failures.thaw(party) else { return false }
        dependencies.metrics.add(.partiesFrozen, -1)
        return true
    }

    /// Takes a party into memory that nothing has asked for. If its row does not read, it is tried
    /// again, and frozen after too many failures.
    func readAgain(_ id: PartyID) {
        guard parties[id] == nil else { return }
        let party = LiveParty(id)
        party.isOverdue = true
        parties[id] = party
        load(party)
    }

    // MARK: Starts to retry

    func add(_ retry: StartRetry) {
        retries.add(retry)
        let known = parties[retry.party]?.dueAt
        guard known.map({ retry.at < $0 }) ?? true else { return }
        tryAgain(retry.party, at: retry.at)
    }

    /// Reads the devices and the phones that a change concerns; they arrive in the mailbox.
    func readDevices(
        of players: Set<PlayerID>, _ phones: [PhoneKey], for party: LiveParty,
        _ request: ChangeRequest?
    ) {
        party.stage = .readingDevices(request)
        reads.readDevices(of: players.sorted(), phones, for: party.id)
    }

    /// Returns the party that waits for the devices. If they could not be read, retries wait again.
    func take(_ loaded: LoadedDevices, at now: WallTime) -> LiveParty? {
        reads.arrived()
        if loaded.devices == nil {
            retries.postpone(loaded.party, to: now.adding(milliseconds: Self.retryDelay))
        }
        return parties[loaded.party]
    }

    // MARK: Outcomes

    /// Takes the outcome of an activity's push. It waits if the party is being changed.
    func take(_ outcome: ActivityOutcome, of party: LiveParty, at now: WallTime) {
        guard party.isIdle else { return party.outcomes.append(outcome) }
        outcomes.settle(outcome, of: party, at: now)
        guard !party.hasSettledOutcomes else { return }
        party.hasSettledOutcomes = true
        settled.append(party)
    }

    /// Reschedules each settled party once, no matter how many outcomes it got in this turn.
    func restSettled(at now: WallTime) {
        for party in settled {
            party.hasSettledOutcomes = false
            guard party.isIdle else { continue }
            reschedule(party, at: now)
            snapshots.news.note(party, at: now)
            evictIfQuiet(party, at: now)
        }
        settled.removeAll(keepingCapacity: true)
    }

    func writeOutcomes(to draft: inout BatchDraft, at now: WallTime, in phase: Shard.Phase) {
        outcomes.write(to: &draft, at: now, in: phase)
    }

    /// Takes the result of a batch for the outcomes that it contained.
    func takeOutcomes(
        of batch: PendingBatch, _ result: BatchResult, at now: WallTime, in phase: Shard.Phase
    ) {
        guard result.failure == nil else {
            return outcomes.take(failed: batch, at: now, in: phase)
        }
        outcomes.take(written: batch)
        for outcome in batch.outcomes { evictIfQuiet(outcome.party, at: now) }
    }

    /// Takes a committed change: its row contains every outcome settled before it.
    func take(committed change: PendingChange) {
        let party = change.party
        party.stored = change.finished.commit.stored
        party.responses.removeFirst(change.finished.commit.responses.count)
        outcomes.cover(party)
        letters.remove(change.finished.commit.takenLetters, to: party.id)
        failures.clear(party.id)
        retries.remove(change.retried, of: party.id)
    }
}
