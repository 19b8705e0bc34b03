import GameLogic
import Isolation
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// The small machines inside the game loop.
@Suite("Pieces of the loop", .timeLimit(.minutes(1)))
struct LoopPiecesTests {
    // MARK: Turnstile

    @Test("one goes in, the others wait in the order of their coming")
    func order() {
        var turnstile = Turnstile<PartyID, Int>()
        let party = PartyID("p")
        var isIn = turnstile.enter(party)
        #expect(isIn)
        for number in 1...3 {
            isIn = turnstile.enter(party)
            #expect(!isIn)
            turnstile.wait(for: party, number)
        }
        #expect(turnstile.waiting(for: party) == 3)
        var next: [Int?] = []
        for _ in 1...3 { next.append(turnstile.leave(party)) }
        #expect(next == [1, 2, 3])
        #expect(turnstile.isInside(party))
        let last = turnstile.leave(party)
        #expect(last == nil)
        #expect(!turnstile.isInside(party))
        isIn = turnstile.enter(party)
        #expect(isIn)
    }

    @Test("a turnstile keeps parties apart")
    func apart() {
        var turnstile = Turnstile<PartyID, Int>()
        let areIn = [turnstile.enter(PartyID("p")), turnstile.enter(PartyID("q"))]
        #expect(areIn == [true, true])
        turnstile.wait(for: PartyID("p"), 1)
        let next = [turnstile.leave(PartyID("q")), turnstile.leave(PartyID("p"))]
        #expect(next == [nil, 1])
    }

    // MARK: Schedule

    /// The same as `Schedule`, too simple to be wrong.
    private struct NaiveSchedule {
        var due: [PartyID: WallTime] = [:]

        var next: WallTime? { due.values.min() }

        mutating func take(dueAt time: WallTime, limit: Int) -> [PartyID] {
            let taken = due.filter { $0.value <= time }
                .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(limit).map(\.key)
            for party in taken { due[party] = nil }
            return taken
        }
    }

    @Test("a schedule does what a sorted list does", arguments: 1...20 as ClosedRange<UInt64>)
    func schedule(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var schedule = Schedule()
        var naive = NaiveSchedule()
        var now = WallTime(milliseconds: 0)
        for _ in 0..<2000 {
            let party = PartyID("party-\(dice.draw(in: 1...30))")
            let time = now.adding(milliseconds: Int64(dice.draw(in: 0...50)))
            switch dice.draw(in: 0...9) {
            case 0:
                schedule.set(party, at: nil)
                naive.due[party] = nil
            case 1...2:
                now = time
                let limit = dice.draw(in: 1...5)
                let taken = schedule.take(dueAt: now, limit: limit).map(\.party)
                let expected = naive.take(dueAt: now, limit: limit)
                #expect(taken == expected)
            default:
                schedule.set(party, at: time)
                naive.due[party] = time
            }
            let next = schedule.next()
            #expect(next == naive.next)
        }
    }

    @Test("a party that was put off is not due at its old time")
    func putOff() {
        var schedule = Schedule()
        let party = PartyID("p")
        schedule.set(party, at: WallTime(milliseconds: 1))
        schedule.set(party, at: WallTime(milliseconds: 5))
        let early = schedule.take(dueAt: WallTime(milliseconds: 4), limit: 9)
        let late = schedule.take(dueAt: WallTime(milliseconds: 5), limit: 9)
        let next = schedule.next()
        #expect(early.isEmpty)
        #expect(late.count == 1)
        #expect(next == nil)
    }

    // MARK: Sleeper

    /// Under a virtual clock: no real time passes.
    private func rest(_ sleeper: Sleeper, until time: WallTime) async {
        let rest = sleeper.sleep
        await rest(time)
    }

    @Test("a sleeper wakes at its time")
    func wakesInTime() async {
        let clock = VirtualClock(now: WallTime(milliseconds: 0))
        let sleeper = Sleeper(clock.serverClock)
        async let nap: Void = rest(sleeper, until: WallTime(milliseconds: 10))
        await clock.untilAsleep(1)
        clock.advance(to: WallTime(milliseconds: 10))
        await nap
        #expect(clock.now == WallTime(milliseconds: 10))
    }

    @Test("a sleeper is woken for what comes before its time")
    func wokenEarly() async {
        let clock = VirtualClock(now: WallTime(milliseconds: 0))
        let sleeper = Sleeper(clock.serverClock)
        async let nap: Void = rest(sleeper, until: WallTime(milliseconds: 10))
        await clock.untilAsleep(1)
        sleeper.wake(by: WallTime(milliseconds: 5))
        await nap
        #expect(clock.now == WallTime(milliseconds: 0))
    }

    @Test("a sleeper sleeps on for what comes after its time")
    func notWokenLate() async {
        let clock = VirtualClock(now: WallTime(milliseconds: 0))
        let sleeper = Sleeper(clock.serverClock)
        let isAwake = Locked(false)
        async let nap: Void = {
            await rest(sleeper, until: WallTime(milliseconds: 10))
            isAwake.withLock { $0 = true }
        }()
        await clock.untilAsleep(1)
        sleeper.wake(by: WallTime(milliseconds: 15))
        #expect(!isAwake.withLock { $0 })
        clock.advance(to: WallTime(milliseconds: 10))
        await nap
    }

    @Test("who was woken before falling asleep does not sleep, but the next time does")
    func wokenBefore() async {
        let clock = VirtualClock(now: WallTime(milliseconds: 0))
        let sleeper = Sleeper(clock.serverClock)
        sleeper.wake()
        await rest(sleeper, until: WallTime(milliseconds: 10))
        #expect(clock.now == WallTime(milliseconds: 0))
        async let nap: Void = rest(sleeper, until: WallTime(milliseconds: 10))
        await clock.untilAsleep(1)
        clock.advance(to: WallTime(milliseconds: 10))
        await nap
    }
}
