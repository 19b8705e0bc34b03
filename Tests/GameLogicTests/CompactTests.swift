import Testing

@testable import GameLogic

@Suite struct CompactTests {
    private struct Row: Hashable {
        @Compact<UInt8> var small = 7
        @Compact<Int32> var wide = -3
    }

    @Test("a number that fits comes back, in the room of its storage")
    func whole() {
        var row = Row()
        #expect([row.small, row.wide] == [7, -3])
        row.small = 255
        row.wide -= 40_000
        #expect([row.small, row.wide] == [255, -40_003])
        #expect(MemoryLayout<Row>.size == 8)
    }

    @Test("a number that does not fit becomes the nearest that does")
    func clamped() {
        var row = Row()
        row.small += 300
        row.wide = .min
        #expect([row.small, row.wide] == [255, Int(Int32.min)])
        row.small = -1
        #expect(row.small == 0)
    }

    @Test("rows with more than an outing or a course can hold are refused")
    func restored() {
        func outing(earned: Int = 0, coins: Int = 0, missed: Int = 0) -> Outing? {
            Outing(
                of: .wanderer, level: 1, gear: Gear(), orders: StandingOrders(), expPercent: 100,
                earned: earned, coins: coins, keepsakes: 0, found: [], secondWinds: 0, drunk: 0,
                hasDrunkByOrder: false, hasGivenByOrder: false, isInDanger: false,
                fall: Outing.Fall(), missed: missed)
        }
        let most = Int(Int32.max)
        #expect(outing(earned: most, coins: 65_535, missed: -most)?.earned == most)
        #expect(outing(earned: most + 1) == nil)
        #expect(outing(earned: -1) == nil)
        #expect(outing(coins: 65_536) == nil)
        #expect(outing(missed: most + 1) == nil)
        func course(stage: Int = 0, told: Int = 0) -> Adventure.Course? {
            Adventure.Course(
                difficulty: .normal, stage: stage, stageSteps: 0, bossPhase: 0, move: 0,
                isGathering: false, lastStandUntil: nil, asks: [], nextAsk: 1, guards: [],
                hasAskedToFlee: false, told: told)
        }
        #expect(course(stage: 65_535, told: most)?.told == most)
        #expect(course(stage: 65_536) == nil)
        #expect(course(told: most + 1) == nil)
    }
}
