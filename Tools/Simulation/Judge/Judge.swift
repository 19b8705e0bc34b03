internal import HTTPServer
internal import JSONReader
internal import PartyStore

/// Sees all that happens in a world, and notes what must not: its rules are a second implementation
/// of what the product promises, and use none of the product's own.
package final class Judge: @unchecked Sendable {
    // Safe to share: as the scheduler.
    private var circumstances: Circumstances
    private var findings = Violations()
    private var groups: [any Rules] = [
        TimestampRules(), FlightRules(), EndRules(), TokenRules(), AlertRules(), PriorityRules(),
        AcknowledgementRules(), HistoryRules(), ResponseRules(), MannerRules(),
        ProviderTokenRules(), PaceRules(), DateRules(), LogRules(), FreshRules(), OutageRules(),
    ]
    private var committedRules = CommittedRules()
    private var cardRules = CardRules()
    private var restRules = RestRules()
    private let limitRules = LimitRules()
    /// The pushes on their way, which are seen three times, by number.
    private var pushes: [Int: JudgedPush] = [:]
    private weak var world: World?
    private var committed: CommittedStore?
    private var told = Chronicle()
    private var toldStore = ToldStore()
    /// What the next server must find out.
    var flippedLog: FlippedLog?
    private var probes: ProbeWatch?

    package init(plan: Plan) { circumstances = Circumstances(plan: plan) }

    /// Says which world it judges.
    package func attend(_ world: World) {
        self.world = world
        committed = CommittedStore(of: world)
        probes = ProbeWatch { [unowned world] in world.disk.cuts }
    }

    /// In the order in which they were found; of each invariant the first few.
    package var violations: [Violation] { findings.violations }
    /// How many cards were compared with the truth.
    package var cards: Int { cardRules.checked }

    /// What happened to cards and parties, if the run is told.
    package var chronicle: [ChronicleLine] { told.lines }

    // MARK: - What happens

    package func see(_ sight: Sight, at now: Int64) {
        circumstances.see(sight, at: now)
        let scene = scene(of: sight)
        if let world, world.scheduler.trace.tells {
            told.note(store: toldStore.changes(on: world.disk), at: now)
            told.see(scene, in: circumstances)
        }
        if case .exchange(let exchange) = scene { compareWithCommitted(exchange) }
        for index in groups.indices {
            groups[index].see(scene, in: circumstances, &findings)
        }
        committedRules.see(scene, in: circumstances, &findings)
        cardRules.see(scene, in: circumstances, &findings)
        restRules.see(scene, in: circumstances, &findings)
        probes?.see(scene, in: circumstances) { world?.hit($0) }
        if case .exchange(let exchange) = scene {
            circumstances.parties.see(exchange)
            circumstances.cards.see(exchange)
        }
        if case .sent(let push) = scene { compareWithCommitted(push) }
        follow(sight)
    }

    private func scene(of sight: Sight) -> JudgedSight {
        switch sight {
        case .sent(let push):
            let judged = JudgedPush(push)
            pushes[push.number] = judged
            return .sent(judged)
        case .reached(let push, let status, let reason):
            return .reached(judged(push), status: status, reason: reason)
        case .answered(let push, let status, let reason):
            defer { if status != nil { pushes[push.number] = nil } }
            return .answered(judged(push), status: status, reason: reason)
        case .exchange(let exchange): return .exchange(JudgedExchange(exchange))
        case .starting, .started, .died, .drained, .logged, .fault, .newToken, .registered, .calm:
            return .other(sight)
        }
    }

    private func judged(_ push: SeenPush) -> JudgedPush {
        pushes[push.number] ?? JudgedPush(push)
    }

    // MARK: - What is committed

    private func follow(_ sight: Sight) {
        guard let world, let committed else { return }
        if case .started(let life, let failure) = sight {
            judgeStart(of: life, failure: failure)
        }
        switch sight {
        case .started(let life, failure: nil):
            world.scheduler.spawn(as: 0) { await committed.open() }
            world.scheduler.spawn(as: 0) { await self.keepWatch(over: life, in: world) }
        case .died: inspectFile()
        case .fault(let fault):
            // A server that stops is the last one to close its file.
            if case .stop = fault.fault { world.scheduler.spawn(as: 0) { await committed.close() } }
            if case .spam = fault.fault { world.scheduler.spawn(as: 0) { await self.watch(world) } }
        case .drained(let life): countTasks(of: life, in: world)
        case .started, .starting, .logged, .exchange, .sent, .reached, .answered, .newToken,
            .registered, .calm:
            break
        }
    }

    /// Counts what a server has left running that has stopped.
    private func countTasks(of life: LifeID, in world: World) {
        // Requests on their way to it are none of its own, and where work takes time, the last ones
        // have theirs.
        let requests = world.scheduler.calls.values.count { $0.callee == life }
        let work = circumstances.commitMax - Circumstances.commitOverhead
        let soon = circumstances.now + 1000 + work
        let left =
            work == 0
            ? world.scheduler.unfinishedTasks(of: life) - requests
            : world.scheduler.pendingTimers(of: life).count { $0.at > soon } - requests
        guard left > 0 else { return }
        findings.note(
            .IN19, at: circumstances.now,
            "server \(life) has stopped, and \(left) of its tasks have not ended")
    }

    /// Lets go of the file that a server has left behind.
    package func closeFile() async { await committed?.close() }

    /// Reads the file that a server has left behind.
    private func inspectFile() {
        guard let world, let committed else { return }
        let circumstances = circumstances
        world.scheduler.spawn(as: 0) { [self] in
            // A damaged log is for the next server: who closes it last deletes it.
            guard world.node.life == nil, flippedLog == nil else { return }
            // A flipped bit is for the next server that reads: the judge would take what follows it
            // in the log for lost.
            let isFlipping = world.disk.fault.flipNextRead
            world.disk.fault.flipNextRead = false
            defer { world.disk.fault.flipNextRead = isFlipping && !world.isCalm }
            guard let parties = await committed.parties() else { return }
            committedRules.compare(parties, with: circumstances, &findings)
            committedRules.compare(
                newest: committed.newest, in: circumstances, &findings)
        }
    }

    private func compareWithCommitted(_ push: JudgedPush) {
        // Where a commit takes no time, nothing can come before it.
        guard circumstances.plan.laneDelay > 0, push.isOfCard, push.seen.number % 2 == 0,
            let world, let committed,
            let card = circumstances.cards.card(of: push.token),
            let party = circumstances.parties.party(of: card.hero)
        else { return }
        let now = circumstances.now
        world.scheduler.spawn(as: 0) { [self] in
            guard let stored = await committed.party(party.id) else { return }
            committedRules.compare(
                stored, with: push, at: now, in: circumstances, &findings)
        }
    }

    private func compareWithCommitted(_ exchange: JudgedExchange) {
        guard circumstances.plan.laneDelay > 0, let world, let committed,
            let party = exchange.party, let id = party["id"]?.text,
            let version = party["version"]?.integer
        else { return }
        let (now, life) = (circumstances.now, exchange.seen.life)
        world.scheduler.spawn(as: 0) { [self] in
            guard let stored = await committed.party(id), stored.version < version else { return }
            findings.note(
                .IN8, at: now,
                """
                server \(life) showed version \(version) of party \(id) while \
                \(stored.version) was committed
                """)
        }
    }
}

extension Judge {
    // MARK: - Crowds

    private static let watches = 20

    /// Looks for a while at what waits.
    private func watch(_ world: World) async {
        for _ in 0..<Self.watches where !world.isCalm {
            await world.pause(1000)
            let metrics = await metrics(of: world)
            limitRules.compare(metrics: metrics, in: circumstances, &findings)
        }
    }

    // MARK: - Calm

    /// Judges a world in which all faults are over and everything has had its time.
    package func judgeAtCalm(_ world: World) async {
        await committed?.close()
        for party in circumstances.parties.all {
            guard
                let state = await ask(world, "/v1/admin/parties/\(party.id)"),
                let cards = await ask(world, "/v1/admin/parties/\(party.id)/cards")
            else { continue }
            cardRules.compare(cards: cards, party: state, in: circumstances, &findings)
            restRules.compare(party: state, in: circumstances, &findings)
        }
        let metrics = await metrics(of: world)
        restRules.compare(metrics: metrics, in: circumstances, &findings)
        await world.pause(Self.minute)
        restRules.compare(
            metrics: metrics, await self.metrics(of: world), in: circumstances, &findings)
        guard let committed else { return }
        if let parties = await committed.parties() {
            committedRules.compare(parties, with: circumstances, &findings)
            committedRules.compare(
                newest: committed.newest, in: circumstances, &findings)
        }
        for difference in await committed.replay(orDamage: circumstances.hasFlippedBits).prefix(3) {
            findings.note(.IN18, at: circumstances.now, difference)
        }
    }

    private static let minute: Int64 = 60_000

    func metrics(of world: World) async -> String {
        let reply = await world.network.send(
            ClientCall(
                client: .gameMaster, method: .get, path: "/metrics", bearer: ServerHost.ownerKey))
        return String(decoding: reply.body, as: UTF8.self)
    }

    private func ask(_ world: World, _ path: String) async -> JSONValue? {
        let reply = await world.network.send(
            ClientCall(client: .gameMaster, method: .get, path: path, bearer: ServerHost.ownerKey))
        return reply.isDone ? reply.json : nil
    }

    /// Adds a line to the story.
    package func tell(_ words: String) {
        if world?.scheduler.trace.tells == true { told.note(words, at: circumstances.now) }
    }

    func note(_ invariant: Invariant, _ words: String) {
        findings.note(invariant, at: circumstances.now, words)
    }

    /// When the faults were over.
    var calmAt: Int64? { circumstances.calmAt }

    /// Judges two readings of the figures between which nothing went wrong.
    func compareLateness(_ before: String, _ after: String) {
        restRules.compareLateness(before, after, in: circumstances, &findings)
    }

    /// Judges the whole run.
    package func finish(_ scheduler: Scheduler) {
        circumstances.now = scheduler.now
        for index in groups.indices { groups[index].conclude(in: circumstances, &findings) }
        if let world, !world.isOver {
            let loop = scheduler.trippers.first { $0.hasPrefix(Scheduler.endless) }
            findings.note(
                .IN17, at: scheduler.now, loop ?? "the story does not come to its end")
        }
        for (name, count) in scheduler.tripwires.sorted(by: { $0.key < $1.key }) {
            findings.note(
                .IN22, at: scheduler.now,
                "\(name) was called \(count) times: \(scheduler.trippers.first ?? "")")
        }
        if scheduler.strays > 0 {
            findings.note(
                .IN22, at: scheduler.now, "\(scheduler.strays) jobs went to another life's lane")
        }
    }
}
