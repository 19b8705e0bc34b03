internal import Glibc
internal import Isolation
internal import Simulation
internal import Testing

@Suite struct SchedulerTests {
    init() throws { try Scheduler.install() }

    /// Runs a small world of actors with lanes, and returns what it traced.
    static func play(
        _ seed: UInt64, mode: Scheduler.Mode = .uniform, fifoFromStep: Int? = nil
    ) -> [Int] {
        Scheduler.perform(seed: seed, mode: mode) { scheduler in
            scheduler.fifoFromStep = fifoFromStep
            let diary = Diary()
            for number in 0..<6 {
                scheduler.spawn(as: 0) {
                    let worker = LaneWorker("lane \(number % 2)", diary)
                    for round in 0..<5 {
                        await worker.work(number * 10 + round)
                        await Task.yield()
                    }
                }
            }
            scheduler.run()
            return diary.entries
        }
    }

    @Test("One seed gives one order, another seed another")
    func seeds() {
        let first = Self.play(1)
        #expect(first.count == 30)
        #expect(Self.play(1) == first)
        #expect(Self.play(2) != first)
        #expect(Self.play(2).sorted() == first.sorted())
    }

    @Test("The mode fifo runs jobs as they came, whatever the seed")
    func fifo() {
        #expect(Self.play(1, mode: .fifo) == Self.play(2, mode: .fifo))
        #expect(Self.play(1, fifoFromStep: 0) == Self.play(1, mode: .fifo))
        #expect(Self.play(1, fifoFromStep: 1_000_000) == Self.play(1))
    }

    @Test("A starved lane comes last, but comes")
    func starve() {
        let order = Self.play(3, mode: .starve("lane 0"))
        let fed = order.indices.filter { order[$0] / 10 % 2 == 1 }
        let starved = order.indices.filter { order[$0] / 10 % 2 == 0 }
        #expect(starved.count == 15)
        #expect(starved.reduce(0, +) > fed.reduce(0, +) + 100)
    }

    @Test("Priorities give an order that the seed draws")
    func priority() {
        #expect(Self.play(1, mode: .priority(3)) == Self.play(1, mode: .priority(3)))
        #expect(Self.play(1, mode: .priority(3)) != Self.play(2, mode: .priority(3)))
        #expect(Self.play(1, mode: .priority(3)).count == 30)
    }

    @Test("Jobs of a lane run in the order in which they were added", arguments: 1...20)
    func lanes(seed: UInt64) {
        let entries = Scheduler.perform(seed: seed) { scheduler in
            let diary = Diary()
            scheduler.spawn(as: 0) {
                let one = LaneWorker("one", diary)
                let other = LaneWorker("other", diary)
                await one.leave(0..<20)
                await other.leave(100..<120)
            }
            scheduler.run()
            return diary.entries
        }
        #expect(entries.filter { $0 < 100 } == Array(0..<20))
        #expect(entries.filter { $0 >= 100 } == Array(100..<120))
    }

    @Test("Timers of equal time fire in the order in which they were set")
    func timers() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            for number in 0..<50 {
                scheduler.after(Int64(100 - number / 10 * 10)) { diary.note(number) }
            }
            scheduler.run()
            #expect(scheduler.now == Scheduler.start + 100)
            return diary.entries
        }
        #expect(entries == [4, 3, 2, 1, 0].flatMap { tens in (0..<10).map { tens * 10 + $0 } })
    }

    @Test("A cancelled timer does not fire")
    func cancelledTimer() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let timer = scheduler.after(10) { diary.note(1) }
            scheduler.after(5) { scheduler.cancel(timer) }
            scheduler.after(20) { diary.note(2) }
            scheduler.run()
            return diary.entries
        }
        #expect(entries == [2])
    }

    @Test("A sleep ends when its task is cancelled")
    func cancelledSleep() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            scheduler.spawn(as: 0) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await scheduler.wait(until: Scheduler.start + 1_000_000)
                        diary.note(Int(scheduler.now - Scheduler.start))
                    }
                    await scheduler.wait(until: Scheduler.start + 30)
                    group.cancelAll()
                }
            }
            scheduler.run()
            return diary.entries
        }
        #expect(entries == [30])
    }

    @Test("A run ends at its time or when it is over")
    func ends() {
        Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            for number in 1...9 { scheduler.after(Int64(number * 10)) { diary.note(number) } }
            scheduler.run(until: Scheduler.start + 35)
            #expect(diary.entries == [1, 2, 3])
            #expect(scheduler.now == Scheduler.start + 35)
            scheduler.run(until: Scheduler.start + 1000) { diary.entries.count == 5 }
            #expect(scheduler.now == Scheduler.start + 50)
        }
    }

    @Test("A run ends when jobs at one moment come to no end")
    func livelock() {
        Scheduler.perform(seed: 1) { scheduler in
            scheduler.jobsAtOnceMax = 1000
            scheduler.spawn(as: 0) { while !scheduler.isBurying { await Task.yield() } }
            scheduler.after(10) {}
            scheduler.run()
            #expect(scheduler.now == Scheduler.start)
            #expect(scheduler.tripwires == ["jobs without an end at 0 ms": 1])
        }
    }

    @Test("Work of a lane takes the time of its disk, and others go on meanwhile")
    func laneDelay() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            scheduler.laneDelay = { label, _ in label == "disk" ? 100 : 0 }
            for (number, label) in ["disk", "shard"].enumerated() {
                scheduler.spawn(as: 0) {
                    let worker = LaneWorker(label, diary)
                    for _ in 0..<2 { await worker.noteTime(number) }
                }
            }
            scheduler.run()
            return diary.entries
        }
        #expect(entries == [1000, 1000, 100, 200])
    }

    @Test("Four threads at once give what one gives, beside ordinary tasks")
    func threads() async throws {
        let expected = (0..<40).map { Self.play(UInt64($0)) }
        async let nap: Void = Task.yield()
        let all = Locked<[[[Int]]]>([])
        let threads = (0..<4).map { _ in
            PlainThread {
                let orders = (0..<40).map { SchedulerTests.play(UInt64($0)) }
                all.withLock { $0.append(orders) }
            }
        }
        for thread in threads { thread.join() }
        await nap
        #expect(all.withLock { $0 } == [expected, expected, expected, expected])
    }
}
