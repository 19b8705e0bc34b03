internal import Foundation
internal import Isolation

/// Plays the plans of many seeds, on several threads.
package final class SwarmRun: Sendable {
    /// What is played.
    package struct Settings: Sendable {
        package var seeds: ClosedRange<UInt64>
        package var size: Swarm.Size
        package var jobs: Int
        /// No seed begins after so many seconds; `nil`: all do.
        package var seconds: Double?
        package var control: ControlCase?
        /// Each so many seeds one is played twice (IN21); 0: none is.
        package var twiceEvery: UInt64
        /// Whether it ends with the first failure.
        package var stopsAtFailure: Bool
        /// Which violations make a seed fail.
        package var isFailure: @Sendable (Invariant) -> Bool = { _ in true }

        package init(
            seeds: ClosedRange<UInt64>, size: Swarm.Size = .usual, jobs: Int = 2,
            seconds: Double? = nil, control: ControlCase? = nil, twiceEvery: UInt64 = 50,
            stopsAtFailure: Bool = false
        ) {
            self.seeds = seeds
            self.size = size
            self.jobs = jobs
            self.seconds = seconds
            self.control = control
            self.twiceEvery = twiceEvery
            self.stopsAtFailure = stopsAtFailure
        }
    }

    /// A plan that failed.
    package struct Failure: Sendable {
        package let plan: Plan
        package let violations: [Violation]
    }

    /// What came of all.
    package struct Summary: Sendable {
        package fileprivate(set) var seeds = 0
        package fileprivate(set) var deaths = 0
        package fileprivate(set) var powerLosses = 0
        package fileprivate(set) var cuts = 0
        package fileprivate(set) var pushes = 0
        package fileprivate(set) var steps = 0
        package fileprivate(set) var cards = 0
        package fileprivate(set) var virtualSeconds = 0.0
        package fileprivate(set) var twice = 0
        package fileprivate(set) var failures: [Failure] = []
        /// How many seeds have reached each probe.
        package fileprivate(set) var probes: [Probe: Int] = [:]
        package fileprivate(set) var seconds = 0.0

        /// The probes that no seed has reached.
        package var missed: [Probe] { Probe.allCases.filter { probes[$0] == nil } }
    }

    private struct State {
        var next: UInt64
        var running: Int
        var summary = Summary()
    }

    private let settings: Settings
    private let state: Locked<State>
    private let begun = ContinuousClock.now
    private let onFailure: @Sendable (Failure) -> Void

    package init(_ settings: Settings, onFailure: @escaping @Sendable (Failure) -> Void = { _ in })
    {
        self.settings = settings
        self.onFailure = onFailure
        state = Locked(State(next: settings.seeds.lowerBound, running: settings.jobs))
    }

    /// Plays all, and returns when it is done.
    package func play() async -> Summary {
        await withCheckedContinuation { continuation in
            for _ in 0..<settings.jobs {
                let thread = Thread { [self] in
                    while let seed = takeSeed() { play(seed) }
                    let isLast = state.withLock { state in
                        state.running -= 1
                        return state.running == 0
                    }
                    if isLast { continuation.resume() }
                }
                thread.stackSize = 8 << 20
                thread.start()
            }
        }
        var summary = state.withLock { $0.summary }
        summary.seconds = elapsed
        summary.failures.sort { $0.plan.seed < $1.plan.seed }
        return summary
    }

    private var elapsed: Double { (ContinuousClock.now - begun) / .seconds(1) }

    private func takeSeed() -> UInt64? {
        let isTimeUp = settings.seconds.map { elapsed >= $0 } ?? false
        return state.withLock { state in
            let isDone = settings.stopsAtFailure && !state.summary.failures.isEmpty
            guard !isTimeUp, !isDone, state.next <= settings.seeds.upperBound else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func play(_ seed: UInt64) {
        var plan = Swarm.plan(seed: seed, size: settings.size)
        if let control = settings.control { plan = control.applied(to: plan) }
        let outcome = Run(plan).play()
        var violations = outcome.violations
        let isTwice = settings.twiceEvery > 0 && seed % settings.twiceEvery == 0
        if isTwice, Run(plan).play().hash != outcome.hash {
            violations.append(
                Violation(
                    .IN21, at: Scheduler.start + outcome.virtualMilliseconds,
                    "seed \(seed) has two traces"))
        }
        violations = violations.filter { settings.isFailure($0.invariant) }
        let failure = violations.isEmpty ? nil : Failure(plan: plan, violations: violations)
        state.withLock { state in
            state.summary.add(outcome)
            if isTwice { state.summary.twice += 1 }
            if let failure { state.summary.failures.append(failure) }
        }
        if let failure { onFailure(failure) }
    }
}

extension SwarmRun.Summary {
    fileprivate mutating func add(_ outcome: RunOutcome) {
        seeds += 1
        deaths += outcome.deaths
        powerLosses += outcome.powerLosses
        cuts += outcome.cuts
        pushes += outcome.pushes
        steps += outcome.steps
        cards += outcome.cards
        virtualSeconds += Double(outcome.virtualMilliseconds) / 1000
        for probe in outcome.probes.probes { probes[probe, default: 0] += 1 }
    }

    /// "1000 seeds in 71.2 s: …"
    package var words: String {
        let speed = seconds > 0 ? Int(virtualSeconds / seconds) : 0
        return """
            \(seeds) seeds in \(Double(Int(seconds * 10)) / 10) s (\(speed) times as fast as real), \
            \(twice) of them twice: \(deaths) deaths, \(powerLosses) with the machine's power and \
            \(cuts) within a write or sync, \(pushes) pushes, \(cards) cards compared; \
            \(failures.count) \(failures.count == 1 ? "seed fails" : "seeds fail")
            """
    }
}
