internal import GameLogic
internal import Isolation
internal import PartyStore
internal import PushPolicy

/// One serial loop that owns its parties: whatever changes one of them happens here.
///
/// A turn takes everything that arrived since the last one, settles outcomes, advances the parties
/// that are due or asked for, and hands all of it to the writer as one batch. It never waits for
/// a single party: what must be read arrives as mail.
actor Shard {
    /// Changes of one party that may wait for their turn.
    static let waitingMax = 64
    /// Failed ticks after which a party is frozen (R19).
    static let failuresMax = 5
    /// The timer looks this often, in milliseconds: parties that are due within one slot share a
    /// batch.
    static let slotMilliseconds: Int64 = 20
    /// How long a party waits after a change that failed, in milliseconds.
    static let retryDelay: Int64 = 1000
    /// How long outcomes may wait to be written, in milliseconds: a crash can repeat those.
    static let acknowledgeDelay: Int64 = 250
    /// How long the timer sleeps when nothing is ahead, in seconds: mail wakes it.
    static let idleSeconds: Int64 = 3600

    enum Phase {
        case running
        /// Takes no change; what was taken is still made, and outcomes are noted.
        case stopping
        /// Nothing more will arrive: writes what is left, then ends.
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
    /// Parties with requests, in the order of their asking.
    var asked = Line<LiveParty>()
    /// Parties whose change has the devices that it concerns now.
    var withDevices = Line<ReadyChange>()
    /// Reads of the store that will arrive as mail: at first those of the start.
    var readsOut = 1
    /// What the writer has.
    var out: [Int: PendingBatch] = [:]
    var nextBatch = 0
    /// Outcomes that no row in the store holds yet.
    var unwritten: [UnwrittenOutcome] = []
    /// When the oldest of them must be written.
    var acknowledgeAt: WallTime?
    /// Parties whose outcomes this turn has settled.
    var settled: [LiveParty] = []
    var outcomeRowsToForget: [Int64] = []
    /// When starts that Apple did not take must be tried again.
    var restarts: [PartyID: [PlayerID: WallTime]] = [:]
    var failures: [PartyID: Int] = [:]
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

    /// Runs until it was told to finish and has, or until another server takes over.
    func run() async {
        while true {
            switch turn() {
            case .waitForMail: await sleeper.untilWoken()
            case .sleep(let time): await sleeper.sleep(until: time)
            case .end: return refuseLateRequests()
            }
        }
    }

    /// Requests that the mailbox took just before it was closed.
    private func refuseLateRequests() {
        for request in mailbox.take().requests { answer(request, .failure(ShardError.stopping)) }
    }

    /// Takes no change from now on; outcomes of pushes in flight are still noted.
    func stop() {
        mailbox.close()
        if case .running = phase { phase = .stopping }
        sleeper.wake()
    }

    /// Ends `run`: the sender has reported its last outcome.
    func finish() {
        if case .replaced = phase {} else { phase = .finishing }
        sleeper.wake()
    }
}

// MARK: - A turn

extension Shard {
    enum Next {
        /// Something is under way elsewhere: mail will arrive.
        case waitForMail
        case sleep(until: WallTime)
        case end
    }

    /// Everything that can be done now. Nothing in it waits.
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
        for party in mail.found where live[party.id] == nil {
            adopt(party, as: LiveParty(party.id), at: now)
        }
        if mail.hasFoundAll { foundAll() }
        for devices in mail.devices { take(devices, at: now) }
        for restart in mail.restarts { take(restart) }
        for request in mail.requests { enqueue(request) }
    }

    /// Nothing is under way elsewhere that would arrive as mail.
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

    /// What an operator sees of a shard that cannot keep up.
    private func noteBacklog(at now: WallTime) {
        let late = schedule.next().map { max(0, now.milliseconds - $0.milliseconds) } ?? 0
        counters.state(
            lateMilliseconds: late, batchesOut: out.count, parties: live.count,
            requests: mailbox.requestsUnderWay)
    }

    /// The end of the timer's slot in which `time` lies.
    private static func slot(_ time: WallTime) -> WallTime {
        let past = time.milliseconds % slotMilliseconds
        return past == 0 ? time : time.adding(milliseconds: slotMilliseconds - past)
    }
}
