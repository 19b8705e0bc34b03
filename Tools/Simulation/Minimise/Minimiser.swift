/// Makes a plan that fails as short as it can: a candidate counts if the same invariant fails.
package struct Minimiser {
    /// What became of a plan.
    package struct Result {
        package let plan: Plan
        /// The first violation of the invariant in that plan.
        package let violation: Violation
        package let runs: Int
    }

    private let invariant: Invariant
    private let violations: (Plan) -> [Violation]
    private let isTimeUp: () -> Bool
    private var best: Plan
    private var violation: Violation
    private var runs = 1

    /// Shortens a plan that fails, until nothing can be left out or the time is up. Returns `nil` if
    /// the plan does not fail by this invariant.
    ///
    /// `violations` plays a plan.
    package static func shrink(
        _ plan: Plan, for invariant: Invariant, until isTimeUp: @escaping () -> Bool,
        _ violations: @escaping (Plan) -> [Violation] = { Run($0).play().violations }
    ) -> Result? {
        guard let first = violations(plan).first(where: { $0.invariant == invariant }) else {
            return nil
        }
        var minimiser = Minimiser(
            invariant: invariant, violations: violations, isTimeUp: isTimeUp, best: plan,
            violation: first)
        minimiser.shrink()
        return Result(
            plan: minimiser.best, violation: minimiser.violation, runs: minimiser.runs)
    }

    private init(
        invariant: Invariant, violations: @escaping (Plan) -> [Violation],
        isTimeUp: @escaping () -> Bool, best: Plan, violation: Violation
    ) {
        self.invariant = invariant
        self.violations = violations
        self.isTimeUp = isTimeUp
        self.best = best
        self.violation = violation
    }

    private mutating func shrink() {
        var before: Plan?
        while before != best, !isTimeUp() {
            before = best
            cutHorizon()
            dropFaults()
            dropPeople()
            calmScheduler()
            simplify()
        }
    }

    /// Takes a candidate over if it fails as the plan does. Returns whether it does.
    @discardableResult
    private mutating func take(_ candidate: Plan) -> Bool {
        guard candidate != best, !isTimeUp() else { return false }
        runs += 1
        guard let found = violations(candidate).first(where: { $0.invariant == invariant }) else {
            return false
        }
        best = candidate
        violation = found
        return true
    }

    @discardableResult
    private mutating func take(_ change: (inout Plan) -> Void) -> Bool {
        var candidate = best
        change(&candidate)
        return take(candidate)
    }

    // MARK: - Steps

    /// Nothing after the violation matters, but the rest that shows it.
    private mutating func cutHorizon() {
        let at = violation.at - Scheduler.start
        take { plan in
            plan.faults.removeAll { $0.at > at }
            plan.minutes = min(plan.minutes, at / 60_000 + 1)
        }
        for minutes in [1, 2, 3, 5, 8, 13, 20, 30] as [Int64] where minutes < best.minutes {
            if take({ $0.minutes = minutes }) { return }
        }
    }

    private mutating func dropFaults() { drop(\.faults) }

    private mutating func dropPeople() {
        drop(\.masters)
        drop(\.parties, keeping: 1)
        for index in best.parties.indices {
            drop(\.parties[index].people, keeping: 1)
        }
        for index in best.masters.indices { drop(\.masters[index].deeds, keeping: 1) }
    }

    /// Leaves out as many elements as can be left out: halves first, then single ones (ddmin).
    private mutating func drop<Element>(
        _ path: WritableKeyPath<Plan, [Element]>, keeping least: Int = 0
    ) {
        var size = max(1, best[keyPath: path].count - least)
        while size >= 1 {
            var index = 0
            while index < best[keyPath: path].count, !isTimeUp() {
                let count = best[keyPath: path].count
                let end = min(index + size, count)
                guard count - (end - index) >= least else { break }
                if !take({ $0[keyPath: path].removeSubrange(index..<end) }) { index += size }
            }
            size /= 2
        }
    }

    /// Jobs run in their order, at least from a step on.
    private mutating func calmScheduler() {
        guard best.mode != .fifo else { return }
        if take({ plan in
            plan.mode = .fifo
            plan.fifoFromStep = nil
        }) {
            return
        }
        guard best.fifoFromStep == nil else { return }
        var (low, high) = (0, 1 << 17)
        for _ in 0..<8 {
            let middle = (low + high) / 2
            if take({ $0.fifoFromStep = middle }) { high = middle } else { low = middle }
        }
    }
}

// MARK: - Simpler values

extension Minimiser {
    private mutating func simplify() {
        take { $0.laneDelay = 0 }
        if best.laneDelay > 1 { take { $0.laneDelay /= 2 } }
        take { $0.loops = 1 }
        take { $0.speed = 1000 }
        take { $0.rates = .high }
        take { $0.ballast = 0 }
        take { $0.channels = nil }
        for index in best.parties.indices {
            take { $0.parties[index].arrives = 0 }
            take { $0.parties[index].beginning = .atOnce }
            take { $0.parties[index].pack = "training" }
            for person in best.parties[index].people.indices {
                drop(\.parties[index].people[person].habits)
                take { $0.parties[index].people[person].temper = .awake }
                take { $0.parties[index].people[person].language = "en" }
                take { $0.parties[index].people[person].stateVersion = 2 }
            }
        }
        for index in best.faults.indices where index < best.faults.count {
            take { $0.faults[index].moment = nil }
            take { $0.faults[index].moment?.number = 1 }
            take { $0.faults[index].moment?.delay = 0 }
            for simpler in best.faults[index].fault.simpler {
                take { $0.faults[index].fault = simpler }
            }
        }
    }
}

extension PlannedFault {
    /// Simpler faults of the same kind, from the simplest.
    var simpler: [PlannedFault] {
        switch self {
        case .apple(let effect, let share, let person, let length):
            [
                .apple(effect: effect, share: 1, person: nil, length: length),
                .apple(effect: effect, share: share, person: person, length: length / 2),
            ]
        case .death(let death): death.simpler.map { .death($0) }
        case .stop(let rest, let flips):
            [.stop(rest: rest), .stop(rest: min(rest, 500), flips: flips)]
        case .pause(let length): [.pause(length: length / 2)]
        case .disk(let effect, let length): [.disk(effect: effect, length: length / 2)]
        case .wallClock(let step): [.wallClock(step: step / 60_000 / 2 * 60_000)]
        case .drift(let millionths): [.drift(millionths: millionths / 2)]
        case .network(let effect, let length): [.network(effect: effect, length: length / 2)]
        case .crowd(let people, let badTokens):
            [
                .crowd(people: people, badTokens: nil),
                .crowd(people: people / 2, badTokens: badTokens),
            ]
        case .spam(let person, let requests): [.spam(person: person, requests: requests / 2)]
        case .pushPause(let length): [.pushPause(length: length / 2)]
        case .newToken(let person, let after, let old):
            [
                .newToken(person: person, reportedAfter: after, old: .accepted),
                .newToken(person: person, reportedAfter: after / 2, old: old),
            ]
        case .secondOwner, .massLeave, .publish: []
        }
    }
}

extension Death {
    fileprivate var simpler: [Death] {
        var all: [Death] = []
        if power == .lost { all.append(Death(place, power: .kept, rest: rest, flips: flips)) }
        if flips { all.append(Death(place, power: power, rest: rest)) }
        if rest > 500 { all.append(Death(place, power: power, rest: 500, flips: flips)) }
        switch place {
        case .write(let count):
            all.append(Death(.jobs(1), power: power, rest: rest, flips: flips))
            if count > 1 {
                all.append(Death(.write(count / 2), power: power, rest: rest, flips: flips))
            }
        case .jobs(let count):
            if count > 1 {
                all.append(Death(.jobs(count / 2), power: power, rest: rest, flips: flips))
            }
        }
        return all
    }
}
