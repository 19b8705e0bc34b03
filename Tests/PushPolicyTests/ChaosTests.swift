import GameLogic
import PushPolicy
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
        var count = 0
        for seed in Self.seeds {
            var chaos = try Chaos(seed: seed, in: .fair)
            chaos.run(steps: 120)
            chaos.settle()
            #expect(chaos.faults == [])
            for hero in Set(chaos.falls.keys).union(chaos.alerts.keys) {
                let (falls, alerts) = (chaos.falls[hero] ?? 0, chaos.alerts[hero] ?? 0)
                #expect(alerts <= falls)
                // A player who has had two alerts is left alone for ten minutes.
                let heard = chaos.heard[hero] ?? 0
                #expect(
                    falls <= alerts + (chaos.lastStands[hero] ?? 0)
                        || heard >= Restraint.alertsInTenMinutes)
            }
            count += chaos.alerts.values.reduce(0, +)
        }
        #expect(count > 100)
    }
}
