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
    /// Failed ticks after which a party is frozen (PR19).
    static let failuresMax = 5
    /// The timer's interval, in milliseconds. Parties that are due within one slot share a batch.
    static let slotMilliseconds: Int64 = 20
    /// How long a party waits after a failed change, in milliseconds.
    static let retryDelay: Int64 = 1000
    /// How long outcomes may wait to be written, in milliseconds. A crash can repeat their pushes.
    static let acknowledgeDelay: Int64 = 250
    /// How long the timer sleeps when nothing is scheduled, in seconds; arrivals wake it.
    static let idleSeconds: Int64 = 3600

    enum Phase {
        case running
        /// Takes no change. Changes taken earlier are still made, and outcomes are noted.
        case stopping
        /// Nothing more will arrive: the shard writes what is left, then ends.
        case finishing
        /// Another server owns the file: nothing can be written any more.
        case replaced
    }

    let dependencies: Dependencies
    let epoch: Epoch
    let settings: ShardSettings
    let pushes: PushService
    let snapshots: PartySnapshots
    let outcomeRows: OutcomeRows
    let inherited: InheritedOutcomes
    /// Called once when another server has taken over.
    let replaced: @Sendable () -> Void
    nonisolated let mailbox: Mailbox
    let sleeper: Sleeper
    let counters: ShardCounters
    private let executor: QueueExecutor

    var phase = Phase.running
    /// Parties in memory.
    var live: [PartyID: LiveParty] = [:]
    var schedule = Schedule()
    /// Parties with requests, in the order of arrival.
    var asked = Line<LiveParty>()
    /// Parties whose change has the devices that it concerns.
    var withDevices = Line<ReadyChange>()
    /// Reads of the store that will arrive in the mailbox: at first those of the start.
    var readsOut = 1
    /// Batches that the writer has.
    var out: [Int: PendingBatch] = [:]
    var nextBatch = 0
    /// Outcomes that no row in the store contains yet.
    var unwritten: [UnwrittenOutcome] = []
    /// When the oldest of them must be written.
    var acknowledgeAt: WallTime?
    /// Parties whose outcomes this turn has settled.
    var settled: [LiveParty] = []
    var outcomeRowsToForget: [Int64] = []
    /// When to retry starts that APNs did not accept.
    var restarts: [PartyID: [PlayerID: WallTime]] = [:]
    var failures: [PartyID: Int] = [:]
    var frozen: Set<PartyID> = []
    var gate = SendingGate()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        name: String, dependencies: Dependencies, epoch: Epoch, settings: ShardSettings,
        pushes: PushService, snapshots: PartySnapshots, outcomeRows: OutcomeRows,
        inherited: InheritedOutcomes,
        replaced: @escaping @Sendable () -> Void
    ) {
        counters = ShardCounters(dependencies.metrics, loop: name)
        self.dependencies = dependencies
        self.epoch = epoch
        self.settings = settings
        self.pushes = pushes
        self.snapshots = snapshots
        self.outcomeRows = outcomeRows
        self.inherited = inherited
        self.replaced = replaced
        executor = QueueExecutor(label: "Shard \(name)")
        sleeper = Sleeper(dependencies.clock)
        mailbox = Mailbox(waking: sleeper)
    }

    /// Runs until `finish` is called and done, or until another server takes over.
    func run() async {
        while true {
            switch turn() {
            case .waitForMail: await sleeper.untilWoken()
            case .sleep(let time): await sleeper.sleep(until: time)
            case .end: return refuseLateRequests()
            }
        }
    }

    /// Fails the requests that the mailbox took just before it closed.
    private func refuseLateRequests() {
        for request in mailbox.take().requests { answer(request, .failure(ShardError.stopping)) }
    }

    /// Takes no change from now on, but still notes the outcomes of pushes in flight.
    func stop() {
        mailbox.close()
        if case .running = phase { phase = .stopping }
        sleeper.wake()
    }

    /// Ends `run` after the sender has reported its last outcome.
    func finish() {
        if case .replaced = phase {} else { phase = .finishing }
        sleeper.wake()
    }
}

// MARK: - A turn

extension Shard {
    enum Next {
        /// Something is under way elsewhere and will arrive in the mailbox.
        case waitForMail
        case sleep(until: WallTime)
        case end
    }

    /// Does everything that can be done now, without waiting.
    func turn() -> Next {
        let now = dependencies.clock.now()
        take(mailbox.take(), at: now)
        if case .replaced = phase { return isAtRest ? .end : .waitForMail }
        while out.count < settings.batchesOutMax, handOver(at: dependencies.clock.now()) {}
        noteBacklog(at: now)
        return next(at: now)
    }

    private func take(_ mail: Mailbox.Mail, at now: WallTime) {
        for written in mail.results { take(written, at: now) }
        for outcome in mail.outcomes { take(outcome, at: now) }
        restSettled(at: now)
        for load in mail.loads { take(load, at: now) }
        for party in mail.damaged { freeze(party) }
        for party in mail.found where live[party.id] == nil {
            adopt(party, as: LiveParty(party.id), at: now)
        }
        if mail.hasFoundAll { foundAll() }
        for devices in mail.devices { take(devices, at: now) }
        for restart in mail.restarts { take(restart) }
        for request in mail.requests { enqueue(request) }
    }

    /// Whether nothing is under way elsewhere that would arrive in the mailbox.
    private var isAtRest: Bool { out.isEmpty && readsOut == 0 }

    private func next(at now: WallTime) -> Next {
        switch phase {
        case .running: break
        case .stopping: return .waitForMail
        case .finishing:
            return isAtRest && unwritten.isEmpty && asked.isEmpty ? .end : .waitForMail
        case .replaced: return .end
        }
        guard isAtRest else { return .waitForMail }
        let times = [schedule.next().map(Self.slot), acknowledgeAt, gate.probeAt]
        return .sleep(
            until: times.compactMap(\.self).min() ?? now.adding(seconds: Self.idleSeconds))
    }

    /// Updates the metrics that reveal a shard that cannot keep up.
    private func noteBacklog(at now: WallTime) {
        let late = schedule.next().map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        counters.state(
            lateMilliseconds: late, batchesOut: out.count, parties: live.count,
            requests: mailbox.requestsUnderWay)
    }

    /// Returns the end of the timer's slot that contains `time`.
    private static func slot(_ time: WallTime) -> WallTime {
        let past = time.milliseconds % slotMilliseconds
        return past == 0 ? time : time.adding(milliseconds: slotMilliseconds - past)
    }
}
