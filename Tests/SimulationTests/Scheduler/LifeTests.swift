internal import Isolation
internal import Simulation
internal import Testing

@Suite struct LifeTests {
    init() throws { try Scheduler.install() }

    @Test("A death between two jobs stops a life there, and the world goes on", arguments: 1...10)
    func death(jobs: Int) {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let life = scheduler.newLife()
            var left = jobs
            scheduler.onStep = { running in
                guard running == life else { return }
                left -= 1
                if left == 0 { scheduler.kill(life) }
            }
            scheduler.spawn(as: life) {
                for number in 1...100 {
                    if !scheduler.isBurying { diary.note(number) }
                    await Task.yield()
                }
            }
            scheduler.spawn(as: 0) {
                await scheduler.wait(until: Scheduler.start + 1000)
                diary.note(1000)
            }
            scheduler.run()
            return diary.entries
        }
        // A number takes at most two jobs.
        #expect((jobs / 2...jobs).contains(entries.count))
        #expect(entries == Array(1..<entries.count) + [1000])
    }

    @Test("Nothing leaves a job that dies: no task, no timer, no response")
    func silence() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let life = scheduler.newLife()
            scheduler.spawn(as: life) {
                scheduler.kill(life)
                scheduler.spawn(as: life) { if !scheduler.isBurying { diary.note(1) } }
                scheduler.after(1, as: 0) { diary.note(2) }
                scheduler.after(1) { if !scheduler.isBurying { diary.note(3) } }
                await Task.yield()
                if !scheduler.isBurying { diary.note(4) }
            }
            scheduler.run()
            return diary.entries
        }
        #expect(entries == [])
    }

    @Test("A caller hears of a death, and goes on as who it is")
    func lostCall() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let life = scheduler.newLife()
            scheduler.spawn(as: 0) {
                let response = await scheduler.call(life, there: 5, back: 5) {
                    await scheduler.wait(until: Scheduler.start + 10_000)
                    return 7
                }
                diary.note(response ?? Int(scheduler.now - Scheduler.start))
                diary.note(scheduler.life)
            }
            scheduler.after(77) { scheduler.kill(life) }
            scheduler.run(until: Scheduler.start + 50_000)
            return diary.entries
        }
        #expect(entries == [77, 0])
    }

    @Test("A call takes its time both ways")
    func call() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let life = scheduler.newLife()
            scheduler.spawn(as: 0) {
                let response = await scheduler.call(life, there: 5, back: 6) {
                    diary.note(scheduler.life)
                    return Int(scheduler.now - Scheduler.start)
                }
                diary.note(response ?? -1)
                diary.note(Int(scheduler.now - Scheduler.start))
            }
            scheduler.run()
            #expect(scheduler.unfinishedTasks(of: life) == 0)
            return diary.entries
        }
        #expect(entries == [1, 5, 11])
    }

    @Test("A call to the dead is lost")
    func deadCall() {
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let life = scheduler.newLife()
            scheduler.kill(life)
            scheduler.spawn(as: 0) {
                diary.note(await scheduler.call(life, there: 5, back: 5) { 7 } ?? 0)
            }
            scheduler.run()
            return diary.entries
        }
        #expect(entries == [0])
    }

    @Test("A job that one life adds to another's lane is a stray")
    func strays() {
        Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            let (one, other) = (scheduler.newLife(), scheduler.newLife())
            let box = Locked<LaneWorker?>(nil)
            scheduler.spawn(as: one) {
                let worker = LaneWorker("one", diary)
                box.withLock { $0 = worker }
                await worker.work(1)
            }
            scheduler.run()
            #expect(scheduler.strays == 0)
            scheduler.spawn(as: other) { await box.withLock { $0 }?.work(2) }
            scheduler.run()
            #expect(scheduler.strays == 1)
        }
    }

    @Test("The tasks and timers that a life has left are counted")
    func unfinished() {
        Scheduler.perform(seed: 1) { scheduler in
            let life = scheduler.newLife()
            scheduler.spawn(as: life) { await scheduler.wait(until: Scheduler.start + 500) }
            #expect(scheduler.unfinishedTasks(of: life) == 1)
            scheduler.run(until: Scheduler.start + 100)
            #expect(scheduler.unfinishedTasks(of: life) == 1)
            #expect(scheduler.pendingTimers(of: life).map(\.at) == [Scheduler.start + 500])
            scheduler.run()
            #expect(scheduler.unfinishedTasks(of: life) == 0)
        }
    }

    @Test("The dead let go of what they hold")
    func memory() {
        weak var held: Diary?
        weak var waiting: Diary?
        Scheduler.perform(seed: 1) { scheduler in
            let life = scheduler.newLife()
            held = hold(in: life, for: 1_000_000, scheduler)
            waiting = hold(in: 0, for: 1_000_000, scheduler)
            scheduler.run(until: Scheduler.start + 10)
            #expect(held != nil)
            scheduler.kill(life)
            scheduler.run(until: Scheduler.start + 20)
            #expect(held == nil)
            #expect(waiting != nil)
        }
        #expect(waiting == nil)
    }

    /// Returns what a sleeping task of that life holds.
    private func hold(in life: LifeID, for milliseconds: Int64, _ scheduler: Scheduler) -> Diary {
        let diary = Diary()
        scheduler.spawn(as: life) {
            await scheduler.wait(until: Scheduler.start + milliseconds)
            diary.note(1)
        }
        return diary
    }

    @Test("A burial touches neither the trace nor the dice nor the time")
    func burial() {
        func play(buries: Bool) -> [UInt64] {
            Scheduler.perform(seed: 1) { scheduler in
                let life = scheduler.newLife()
                if buries {
                    scheduler.onBurial(of: life) {
                        for second: Int64 in 1...100 {
                            scheduler.trace.note(.other, RandomSource().next())
                            await scheduler.wait(until: scheduler.now + second * 1000)
                        }
                    }
                }
                scheduler.after(10) { scheduler.kill(life) }
                scheduler.spawn(as: 0) {
                    for _ in 0..<50 { await scheduler.wait(until: scheduler.now + 1) }
                }
                scheduler.run()
                return [scheduler.trace.hash, RandomSource().next(), UInt64(scheduler.now)]
            }
        }
        #expect(play(buries: true) == play(buries: false))
    }
}
