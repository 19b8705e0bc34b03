import GameLogic
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// The small machines inside a shard.
@Suite("Pieces of a shard", .timeLimit(.minutes(1)))
struct ShardPiecesTests {
    // MARK: Queue

    @Test("a queue returns its elements in the order of arrival, however long it gets")
    func queue() {
        var queue = Queue<Int>()
        var expected: [Int] = []
        var dice = SeededRandom(seed: 7)
        for number in 0..<2000 {
            if dice.draw(in: 0...2) > 0 {
                queue.append(number)
                expected.append(number)
            } else {
                let taken = queue.popFirst()
                #expect(taken == expected.first)
                expected = Array(expected.dropFirst())
            }
            #expect(queue.count == expected.count)
            #expect(queue.isEmpty == expected.isEmpty)
        }
    }

    // MARK: Rows of outcomes

    @Test("a row of outcomes is deleted when the last party that needs it has written its own")
    func outcomeRows() {
        let rows = OutcomeRows(epoch: Epoch(number: 3))
        let (first, second) = (rows.newRow(), rows.newRow())
        #expect(first != second)
        #expect(rows.note(first, of: 0))
        #expect(!rows.note(second, of: 2))
        #expect(!rows.cover(second))
        #expect(rows.cover(second))
        #expect(!rows.cover(second))
        #expect(OutcomeRows(epoch: Epoch(number: 4)).newRow() > second)
    }

    @Test("rows of outcomes that a full disk kept are deleted later, not again at once")
    func rowsToForgetLater() {
        var outcomes = UnwrittenOutcomes(OutcomeRows(epoch: Epoch(number: 3)))
        let now = WallTime(milliseconds: 1_000_000)
        var failed = PendingBatch(reach: .parties)
        failed.forgottenRows = [7]
        outcomes.take(failed: failed, at: now, in: .running)
        var draft = BatchDraft(wallOffset: 0)
        outcomes.write(to: &draft, at: now, in: .running)
        #expect(draft.parts.isEmpty)
        #expect(outcomes.writeAt == now.adding(milliseconds: 250))
        outcomes.write(to: &draft, at: now.adding(milliseconds: 250), in: .running)
        #expect(draft.own.pending.forgottenRows == [7])
        #expect(outcomes.writeAt == nil)
    }

    @Test("a server that stops leaves rows of outcomes that a full disk keeps")
    func rowsLeftAtTheEnd() {
        var outcomes = UnwrittenOutcomes(OutcomeRows(epoch: Epoch(number: 3)))
        let now = WallTime(milliseconds: 1_000_000)
        var failed = PendingBatch(reach: .parties)
        failed.forgottenRows = [7]
        outcomes.take(failed: failed, at: now, in: .finishing)
        var draft = BatchDraft(wallOffset: 0)
        outcomes.write(to: &draft, at: now, in: .finishing)
        #expect(draft.parts.isEmpty)
        #expect(outcomes.writeAt == nil)
    }

    // MARK: Schedule

    /// The same as `Schedule`, too simple to be wrong.
    private struct NaiveSchedule {
        var due: [PartyID: WallTime] = [:]

        var next: WallTime? { due.values.min() }

        mutating func take(dueAt time: WallTime) -> PartyID? {
            let taken = due.filter { $0.value <= time }
                .min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
            if let taken { due[taken] = nil }
            return taken
        }
    }

    @Test("a schedule behaves like a sorted list", arguments: 1...20 as ClosedRange<UInt64>)
    func schedule(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var schedule = Schedule()
        let parties = (1...30).map { LiveParty(PartyID("party-\($0)")) }
        var naive = NaiveSchedule()
        var now = WallTime(milliseconds: 0)
        for _ in 0..<2000 {
            let party = parties[dice.draw(in: 0...29)]
            let time = now.adding(milliseconds: Int64(dice.draw(in: 0...50)))
            switch dice.draw(in: 0...9) {
            case 0:
                schedule.set(party, at: nil)
                naive.due[party.id] = nil
            case 1...2:
                now = time
                for _ in 0..<dice.draw(in: 1...5) {
                    let taken = schedule.take(dueAt: now)?.party.id
                    let expected = naive.take(dueAt: now)
                    #expect(taken == expected)
                }
            default:
                schedule.set(party, at: time)
                naive.due[party.id] = time
            }
            let next = schedule.next()
            #expect(next == naive.next)
        }
    }

    @Test("a rescheduled party is not due at its old time")
    func putOff() {
        var schedule = Schedule()
        let party = LiveParty(PartyID("p"))
        schedule.set(party, at: WallTime(milliseconds: 1))
        schedule.set(party, at: WallTime(milliseconds: 5))
        let early = schedule.take(dueAt: WallTime(milliseconds: 4))
        let late = schedule.take(dueAt: WallTime(milliseconds: 5))
        let next = schedule.next()
        #expect(early == nil)
        #expect(late != nil)
        #expect(next == nil)
    }

    // MARK: Sleeper

    private let clock = VirtualClock(now: WallTime(milliseconds: 0))

    private func rest(_ sleeper: Sleeper, until time: WallTime) async {
        let rest = sleeper.sleep
        await rest(time, .done)
    }

    @Test("a sleeper wakes at its time")
    func wakesInTime() async {
        let sleeper = Sleeper(clock.serverClock)
        async let nap: Void = rest(sleeper, until: WallTime(milliseconds: 10))
        await clock.untilAsleep(1)
        clock.advance(to: WallTime(milliseconds: 10))
        await nap
        #expect(clock.now == WallTime(milliseconds: 10))
    }

    @Test("a sleeper is woken for an earlier time")
    func wokenEarly() async {
        let sleeper = Sleeper(clock.serverClock)
        async let nap: Void = rest(sleeper, until: WallTime(milliseconds: 10))
        await clock.untilAsleep(1)
        sleeper.wake(by: WallTime(milliseconds: 5))
        await nap
        #expect(clock.now == WallTime(milliseconds: 0))
    }

    @Test("a sleeper is not woken for a later time")
    func notWokenLate() async {
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

    @Test("a sleeper woken before its sleep does not sleep once")
    func wokenBefore() async {
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
