import Testing

@testable import Simulation

@Suite("Plans")
struct PlanTests {
    @Test(
        "a plan is the same after it was written and read", arguments: 1...40 as ClosedRange<UInt64>
    )
    func json(seed: UInt64) throws {
        let plan = Swarm.plan(seed: seed, size: .wide)
        #expect(try Plan(json: plan.json) == plan)
    }

    @Test("the keys of a plan's JSON are in order")
    func keys() {
        let text = String(decoding: Plan.quiet(seed: 1, minutes: 1, parties: 1).json, as: UTF8.self)
        let keys = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }
            .compactMap { $0.split(separator: "\"").dropFirst().first }
        #expect(keys.count > 8)
        #expect(keys == keys.sorted())
    }

    @Test("every fault has a sentence, which is its own")
    func words() {
        let sentences = SampleFaults.all.map(\.words)
        #expect(sentences.count == Set(sentences).count)
        #expect(sentences.allSatisfy { $0.count > 10 && !$0.hasSuffix(".") })
    }

    @Test("the samples have every class")
    func classes() {
        #expect(Set(SampleFaults.all.map(\.kind)) == Set(FaultClass.allCases))
    }
}

@Suite("The swarm")
struct SwarmTests {
    private static let plans = (1...200 as ClosedRange<UInt64>).map {
        Swarm.plan(seed: $0, size: .usual)
    }

    @Test(
        "two hundred seeds have every class, and plans without it", arguments: FaultClass.allCases)
    func classes(kind: FaultClass) {
        let with = Self.plans.count { plan in plan.faults.contains { $0.fault.kind == kind } }
        #expect((40...160).contains(with))
    }

    @Test("two hundred seeds have every effect at Apple, on the disk and in the network")
    func effects() {
        let drawn = Set(Self.plans.flatMap(\.faults).map { SampleFaults.name(of: $0.fault) })
        let expected = Set(SampleFaults.all.map(SampleFaults.name))
        #expect(expected.subtracting(drawn) == [])
    }

    @Test("two hundred seeds have every habit, deed and mode")
    func cast() {
        let people = Self.plans.flatMap(\.people)
        #expect(Set(people.flatMap(\.habits)) == Set(PersonPlan.Habit.allCases))
        #expect(Set(people.map(\.temper)) == Set(PersonPlan.Temper.allCases))
        #expect(
            Set(Self.plans.flatMap(\.masters).flatMap(\.deeds)) == Set(MasterPlan.Deed.allCases))
        #expect(Set(Self.plans.map { "\($0.mode)".prefix(4) }).count == 4)
    }

    @Test("a seed gives the same plan each time")
    func same() {
        #expect(Swarm.plan(seed: 7, size: .wide) == Swarm.plan(seed: 7, size: .wide))
        #expect(Swarm.plan(seed: 7, size: .wide) != Swarm.plan(seed: 8, size: .wide))
    }
}
