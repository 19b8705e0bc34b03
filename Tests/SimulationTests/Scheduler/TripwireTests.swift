internal import Glibc
internal import Isolation
internal import Simulation
internal import Testing

@Suite(.serialized) struct TripwireTests {
    init() throws { try Scheduler.install() }

    /// Returns what trips while a world runs this.
    private func trips(_ body: @escaping @Sendable () async -> Void) -> [String: Int] {
        Scheduler.perform(seed: 1) { scheduler in
            scheduler.spawn(as: 0, body)
            scheduler.run()
            return scheduler.tripwires
        }
    }

    @Test("A sleep of the machine's clock trips")
    func sleep() {
        #expect(trips { try? await Task.sleep(for: .seconds(1000)) }["Task.sleep"] == 1)
    }

    @Test("The machine's clocks trip, but not times of work")
    func clocks() {
        #expect(trips { _ = ContinuousClock.now }["clock_gettime"] == 1)
        let readWall: @Sendable () async -> Void = {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
        }
        #expect(trips(readWall)["clock_gettime"] == 1)
        let readWork: @Sendable () async -> Void = {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        }
        #expect(trips(readWork) == [:])
    }

    @Test("The machine's random numbers trip, the only source of the product does not")
    func randomNumbers() {
        #expect(trips { _ = UInt64.random(in: 0...9) }.keys.sorted() == ["getrandom"])
        #expect(trips { _ = RandomSource.integer(in: 0...9) } == [:])
    }

    @Test("A thread that starts trips")
    func threads() {
        #expect(trips { PlainThread {}.join() } == ["pthread_create": 1])
    }

    @Test("A job that another thread adds to a lane is reported, and does not run")
    func foreignJobs() {
        _ = Scheduler.foreignJobs()
        let entries = Scheduler.perform(seed: 1) { scheduler in
            let diary = Diary()
            scheduler.spawn(as: 0) {
                let worker = LaneWorker("writer", diary)
                await worker.work(1)
                PlainThread { Task { await worker.leave(2..<3) } }.join()
                // The other thread's task runs on the machine's pool.
                while Scheduler.foreignJobCount == 0 { sched_yield() }
            }
            scheduler.run()
            return diary.entries
        }
        #expect(entries == [1])
        let jobs = Scheduler.foreignJobs()
        #expect(jobs.count == 1)
        #expect(jobs.first?.contains("for the lane writer") == true)
    }
}
