/// What the judge knows of the world beside what it judges: clocks, deaths and faults.
struct Circumstances {
    /// A death of a server.
    struct Death {
        let life: LifeID
        let at: Int64
        let powerLost: Bool
    }

    /// A step of the machine's wall clock.
    struct Step {
        let at: Int64
        let milliseconds: Int64
    }

    let plan: Plan
    /// Milliseconds of the world.
    var now = Scheduler.start
    /// The machine's wall clock minus the world's time, in milliseconds.
    private(set) var wallOffset: Int64 = 0
    private(set) var steps: [Step] = []
    private(set) var deaths: [Death] = []
    private(set) var starts: [LifeID: Int64] = [:]
    /// The life that serves; `nil`: none does.
    private(set) var serving: LifeID?
    /// When anything went wrong last, or will have; a fault lasts.
    private(set) var disturbedAt = Scheduler.start
    private(set) var calmAt: Int64?
    private(set) var faults: [TimedFault] = []
    var parties = SeenParties()
    var cards = SeenCards()

    init(plan: Plan) { self.plan = plan }

    /// The machine's wall clock.
    var wall: Int64 { now + wallOffset }
    /// How long nothing has gone wrong.
    var quiet: Int64 { now - disturbedAt }
    /// How far the wall clock was set back in all.
    var setBack: Int64 { steps.reduce(0) { $0 + max(0, -$1.milliseconds) } }
    /// How far the wall clock may have drifted in all.
    var driftMax: Int64 { plan.hasDrift ? (now - Scheduler.start) / 5000 + 1 : 0 }
    /// How long a commit may take where the disk's work takes no time.
    static let commitOverhead: Int64 = 500
    /// How long a commit may take, with what waits before it.
    var commitMax: Int64 {
        let slow = faults.map { fault -> Int64 in
            guard case .disk(.slowSync(let milliseconds), _) = fault.fault else { return 0 }
            return milliseconds
        }
        return Self.commitOverhead + 3 * plan.laneDelay + 3 * (slow.max() ?? 0)
    }
    /// How far it was set forward in all.
    var setForward: Int64 { steps.reduce(0) { $0 + max(0, $1.milliseconds) } }
    /// Whether the disk, or another owner of the file, has made anything fail.
    var hasDiskFault: Bool {
        faults.contains { fault in
            switch fault.fault {
            case .disk, .secondOwner: true
            case .death, .stop: fault.fault.flips
            case .apple, .newToken, .pause, .wallClock, .drift, .network, .crowd, .spam,
                .massLeave, .publish, .pushPause:
                false
            }
        }
    }
    /// Whether game masters give heroes other names.
    var isRenamed: Bool {
        plan.masters.contains { $0.deeds.contains { [.rename, .ban].contains($0) } }
    }
    /// Whether bits of the file have flipped.
    var hasFlippedBits: Bool {
        faults.contains(where: \.fault.flips)
    }
    /// Whether a second server has opened the file of the first.
    var hasSecondOwner: Bool { faults.contains { $0.fault == .secondOwner } }
    /// Whether a server has stood still.
    var hasStoodStill: Bool {
        faults.contains {
            if case .pause = $0.fault { true } else { false }
        }
    }
    var isClockSteady: Bool { steps.isEmpty && !plan.hasDrift }

    mutating func see(_ sight: Sight, at: Int64) {
        now = at
        switch sight {
        case .starting: disturb(at)
        case .started(let life, let failure):
            disturb(at)
            guard failure == nil else { return }
            starts[life] = at
            serving = life
        case .died(let life, let powerLost):
            disturb(at)
            deaths.append(Death(life: life, at: at, powerLost: powerLost))
            if serving == life { serving = nil }
        case .drained(let life):
            disturb(at)
            if serving == life { serving = nil }
        case .fault(let fault):
            disturbedAt = max(at + fault.fault.length, disturbedAt)
            faults.append(fault)
            if let step = fault.fault.wallStep {
                steps.append(Step(at: at, milliseconds: step))
                wallOffset += step
            }
        case .calm:
            calmAt = at
            disturbedAt = min(disturbedAt, at)
        case .logged, .exchange, .sent, .reached, .answered, .newToken, .registered: break
        }
    }

    private mutating func disturb(_ at: Int64) { disturbedAt = max(at, disturbedAt) }

    /// Returns whether a server died in that time.
    func diedBetween(_ from: Int64, _ to: Int64) -> Bool {
        deaths.contains { (from...max(from, to)).contains($0.at) }
    }

    /// How long ago a step may be of which the server does not know: it looks every ten seconds, if
    /// it does not stand still.
    var watch: Int64 {
        12_000
            + faults.reduce(0) { sum, fault in
                if case .pause(let length) = fault.fault { sum + length } else { sum }
            }
    }

    /// Returns whether the wall clock was set in that time.
    func steppedBetween(_ from: Int64, _ to: Int64) -> Bool {
        steps.contains { (from...max(from, to)).contains($0.at) }
    }
}
