internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// One serial loop that owns its parties: every change to one of them happens here.
///
/// A turn takes everything that arrived since the last one, settles outcomes, advances the parties
/// that are due or have requests, and passes all of it to the writer as one batch. It never waits
/// for a single party: what it must read arrives in the mailbox.
actor Shard {
    /// The most changes of one party that may wait.
    static let waitingMax = 64
    /// The timer's interval, in milliseconds. Parties that are due within one slot share a batch.
    static let slotMilliseconds: Int64 = 20
    /// How long the timer sleeps when nothing is scheduled, in seconds; arrivals wake it.
    private static let idleSeconds: Int64 = 3600

    enum Phase {
        case running
        /// Takes no change. Changes taken earlier are still made, and outcomes are noted.
        case stopping
        /// Nothing more will arrive: the shard writes what is left, then ends.
        case finishing
        /// Another server owns the file: nothing more can be written.
        case replaced
    }

    private enum Next {
        /// Something is under way elsewhere and will arrive in the mailbox.
        case waitForMail
        case sleep(until: WallTime, ServerClock.Rest)
        case end
    }

    nonisolated let mailbox: Mailbox
    private let dependencies: Dependencies
    private let pushes: PushService
    /// Called once when another server has taken over.
    private let replaced: @Sendable () -> Void
    private let starts: StartSettlements
    private let news: PartyNews
    private let sleeper: Sleeper
    private let counters: ShardCounters
    private let executor: QueueExecutor

    private var phase = Phase.running
    /// The number of the newest order to pause pushes or to allow them.
    private var sendingOrder: Int64 = -1
    private let map: ShardMap
    /// Those who wait until the writer has no party of a lost shard.
    private var releases: [CheckedContinuation<Void, Never>] = []
    private let parties: LiveParties
    private var batches: ChangeBatches

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        name: String, dependencies: Dependencies, epoch: Epoch, settings: ShardSettings,
        pushes: PushService, snapshots: PartySnapshots, map: ShardMap, outcomeRows: OutcomeRows,
        inherited: InheritedOutcomes, inbox: Inbox, replaced: @escaping @Sendable () -> Void
    ) {
        self.dependencies = dependencies
        self.pushes = pushes
        self.replaced = replaced
        self.map = map
        counters = ShardCounters(dependencies.metrics, loop: name)
        executor = QueueExecutor(label: "Shard \(name)")
        sleeper = Sleeper(dependencies.clock)
        mailbox = Mailbox(waking: sleeper)
        news = snapshots.news
        starts = StartSettlements(dependencies, epoch: epoch, mailbox: mailbox)
        parties = LiveParties(
            dependencies, mailbox: mailbox, snapshots: snapshots,
            watches: pushes.outcomes.watches, outcomeRows: outcomeRows, inherited: inherited,
            newTokens: pushes.newTokens)
        batches = ChangeBatches(
            of: parties, dependencies, epoch: epoch, settings: settings, mailbox: mailbox,
            pushes: pushes, snapshots: snapshots, counters: counters, inbox: inbox)
    }

    /// Runs until `finish` is called and done, or until another server takes over.
    func run() async {
        while true {
            switch turn() {
            case .waitForMail: await sleeper.untilWoken()
            case .sleep(let time, let rest): await sleeper.sleep(until: time, rest)
            case .end: return refuseLateRequests()
            }
        }
    }

    /// Whether nothing will be written any more.
    private var isOver: Bool {
        if case .replaced = phase { true } else { false }
    }

    /// Fails the requests that are left: those that waited for a batch which was out when another
    /// server took over, and those that the mailbox took just before it closed.
    private func refuseLateRequests() {
        resumeReleases()
        parties.forgetAll()
        for request in mailbox.take().requests {
            mailbox.complete(request, .failure(ShardError.stopping))
        }
    }

    /// Takes no change from now on, but still notes the outcomes of pushes in flight.
    func stop() {
        mailbox.close()
        if case .running = phase { phase = .stopping }
        parties.stopSuspecting(at: dependencies.clock.now())
        sleeper.wake()
    }

    /// Ends `run` after the sender has reported its last outcome.
    func finish() {
        if case .replaced = phase {} else { phase = .finishing }
        sleeper.wake()
    }

    /// Pauses all pushes, or allows them, unless a newer order came first. Pushes that were passed
    /// to the client before still get their outcomes.
    func set(_ sending: PartyChange.Sending, order: Int64) {
        guard order > sendingOrder else { return }
        sendingOrder = order
        parties.set(sending, at: dependencies.clock.now())
        dependencies.metrics.set(.pushesPaused, to: sending == .paused ? 1 : 0)
        sleeper.wake()
    }

    // MARK: Shards that come and go

    /// Drops the parties of shards that this server has no longer. Returns once the writer has none.
    func release(_ shards: Set<Int>) async {
        parties.release(shards, at: dependencies.clock.now())
        guard parties.leavingCount > 0, !isOver else { return }
        sleeper.wake()
        await withCheckedContinuation { releases.append($0) }
    }

    private func resumeReleases() {
        for release in releases { release.resume() }
        releases = []
    }

    /// Ends all work, because this server owns nothing more.
    func replace() {
        giveUp()
        sleeper.wake()
    }

    /// Handles what has arrived, before anything else happens.
    func takeMail() { take(mailbox.take(), at: dependencies.clock.now()) }

    // MARK: News

    /// The parties in memory, a few at a time.
    var partiesInMemory: [ArraySlice<PartyID>] {
        let ids = parties.ids
        return stride(from: 0, to: ids.count, by: Self.toldMax).map {
            ids[$0..<min($0 + Self.toldMax, ids.count)]
        }
    }

    /// The most parties that one turn of the executor tells about.
    private static let toldMax = 256

    /// Returns these parties, as far as they are still in memory.
    func parties(_ ids: ArraySlice<PartyID>) -> [StoredParty] {
        ids.compactMap { parties[$0]?.stored }
    }

    /// Tells the news how these parties are, as far as they are still in memory.
    func tell(_ ids: ArraySlice<PartyID>) {
        let now = dependencies.clock.now()
        for id in ids {
            if let party = parties[id] { news.note(party, at: now) }
        }
    }

    // MARK: Frozen parties

    var frozenParties: [FrozenParty] { parties.failures.all }

    func frozenParty(_ party: PartyID) -> FrozenParty? { parties.failures[party] }

    /// Sets a party aside whose rows are damaged. What is in memory is sound, and replaces its row
    /// with the next change.
    func setAside(_ party: PartyID, because fault: String) {
        guard map.isHere(party), parties[party] == nil else { return }
        parties.freeze(party, because: fault, at: dependencies.clock.now())
    }

    /// Takes a frozen party back into the game.
    func thaw(_ party: PartyID) {
        guard parties.thaw(party) else { return }
        parties.readAgain(party)
        sleeper.wake()
    }

    /// Forgets a frozen party that no longer exists.
    func forget(frozen party: PartyID) {
        _ = parties.thaw(party)
        parties.letters.removeAll(to: party)
    }

    // MARK: A turn

    /// Does everything that can be done now, without waiting.
    private func turn() -> Next {
        let now = dependencies.clock.now()
        take(mailbox.take(), at: now)
        if parties.leavingCount == 0 { resumeReleases() }
        if case .replaced = phase { return isAtRest ? .end : .waitForMail }
        while batches.mayWrite, batches.write(at: dependencies.clock.now(), in: phase) {}
        if parties.leavingCount == 0 { resumeReleases() }
        noteBacklog(at: now)
        return next(at: now)
    }

    private func take(_ mail: Mailbox.Mail, at now: WallTime) {
        for written in mail.results {
            // First, so that the server is no longer ready when callers learn of the failure.
            if written.result.showsAnotherOwner { giveUp() }
            batches.take(written, at: now, in: phase)
        }
        for outcome in mail.outcomes { take(outcome, at: now) }
        parties.restSettled(at: now)
        for load in mail.loads { parties.take(load, at: now) }
        for party in mail.damaged where map.isOwned(party) {
            parties.freeze(party, because: "its row was found damaged at startup", at: now)
        }
        for party in mail.found where map.isOwned(party.id) { parties.take(found: party, at: now) }
        if mail.hasFoundAll { parties.foundAll() }
        for devices in mail.devices { batches.take(devices, at: now) }
        for retry in mail.retries where phase == .running && map.isOwned(retry.party) {
            parties.add(retry)
        }
        for letter in mail.letters where phase == .running && map.isOwned(letter.party) {
            parties.take(letter, at: now)
        }
        for request in mail.requests { enqueue(request) }
    }

    /// Whether nothing is under way elsewhere that would arrive in the mailbox.
    private var isAtRest: Bool { batches.count == 0 && parties.reads.isAtRest }

    private func next(at now: WallTime) -> Next {
        switch phase {
        case .running: break
        case .stopping: return .waitForMail
        case .finishing: return isAtRest && !parties.hasWork ? .end : .waitForMail
        case .replaced: return .end
        }
        guard batches.ownCount == 0, parties.reads.isAtRest else { return .waitForMail }
        let times = [
            parties.nextDueAt().map(Self.slot), parties.outcomes.writeAt,
            parties.gatesDueAt(at: now),
        ]
        return .sleep(
            until: times.compactMap(\.self).min() ?? now.adding(seconds: Self.idleSeconds),
            batches.count == 0 ? .done : .waiting)
    }

    /// Updates the metrics that reveal a shard that cannot keep up.
    private func noteBacklog(at now: WallTime) {
        let late = parties.nextDueAt().map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        counters.state(
            lateMilliseconds: late, batchesOut: batches.count, parties: parties.count,
            requests: mailbox.requestsUnderWay)
    }

    /// Returns the end of the timer's slot that contains `time`.
    private static func slot(_ time: WallTime) -> WallTime {
        let past = time.milliseconds % slotMilliseconds
        return past == 0 ? time : time.adding(milliseconds: slotMilliseconds - past)
    }

    /// Ends all work when another server has taken over: nothing more can be written.
    private func giveUp() {
        if case .replaced = phase { return }
        phase = .replaced
        mailbox.close()
        parties.forgetAll()
        dependencies.log.error(
            "another server has taken over: this one writes nothing more and stops its work")
        replaced()
    }

    // MARK: Requests

    private func enqueue(_ request: ChangeRequest) {
        guard !parties.failures.isFrozen(request.party) else {
            return mailbox.complete(request, .failure(ShardError.frozen(request.party)))
        }
        if case .replaced = phase {
            return mailbox.complete(request, .failure(ShardError.stopping))
        }
        guard map.isHere(request.party) else {
            return mailbox.complete(request, .failure(ShardError.elsewhere(request.party)))
        }
        let party = parties[request.party] ?? parties.enter(request)
        guard party.requests.count < Self.waitingMax || dependencies.sabotage == .endlessQueue
        else {
            return mailbox.complete(request, .failure(ShardError.partyBusy(request.party)))
        }
        party.requests.append(request)
        parties.queue(party)
    }

    // MARK: Outcomes of pushes

    private func take(_ reported: ReportedOutcome, at now: WallTime) {
        let sent = reported.sent.pushes[reported.index]
        guard dependencies.sabotage != .outcomeForgotten || sent.push.isOdd else { return }
        let effects = pushes.outcomes.effects(of: reported.result, sent, at: now)
        let response = PushResponse(of: reported.result, at: now)
        news.note(reported, response, of: sent.party)
        switch sent.push.recipient {
        case .device(let device):
            parties.takeOther()
            parties[sent.party]?.note(
                response, to: sent.push.ledgerName, timestamp: sent.push.timestamp)
            starts.add(
                StartSettlement(sent: sent, effects: effects, device: device, at: now))
        case .activity(let activity):
            let outcome = ActivityOutcome(
                activity: activity, timestamp: sent.push.timestamp, outcome: effects.outcome,
                refusal: effects.refusal, response: response)
            parties.take(outcome, showing: effects.host, of: sent.party, at: now)
            guard let invalid = effects.invalid, parties[sent.party] != nil else { return }
            retire(invalid, of: activity, sent.party)
        }
    }

    /// Retires a dead token, unless the client has registered another since (T5, A6). A dead
    /// channel ends the spectators' activity.
    private func retire(_ invalid: InvalidTarget, of activity: ActivityID, _ party: PartyID) {
        let log = dependencies.log
        enqueue(
            .own(party) { error in
                // The outbox has already recorded the dead token, so nothing is sent to it.
                log.warning(
                    "cannot retire an invalid token",
                    ["activity": "\(activity)", "error": "\(error)"])
            } _: { change in
                change.retire(invalid, of: activity)
            })
    }
}

extension BatchResult {
    fileprivate var showsAnotherOwner: Bool {
        failure == .notTheOwner
            || parties.contains { result in
                if case .failure(.notTheOwner) = result { true } else { false }
            }
    }
}
