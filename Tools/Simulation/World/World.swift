internal import JSONReader

/// All that is in a run: a node with its servers, Apple, phones, people, what goes wrong, and the
/// judge of it.
package final class World: @unchecked Sendable {
    // Safe to share: as the scheduler.
    package let plan: Plan
    package let scheduler: Scheduler
    package let disk: SimulatedDisk
    package let judge: Judge
    package private(set) var probes = ProbeCounts()
    /// How many versions of packs were published.
    var published = 0
    /// How many people of crowds have come.
    var visitors = 0
    private(set) package var isCalm = false
    /// Whether the story has ended.
    private(set) package var isOver = false

    package private(set) lazy var node = ServerHost(self)
    package private(set) lazy var apple = SimulatedApple(self)
    package private(set) lazy var network = Network(self)
    package private(set) lazy var phones = Phones(self)
    package private(set) lazy var parties = plan.parties.map { PartyScene($0, in: self) }
    private(set) lazy var masters = plan.masters.map { Master($0, in: self) }
    private lazy var chaos = Chaos(self)

    /// How long everything rests at the end: a refusal that the server sits out lasts 15 minutes.
    private static let rest: Int64 = 17 * 60_000
    /// How long after the start of the calm adventures may go on.
    package static let adventureMax: Int64 = 6 * 3_600_000

    init(_ plan: Plan, _ scheduler: Scheduler) {
        self.plan = plan
        self.scheduler = scheduler
        disk = SimulatedDisk(dice: scheduler.dice("disk", "power"))
        judge = Judge(plan: plan)
        scheduler.disk = disk
        scheduler.fifoFromStep = plan.fifoFromStep
    }

    /// When people cease to begin adventures.
    package var end: Int64 { Scheduler.start + plan.minutes * 60_000 }

    /// What clients have found, beside the judge.
    private(set) var findings: [Violation] = []

    func find(_ invariant: Invariant, _ words: String) {
        findings.append(Violation(invariant, at: scheduler.now, words))
    }

    /// Sleeps so long, at most until the end.
    func pause(_ milliseconds: Int64) async {
        await scheduler.wait(until: min(scheduler.now + milliseconds, end))
    }

    package func hit(_ probe: Probe) { probes.hit(probe) }

    /// Each person, by number.
    package func person(_ number: Int) -> Person? {
        for party in parties {
            if let person = party.people.first(where: { $0.plan.number == number }) {
                return person
            }
        }
        return nil
    }

    // MARK: - The story

    /// Plays everything; sets `isOver` at the end.
    func play() async {
        judge.attend(self)
        beginControl()
        scheduler.laneDelay = chaos.laneDelay
        await node.start()
        chaos.begin()
        await withDiscardingTaskGroup { group in
            for party in parties { group.addTask { await party.play() } }
            for master in masters { group.addTask { await master.play() } }
            group.addTask { [self] in await scheduler.wait(until: end) }
        }
        await calmDown()
        await scheduler.wait(until: scheduler.now + Self.rest)
        await judge.judgeAtCalm(self)
        await node.stop()
        // The last one is buried.
        await scheduler.wait(until: scheduler.now + 1)
        for life in node.held {
            find(.IN19, "server \(life) has ended, and something of it has not")
        }
        isOver = true
    }

    /// Ends all faults, and lets all adventures come to their end.
    private func calmDown() async {
        await chaos.end()
        isCalm = true
        see(.calm)
        await repairParties()
        await withDiscardingTaskGroup { group in
            for party in parties { group.addTask { await party.calmDown() } }
        }
    }

    // MARK: - Sights

    /// Tells the judge and the trace.
    package func see(_ sight: Sight) {
        guard !isOfDead(sight) else { return }
        note(sight)
        judge.see(sight, at: scheduler.now)
        chaos.see(sight)
    }

    /// Nothing leaves the dead, though the job in which they died runs to its end.
    private func isOfDead(_ sight: Sight) -> Bool {
        switch sight {
        case .logged(let life, _): scheduler.isDead(life)
        case .sent(let push), .answered(let push, _, _): scheduler.isDead(push.life)
        case .starting, .started, .died, .drained, .fault, .exchange, .reached, .newToken,
            .registered, .calm:
            false
        }
    }

    private func note(_ sight: Sight) {
        let trace = scheduler.trace
        switch sight {
        case .starting(let life): trace.note(.life, UInt64(life), 1)
        case .started(let life, let failure):
            trace.note(.life, UInt64(life), failure == nil ? 2 : 3)
            tell(failure.map { "life \(life) cannot start: \($0)" } ?? "life \(life) serves")
        case .died(let life, let powerLost):
            trace.note(.life, UInt64(life), powerLost ? 5 : 4)
            tell("life \(life) dies" + (powerLost ? " with the machine's power" : ""))
        case .drained(let life):
            trace.note(.life, UInt64(life), 6)
            tell("life \(life) has stopped")
        case .logged(_, let line): trace.note(.log, line)
        case .fault(let fault):
            trace.note(.fault, UInt64(bitPattern: fault.at))
            tell(fault.fault.words)
        case .exchange(let exchange):
            trace.note(.request, exchange.body)
            // The metrics say how much processor time was used.
            if exchange.path != "/metrics" { trace.note(.answer, exchange.response) }
            trace.note(.answer, UInt64(exchange.status ?? 0), UInt64(exchange.sentAt))
        case .sent(let push): trace.note(.push, push.body)
        case .reached(let push, let status, _):
            trace.note(.push, UInt64(push.number), UInt64(status))
        case .answered(let push, let status, _):
            trace.note(.response, UInt64(push.number), UInt64(status ?? 0))
        case .newToken(let token): trace.note(.people, token.token.utf8)
        case .registered(let token): trace.note(.people, token.token.utf8)
        case .calm:
            trace.note(.other, 1)
            tell("all faults are over")
        }
    }

    /// Adds a line to the story.
    func tell(_ words: @autoclosure () -> String) {
        let at = Double(scheduler.now - Scheduler.start) / 1000
        scheduler.trace.tell("\(at) s: \(words())")
    }
}
