import Foundation
import Testing

@testable import RangersServer

/// What `rangers plan` computes.
@Suite("Plans of sizes")
struct ScalePlanTests {
    private static let sizes = [100_000, 1_000_000, 10_000_000]
    private static let plans = sizes.map {
        ScalePlan(activities: $0, secondsBetweenChanges: 30)
    }

    @Test("docs/reference/scale.md has what the command prints, without options")
    func page() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "docs/reference/scale.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains(PlanTable(Self.plans).text))
    }

    @Test("ten times as many Live Activities are ten times the work, and the spare node once")
    func proportions() {
        for (few, many) in zip(Self.plans, Self.plans.dropFirst()) {
            let ratios = [
                many.ticksPerSecond / few.ticksPerSecond, many.logBytesPerDay / few.logBytesPerDay,
            ]
            #expect(ratios.allSatisfy { (9.999...10.001).contains($0) })
            let spare = Int(PlanConstant.spareNodes.value)
            let (fewer, more) = (few.nodes - spare, many.nodes - spare)
            #expect(more > 10 * (fewer - 1))
            #expect(more <= 10 * fewer)
        }
    }

    @Test("a party's four cards change together, and each change is a tick")
    func ticks() {
        let plan = ScalePlan(activities: 1_200, secondsBetweenChanges: 3)
        #expect(plan.parties == 300)
        #expect(plan.ticksPerSecond == 100)
        let pushes = 100 * PlanConstant.pushesPerTick.value
        #expect(plan.pushesPerSecond == pushes)
    }

    @Test("nodes and cores carry the ticks with the share of a core that may be used")
    func capacity() {
        for plan in Self.plans {
            let busy = Double(plan.nodes) - PlanConstant.spareNodes.value
            let least = plan.ticksPerSecondOfNode * (busy - 1)
            let most = plan.ticksPerSecondOfNode * busy
            #expect(least < plan.ticksPerSecond)
            #expect(plan.ticksPerSecond <= most)
            let ticks = plan.ticksPerSecond * PlanConstant.databaseMicroseconds.value
            let changes =
                plan.changesPerSecond * PlanConstant.changeDatabaseMicroseconds.value
            let cores = (ticks + changes) / 1e6 / PlanConstant.coreShare.value
            #expect((Double(plan.databaseCores) - 1...Double(plan.databaseCores)).contains(cores))
        }
    }

    @Test("what players change costs nodes, the database and its log")
    func changes() {
        let few = ScalePlan(activities: 900_000, secondsBetweenChanges: 86_400)
        #expect(few.changesPerSecond == 1_000)
        #expect(few.ticksPerSecond < 3)
        let cores = 1_000 * PlanConstant.changeDatabaseMicroseconds.value / 1e6
        #expect(Double(few.databaseCores) >= cores / PlanConstant.coreShare.value)
        let nodeCores = 1_000 * PlanConstant.changeMicroseconds.value / 1e6
        let available = PlanConstant.coresPerNode.value * PlanConstant.coreShare.value
        #expect(Double(few.nodes) >= PlanConstant.spareNodes.value + nodeCores / available)
        #expect(few.logBytesPerSecond > 1_000 * PlanConstant.logBytesPerChange.value)
    }

    @Test("a node has at least two connections to APNs, and more when its pushes need them")
    func connections() {
        let small = ScalePlan(activities: 4, secondsBetweenChanges: 60)
        #expect(small.nodes == 2)
        #expect(small.connections == 4)
        // Half of four requests a minute, of 3,000 bytes each.
        #expect(small.bitsPerSecondBetweenNodes == 800)
        let large = ScalePlan(activities: 10_000_000, secondsBetweenChanges: 1)
        #expect(large.connections > 2 * large.nodes)
    }

    @Test("the log of one primary has a limit")
    func primary() throws {
        #expect(Self.plans[0].fitsOnePrimary)
        #expect(!ScalePlan(activities: 100_000_000, secondsBetweenChanges: 1).fitsOnePrimary)
    }

    @Test("the table says of each constant whether it was measured")
    func origins() {
        let lines = PlanTable(Self.plans).text.split(separator: "\n")
        for constant in PlanConstant.all {
            let line = lines.first { $0.hasPrefix("| \(constant.name) | ") }
            switch constant.origin {
            case .measured(let figure):
                #expect(line?.hasSuffix("| measured: \(figure) |") == true)
            case .assumed(let reason):
                #expect(line?.hasSuffix("| **assumed**: \(reason) |") == true)
            }
        }
        #expect(Set(PlanConstant.all.map(\.name)).count == PlanConstant.all.count)
    }

    @Test(
        "numbers have three digits and a prefix",
        arguments: [
            (0.0, "0 B"), (999, "999 B"), (999.6, "1 kB"), (12_340, "12.3 kB"), (1.5e6, "1.5 MB"),
            (2.504e9, "2.5 GB"), (123.4e12, "123 TB"), (5e18, "5000 PB"),
        ])
    func scaled(number: Double, text: String) {
        #expect(PlanTable.scaled(number, "B") == text)
    }

    @Test("digits are grouped by threes")
    func grouped() {
        #expect(PlanTable.grouped(7) == "7")
        #expect(PlanTable.grouped(1_000) == "1,000")
        #expect(PlanTable.grouped(12_345_678) == "12,345,678")
        #expect(PlanTable.plain(3.1) == "3.1")
    }
}
