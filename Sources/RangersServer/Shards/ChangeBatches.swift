internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// Makes the changes of parties, in batches: from the parties that are due or have requests to the
/// writer, and back with its results.
struct ChangeBatches {
    /// A party whose change has the devices and the phones that it concerns.
    private struct ReadyChange {
        let party: LiveParty
        let devices: [StartDevice]
        let phones: [PhoneRecord]
    }

    /// The most requests of the server's own in one batch, so that thousands of them, such as those
    /// that retire dead tokens, hold back nobody who waits.
    static let ownRequestsMax = 32
    /// How many batches may wait for the turn, for each one that may wait for players.
    private static let turnsPerBatch = 4
    /// The most parties of a batch that waited at a sending gate.
    static let owedMax = 128

    private let parties: LiveParties
    private let dependencies: Dependencies
    private let epoch: Epoch
    private let settings: ShardSettings
    private let mailbox: Mailbox
    private let pushes: PushService
    private let snapshots: PartySnapshots
    private let counters: ShardCounters
    private let inbox: Inbox
    private var withDevices = Queue<ReadyChange>()
    /// Batches that the writer has.
    private var pending: [Int: PendingBatch] = [:]
    private var nextNumber = 0

    init(
        of parties: LiveParties, _ dependencies: Dependencies, epoch: Epoch,
        settings: ShardSettings, mailbox: Mailbox, pushes: PushService, snapshots: PartySnapshots,
        counters: ShardCounters, inbox: Inbox
    ) {
        self.parties = parties
        self.dependencies = dependencies
        self.epoch = epoch
        self.settings = settings
        self.mailbox = mailbox
        self.pushes = pushes
        self.snapshots = snapshots
        self.counters = counters
        self.inbox = inbox
    }

    /// Batches that the writer has.
    var count: Int { pending.count }

    /// Batches that the writer has and that wait for no other node.
    var ownCount: Int { count(of: .parties) }

    private func count(of reach: PendingBatch.Reach) -> Int {
        pending.values.count { $0.reach == reach }
    }

    /// Whether the writer may have another batch.
    var mayWrite: Bool { ownCount < settings.batchesOutMax }

    /// Whether it may have another one that may have to wait. Ticks go on until then, and after. More
    /// of those that wait for the turn: it may be a paused node that has it.
    private var mayWait: Bool {
        count(of: .players) < settings.batchesOutMax
            && count(of: .everything) < Self.turnsPerBatch * settings.batchesOutMax
    }

    // MARK: From due parties and requests to a batch

    /// Passes a batch to the writer, or two. Returns whether there was anything to write.
    mutating func write(at now: WallTime, in phase: Shard.Phase) -> Bool {
        var draft = BatchDraft(wallOffset: dependencies.clock.wallOffset)
        fill(&draft, at: now, in: phase)
        parties.writeOutcomes(to: &draft, at: now, in: phase)
        let parts = draft.parts
        for part in parts { write(part) }
        return !parts.isEmpty
    }

    private mutating func write(_ part: BatchDraft.Part) {
        counters.batch(of: part.pending.changes.count)
        let (number, mailbox) = (nextNumber, mailbox)
        nextNumber += 1
        pending[number] = part.pending
        var batch = part.batch
        batch.looksForLetters = inbox.isShared
        dependencies.store.write(batch, epoch: epoch) { result in
            mailbox.add(WrittenBatch(number: number, result: result))
        }
    }

    private mutating func fill(
        _ draft: inout BatchDraft, at now: WallTime, in phase: Shard.Phase
    ) {
        parties.startProbes(at: now)
        if mayWait { fillWithRequests(&draft, at: now, in: phase) }
        if phase == .running { fillWithDue(&draft, at: now) }
        if mayWait { fillWithOwnRequests(&draft, at: now) }
        if phase == .running { fillWithOwed(&draft, at: now) }
    }

    private mutating func fillWithRequests(
        _ draft: inout BatchDraft, at now: WallTime, in phase: Shard.Phase
    ) {
        while draft.count < settings.batchMax, let ready = withDevices.popFirst() {
            guard case .readingDevices(let request) = ready.party.stage else { continue }
            make(request, of: ready.party, with: ready, &draft, at: now)
        }
        let isAnyoneDue = phase == .running && parties.nextDueAt().map { $0 <= now } == true
        // Actions precede ticks, but leave room for them.
        let requestsMax = isAnyoneDue ? max(1, settings.batchMax / 2) : settings.batchMax
        while draft.count < requestsMax,
            let (party, request) = parties.takeRequest()
        {
            make(request, of: party, &draft, at: now)
        }
    }

    private mutating func fillWithOwnRequests(_ draft: inout BatchDraft, at now: WallTime) {
        for _ in 0..<Self.ownRequestsMax where draft.count < settings.batchMax {
            guard let (party, request) = parties.takeOwnRequest() else { break }
            make(request, of: party, &draft, at: now)
        }
    }

    /// Limited by the parties examined, not by the changes: a tick may find nothing to write.
    private func fillWithDue(_ draft: inout BatchDraft, at now: WallTime) {
        for _ in draft.count..<max(settings.batchMax, draft.count) {
            guard let (party, dueAt) = parties.take(dueAt: now) else { return }
            counters.due(lateMilliseconds: now.milliseconds - dueAt.milliseconds)
            guard party.isIdle else { continue }
            make(nil, of: party, &draft, at: now)
        }
    }

    /// What waited at a sending gate leaves a few parties at a time, after those that are due, so
    /// that the end of an outage makes no tick late.
    private mutating func fillWithOwed(_ draft: inout BatchDraft, at now: WallTime) {
        for _ in 0..<Self.owedMax {
            guard let party = parties.takeOwed(at: now) else { return }
            make(nil, of: party, &draft, at: now)
        }
    }

    /// Makes one change: advances the adventure to now, runs the request, and adds both to the
    /// batch.
    private func make(
        _ request: ChangeRequest?, of party: LiveParty, with ready: ReadyChange? = nil,
        _ draft: inout BatchDraft, at now: WallTime
    ) {
        guard let stored = party.stored else {
            // It was dropped after a failure and is due again.
            party.putBack(request)
            return parties.load(party)
        }
        var change = PartyChange(stored, now: now, wallOffset: draft.wallOffset)
        change.note(party.responses.all(in: stored))
        change.take(parties.letters[party.id])
        if dependencies.sabotage == .hastyParties { change.hasten() }
        var request = request
        do {
            change.advance()
            if change.isBehind, let waiting = request {
                // The rest of the adventure comes first; the request keeps its place.
                party.putBack(waiting)
                request = nil
            }
            if request == nil {
                try change.endAfterPause()
                try change.endReadyCheck(
                    millisecondsPerSecond: settings.millisecondsPerSecond,
                    after: party.startOfCheck)
            }
            try request?.body(&change)
        } catch {
            // Not again and again: a tick that fails would fail the next time too.
            request == nil && party.isLeaving
                ? parties.forget(party) : parties.rest(party, at: now)
            return mailbox.complete(request, .failure(error))
        }
        guard let retried = planStarts(&change, request, of: party, with: ready) else { return }
        change.writesAnyway = party.mustBeWritten
        // The next owner sends what is due now, and gets its outcome.
        let sending = party.isLeaving ? .paused : parties.gates.sending(of: party)
        var finished = change.finish(sending: sending, since: parties.gates.sendingSince)
        if let sabotage = dependencies.sabotage { finished = finished?.distorted(by: sabotage) }
        parties.note(finished?.pushes.count ?? 0, sentBy: sending, of: party, at: now)
        guard let finished else {
            // There is nothing to start any more.
            parties.retries.remove(retried, of: party.id)
            parties.rest(party, at: now)
            return mailbox.complete(request, .success(()))
        }
        party.stage = .writing
        if dependencies.sabotage == .earlySnapshot { snapshots.publish(finished.commit) }
        if dependencies.sabotage == .earlyPush { pushes.send([finished], to: mailbox) }
        draft.add(
            PendingChange(
                party: party, finished: finished, request: request, retried: retried,
                beganAt: now))
    }

    /// Decides what the change starts on the players' devices, and what its new activities have of
    /// their phones' budgets.
    ///
    /// - Returns: Players whose starts are retried; `nil` when their devices must be read first:
    ///   the change is then made again once they have arrived.
    private func planStarts(
        _ change: inout PartyChange, _ request: ChangeRequest?, of party: LiveParty,
        with ready: ReadyChange?
    ) -> Set<PlayerID>? {
        change.beginRollOvers()
        if change.startsNothing, parties.retries.next(of: party.id) == nil { return [] }
        let retried = parties.retries.due(of: party.id, at: change.now)
        let players = change.playersWithStarts.union(retried)
        guard !players.isEmpty else { return [] }
        guard let ready else {
            parties.readDevices(of: players, change.sharedPhones, for: party, request)
            return nil
        }
        change.planStarts(on: ready.devices, limits: settings.startLimits)
        change.shareBudgets(of: ready.phones)
        return retried
    }

    mutating func take(_ loaded: LoadedDevices, at now: WallTime) {
        guard let party = parties.take(loaded, at: now), case .readingDevices = party.stage else {
            return
        }
        let devices = (loaded.devices ?? []).filter { device in
            guard let only = settings.pushEnvironment else { return true }
            return device.key.environment == only
        }
        withDevices.append(ReadyChange(party: party, devices: devices, phones: loaded.phones))
    }

    // MARK: Results

    mutating func take(_ written: WrittenBatch, at now: WallTime, in phase: Shard.Phase) {
        guard let batch = pending.removeValue(forKey: written.number) else { return }
        parties.takeOutcomes(of: batch, written.result, at: now, in: phase)
        if written.result.hasLetters { inbox.readSoon() }
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
        let finished = committed.lazy.map(\.finished)
        if dependencies.sabotage == .earlyPush {
            // They have been sent.
        } else if parties.gates.areShut {
            pushes.hold(finished, mailbox)
        } else {
            pushes.send(finished, to: mailbox)
        }
        for change in committed {
            parties.sent(change.finished.pushes.count)
            mailbox.complete(change.request, .success(()))
        }
    }

    /// Publishes a committed change: first to readers, then to devices, then to the caller.
    private func take(committed change: PendingChange, at now: WallTime) {
        parties.take(committed: change)
        change.party.startOfCheck = .untried
        snapshots.publish(change.finished.commit)
        snapshots.news.note(change.finished)
        inbox.deliver(change.finished.commit.letters)
        if change.request == nil { counters.tick() }
        counters.committed(
            change.finished,
            tookMilliseconds: now.milliseconds - change.beganAt.milliseconds)
        parties.rest(change.party, at: now)
    }

    /// Returns the party to its last committed state, with the outcomes that arrived since. Reads
    /// it again if somebody else has written it.
    private func refused(_ change: PendingChange, by error: StoreError, at now: WallTime) {
        let party = change.party
        guard change.finished.commit.stored.version > 1 else {
            // Its creation failed: nothing of it stays, and there is nothing to try again.
            parties.forget(party)
            return mailbox.complete(change.request, .failure(error))
        }
        var isFailure = change.request == nil && !party.isLeaving
        switch error {
        case .staleDevice:
            return makeAgain(change, error, at: now)
        case .staleLetters:
            parties.letters.removeAll(to: party.id)
            return makeAgain(change, error, at: now)
        case .rule, .staleHero, .heroIsTaken, .tokenIsTaken, .tooManyParties, .tooManyHeroes,
            .account, .requestIsKept, .exists, .isBlocked, .meetsBlockedPlayer:
            // The store refused this change; the party itself is sound.
            if case .finishReadyCheck? = change.finished.commit.command?.command {
                party.startOfCheck = .refused
                isFailure = false
            }
            parties.rest(party, at: now)
            if party.isLeaving {
                parties.setDue(party, at: now.adding(milliseconds: LiveParties.retryDelay))
            }
        case .unavailable:
            // The disk is full, the file is busy, or a database has not said whether it has the
            // change: the adventure stands still until the retry, which shows it.
            let retry = now.adding(milliseconds: LiveParties.retryDelay)
            party.doubt = party.stored.map { ($0.version, retry) }
            // A request behind a tick would try that again, at once and for ever.
            if change.request == nil {
                for request in party.takeRequests() { mailbox.complete(request, .failure(error)) }
            }
            parties.rest(party, at: now)
            parties.setDue(party, at: retry)
        case _ where party.isLeaving:
            parties.forget(party, because: party.movedAway)
        case .staleVersion:
            parties.reload(party)
        case .elsewhere(let id):
            // This server has not noticed yet.
            parties.forget(party, because: ShardError.elsewhere(id))
            snapshots.forget(id)
            return mailbox.complete(change.request, .failure(ShardError.elsewhere(id)))
        case .corrupt, .broken, .closed:
            parties.forget(party, because: error)
            snapshots.forget(party.id)
            isFailure = true
        case .notTheOwner:
            parties.forget(party, because: error)
            isFailure = true
        }
        if isFailure { parties.failed(party.id, error, at: now) }
        mailbox.complete(change.request, .failure(error))
    }

    /// Makes the change again, with its devices and letters as they are now: another change has
    /// written one of them.
    private func makeAgain(_ change: PendingChange, _ error: StoreError, at now: WallTime) {
        guard var request = change.request else {
            parties.rest(change.party, at: now)
            return parties.setDue(change.party, at: now)
        }
        request.attempts += 1
        guard request.attempts < StartSettlement.attemptsMax else {
            parties.rest(change.party, at: now)
            return mailbox.complete(request, .failure(error))
        }
        change.party.putBack(request)
        parties.rest(change.party, at: now)
    }
}
