/// Draws plans from seeds: first which classes of faults there are, then how many of each, so that
/// no class hides another for ever.
package struct Swarm {
    /// How large the drawn plans are.
    package struct Size: Codable, Sendable, Equatable {
        package var minutes: ClosedRange<Int64>
        package var parties: ClosedRange<Int64>
        /// The classes that may be drawn.
        package var classes: [FaultClass]

        package init(
            minutes: ClosedRange<Int64>, parties: ClosedRange<Int64>,
            classes: [FaultClass] = FaultClass.allCases
        ) {
            self.minutes = minutes
            self.parties = parties
            self.classes = classes
        }

        /// What a thousand seeds of continuous integration are.
        package static let usual = Size(minutes: 10...10, parties: 4...8)
        /// What a long form is.
        package static let wide = Size(minutes: 2...60, parties: 1...12)
    }

    private let seed: UInt64
    private var cast: Dice

    private init(seed: UInt64) {
        self.seed = seed
        cast = Dice(seed: seed, entity: "swarm", purpose: "cast")
    }

    /// Returns the plan of a seed: always the same one.
    package static func plan(seed: UInt64, size: Size) -> Plan {
        var swarm = Swarm(seed: seed)
        return swarm.plan(size)
    }

    private mutating func plan(_ size: Size) -> Plan {
        let count = cast.between(size.parties.lowerBound, size.parties.upperBound)
        var plan = Plan(
            seed: seed, minutes: cast.between(size.minutes.lowerBound, size.minutes.upperBound),
            parties: (0..<Int(count)).map { party(number: $0) })
        if cast.chance(0.5) { plan.masters = masters() }
        if cast.chance(0.15) { addWorldBoss(to: &plan) }
        plan.speed = cast.pick([1000, 1000, 1000, 1000, 2000, 4000])
        plan.loops = 1 + cast.below(4)
        plan.laneDelay = cast.chance(0.5) ? Int64(cast.logUniform(1, 400)) : 0
        // A server keeps a part of its ballast for its next start: less is never freed.
        plan.ballast = cast.chance(0.5) ? 5 << 18 : 0
        plan.channels = cast.chance(0.5)
        plan.rates = cast.chance(0.2) ? .standard : .high
        // A night watch takes hours.
        let isLong = plan.parties.contains { $0.pack == "night-watch" }
        plan.calm = isLong || cast.chance(0.8) ? .byMaster : .byThemselves
        plan.mode = mode()
        plan.faults = faults(of: plan, size.classes)
        return plan
    }

    private mutating func mode() -> Scheduler.Mode {
        switch cast.below(10) {
        case 0: .fifo
        case 1: .priority(1 + cast.below(20))
        case 2: .starve(cast.pick(["PartyStore writer", "PartyStore reader", "pool"]))
        default: .uniform
        }
    }

    // MARK: - The cast

    private mutating func party(number: Int) -> PartyPlan {
        let heroes = cast.pick([1, 1, 2, 2, 2, 3, 4])
        var party = PartyPlan(
            number: number,
            people: (0..<heroes).map { person(number: number * PartyPlan.peopleMax + $0) })
        party.arrives = cast.between(0, 40_000)
        party.pack = cast.pick(Self.packs)
        party.difficulty = cast.pick(["gentle", "normal", "normal", "hard"])
        party.beginning = cast.chance(0.3) ? .withReadyCheck : .atOnce
        return party
    }

    private static let packs = [
        "forest-quest", "forest-quest", "classic", "stolen-pie", "training", "titan-rush",
        "lost-egg", "night-watch",
    ]

    private mutating func person(number: Int) -> PersonPlan {
        var person = PersonPlan(number: number)
        person.temper = cast.pick([.asleep, .awake, .awake, .eager])
        person.habits = PersonPlan.Habit.allCases.filter { _ in cast.chance(0.12) }
        person.stateVersion = cast.chance(0.2) ? 1 : 2
        person.language = cast.pick(["en", "en", "de", "ja", "fr", "es", "zh-Hans"])
        return person
    }

    private mutating func masters() -> [MasterPlan] {
        (0..<cast.between(1, 2)).map { number in
            MasterPlan(
                number: Int(number), every: Int64(cast.logUniform(20_000, 300_000)),
                deeds: MasterPlan.Deed.allCases.filter { _ in cast.chance(0.5) })
        }
    }

    /// It needs somebody who opens it early, and several parties.
    private mutating func addWorldBoss(to plan: inout Plan) {
        plan.masters.append(
            MasterPlan(number: plan.masters.count, every: 20_000, deeds: [.worldBoss]))
        for index in plan.parties.indices where cast.chance(0.6) {
            plan.parties[index].pack = PartyPlan.worldBossPack
        }
    }

    // MARK: - The faults

    private mutating func faults(of plan: Plan, _ classes: [FaultClass]) -> [TimedFault] {
        let lasts = plan.minutes * 60_000
        var drawn: [TimedFault] = []
        for kind in classes where cast.chance(0.5) {
            var dice = Dice(seed: seed, entity: "swarm", purpose: kind.rawValue)
            // How many of a class come in ten minutes.
            let rate = kind == .process ? dice.logUniform(4, 9) : dice.logUniform(0.7, 6)
            let count = Int(rate * Double(plan.minutes) / 10 + dice.unit())
            for _ in 0..<count {
                // Not before anybody has come, and with time to see what comes of it.
                let at = dice.between(5000, max(5001, lasts - 30_000))
                drawn += FaultDraw.faults(kind, at: at, of: plan, &dice)
            }
        }
        return drawn.sorted { $0.at < $1.at }
    }
}
