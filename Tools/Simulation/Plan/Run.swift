/// One plan, played to its end.
package struct Run: Sendable {
    package let plan: Plan
    /// The trace's hash is kept after every so many records; 0: only at the end.
    package var markEvery = 0

    /// How long a story may take after the calm has begun, before it counts as stuck.
    private static let restMax = World.adventureMax + 2 * 3_600_000

    package init(_ plan: Plan) { self.plan = plan }

    /// Plays on the current thread.
    package func play(tells: Bool = false) -> RunOutcome {
        weak var left: World?
        var outcome = Scheduler.perform(
            seed: plan.seed, mode: plan.mode, tells: tells, markEvery: markEvery
        ) { scheduler in
            let world = World(plan, scheduler)
            left = world
            scheduler.world = world
            scheduler.spawn(as: 0) { await world.play() }
            scheduler.run(until: world.end + Self.restMax) { world.isOver }
            world.judge.finish(scheduler)
            return RunOutcome(world)
        }
        if left != nil {
            outcome.violations.append(
                Violation(
                    .IN19, at: Scheduler.start + outcome.virtualMilliseconds,
                    "all has ended, and something of it is still in memory"))
        }
        return outcome
    }
}

/// What came of a run.
package struct RunOutcome: Equatable, Sendable {
    package var hash: UInt64
    package var steps: Int
    package var virtualMilliseconds: Int64
    package var isOver: Bool
    package var starts: Int
    package var deaths: Int
    package var powerLosses: Int
    /// Deaths within a write or sync.
    package var cuts: Int
    package var pushes: Int
    package var accepted: Int
    package var writes: Int
    package var syncs: Int
    package var probes: ProbeCounts
    package var violations: [Violation]
    package var story: [String]
    package var marks: [UInt64]
    /// How many cards were compared with the truth.
    package var cards: Int
    /// What happened to cards and parties, if the run is told.
    package var chronicle: [ChronicleLine]

    init(_ world: World) {
        let (scheduler, node, disk) = (world.scheduler, world.node, world.disk)
        hash = scheduler.trace.hash
        steps = scheduler.steps
        virtualMilliseconds = scheduler.now - Scheduler.start
        isOver = world.isOver
        starts = node.starts
        deaths = node.deaths
        powerLosses = node.powerLosses
        cuts = disk.cuts
        pushes = world.apple.pushes
        accepted = world.apple.accepted
        writes = disk.writes
        syncs = disk.syncs
        probes = world.probes
        violations = world.judge.violations + world.findings
        story = scheduler.trace.story
        marks = scheduler.trace.marks
        cards = world.judge.cards
        chronicle = world.judge.chronicle
    }
}
