import PushPolicy
import RangersServer
import Testing

@testable import Playtest

@Suite("The virtual clock")
struct VirtualClockTests {
    private let start = WallTime(milliseconds: 1000)

    @Test("a time that has come is not slept for")
    func past() async {
        let clock = VirtualClock(now: start)
        await clock.wait(until: start)
        #expect(clock.now == start)
    }

    @Test("a sleeper wakes at its time, not before")
    func wakes() async {
        let clock = VirtualClock(now: start)
        async let woken: WallTime = {
            await clock.wait(until: WallTime(milliseconds: 3000))
            return clock.now
        }()
        await clock.untilAsleep(1)
        clock.advance(to: WallTime(milliseconds: 2999))
        await clock.untilAsleep(1)
        clock.advance(to: WallTime(milliseconds: 3000))
        #expect(await woken == WallTime(milliseconds: 3000))
    }

    @Test("the next sleeper is the earliest, if anything sleeps")
    func next() async throws {
        let clock = VirtualClock(now: start)
        #expect(clock.nextSleeper == nil)
        async let late: Void = clock.wait(until: WallTime(milliseconds: 9000))
        async let early: Void = clock.wait(until: WallTime(milliseconds: 5000))
        await clock.untilAsleep(2)
        clock.advance(to: try #require(clock.nextSleeper))
        await early
        #expect(clock.now == WallTime(milliseconds: 5000))
        clock.advance(to: try #require(clock.nextSleeper))
        await late
        #expect(clock.now == WallTime(milliseconds: 9000))
    }

    @Test("it never goes back")
    func back() {
        let clock = VirtualClock(now: start)
        clock.advance(to: WallTime(milliseconds: 0))
        #expect(clock.now == start)
    }

    @Test("a cancelled sleeper wakes at once")
    func cancelled() async {
        let clock = VirtualClock(now: start)
        let task = Task { await clock.wait(until: WallTime(milliseconds: 9000)) }
        await clock.untilAsleep(1)
        task.cancel()
        await task.value
        #expect(clock.now == start)
    }
}
