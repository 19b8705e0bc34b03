import PushPolicy
import Testing

@Suite("The guard of starts by push")
struct PushToStartGuardTests {
    private let noon = WallTime(milliseconds: 1_685_952_000_000)

    private func after(minutes: Int64) -> WallTime { noon.adding(seconds: minutes * 60) }

    /// A guard with starts at these minutes.
    private func guardian(_ minutes: [Int64]) -> PushToStartGuard {
        minutes.reduce(into: PushToStartGuard()) { $0.spend(at: after(minutes: $1)) }
    }

    @Test("A7: three starts an hour, then none until the first is an hour old")
    func hour() {
        let guardian = guardian([0, 10, 20])
        #expect(guardian.limit(.standard, at: after(minutes: 59)) == .anHour(3))
        #expect(guardian.limit(.standard, at: after(minutes: 60)) == nil)
    }

    @Test("A7: two starts leave room for a third")
    func room() {
        #expect(guardian([0, 10]).limit(.standard, at: after(minutes: 11)) == nil)
    }

    @Test("A7: eight starts a day, then none until the first is a day old")
    func day() {
        let guardian = guardian((0..<8).map { $0 * 60 })
        #expect(guardian.limit(.standard, at: after(minutes: 12 * 60)) == .aDay(8))
        #expect(guardian.limit(.standard, at: after(minutes: 24 * 60 - 1)) == .aDay(8))
        #expect(guardian.limit(.standard, at: after(minutes: 24 * 60)) == nil)
    }

    @Test("whatever a party does, no hour and no day sees more than the limits")
    func worstCase() {
        var guardian = PushToStartGuard()
        var starts: [Int64] = []
        for minute in 0..<Int64(3 * 24 * 60)
        where guardian.limit(.standard, at: after(minutes: minute)) == nil {
            guardian.spend(at: after(minutes: minute))
            starts.append(minute)
        }
        for start in starts {
            #expect(starts.count { (start..<start + 60).contains($0) } <= 3)
            #expect(starts.count { (start..<start + 24 * 60).contains($0) } <= 8)
        }
        #expect(starts.count > 20)
    }

    @Test("a limit of nothing allows nothing", arguments: [(0, 8), (3, 0)])
    func nothing(anHour: Int, aDay: Int) {
        let limits = PushToStartGuard.Limits(anHour: anHour, aDay: aDay)
        #expect(PushToStartGuard().limit(limits, at: noon) != nil)
    }

    @Test("a start that never reached the device is given back, once")
    func refund() {
        var guardian = guardian([0, 10, 20])
        guardian.refund(startAt: after(minutes: 10))
        guardian.refund(startAt: after(minutes: 10))
        #expect(guardian == self.guardian([0, 20]))
    }

    @Test("PR12: after the clock was set back two days the device is free again in one")
    func clockSetBack() {
        var guardian = guardian([2880, 2881, 2882])
        guardian.followClock(to: noon)
        #expect(guardian.limit(.standard, at: noon) == .anHour(3))
        #expect(guardian.limit(.standard, at: after(minutes: 60)) == nil)
    }

    @Test("two names of one device have had what both have had")
    func merged() {
        let both = guardian([0, 20]).merged(with: guardian([10]))
        #expect(both == guardian([0, 10, 20]))
    }

    @Test("the guard says which limit it was")
    func words() {
        #expect(
            "\(PushToStartGuard.Limit.anHour(3))" == "the guard allows 3 starts an hour on a device"
        )
        #expect(
            "\(PushToStartGuard.Limit.aDay(8))" == "the guard allows 8 starts a day on a device")
    }
}
