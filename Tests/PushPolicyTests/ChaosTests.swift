import GameLogic
import Testing

@Suite("Whatever happens")
struct ChaosTests {
    private static let seeds: ClosedRange<UInt64> = 1...150

    @Test("PR3, PR5: under faults order holds, one decision an event, and each activity is right")
    func foul() throws {
        var pushes = 0
        for seed in Self.seeds {
            var chaos = try Chaos(seed: seed, in: .foul)
            // Once in the middle of the adventure, and once after its end.
            for steps in [20, 100] {
                chaos.run(steps: steps)
                chaos.settle()
            }
            #expect(chaos.faults == [])
            pushes += chaos.pushes
        }
        #expect(pushes > 1000)
    }

    @Test("PR4: without faults each knock-down alerts its hero's player once")
    func fair() throws {
        var heard = 0
        for seed in Self.seeds {
            var chaos = try Chaos(seed: seed, in: .fair)
            chaos.run(steps: 120)
            chaos.settle()
            #expect(chaos.faults == [])
            #expect(chaos.alerts == chaos.falls)
            heard += chaos.alerts.values.reduce(0, +)
        }
        #expect(heard > 100)
    }
}
