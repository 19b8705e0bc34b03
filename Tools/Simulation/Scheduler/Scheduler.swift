internal import Isolation

/// Runs all jobs of a simulated world on one thread, in an order drawn from a seed, in a time that
/// passes only when nothing is left to do.
///
/// Jobs carry no owner: one belongs to the life whose job added it, one of a lane to the life that
/// made the lane. The world is life 0.
package final class Scheduler: SimulatedThread, @unchecked Sendable {
    // Safe to share: only the thread in `perform` uses it; others are turned away (`add`).

    /// How the next of the ready jobs is found.
    package enum Mode: Codable, Sendable, Hashable {
        /// Each ready lane is equally likely.
        case uniform
        /// In the order in which they became ready.
        case fifo
        /// As `uniform`, but lanes of this label are drawn only once in fifty times.
        case starve(String)
        /// The lane of the highest priority, which drops so many times in a thousand steps.
        case priority(Int)
    }

    /// The world's time at the start of a run, in milliseconds since 1970.
    package static let start: Int64 = 1_685_952_000_000

    package let seed: UInt64
    package let mode: Mode
    package let trace: Trace
    /// The world's time, in milliseconds since 1970.
    @exclusivity(unchecked) package internal(set) var now = Scheduler.start
    /// Whose job runs.
    @exclusivity(unchecked) package internal(set) var life: LifeID = 0
    /// Counts the jobs that have run.
    @exclusivity(unchecked) package internal(set) var steps = 0
    /// From that step on jobs run as in the mode `fifo`.
    package var fifoFromStep: Int?
    /// Told before each job; it may kill the life.
    @exclusivity(unchecked) package var onStep: ((_ life: LifeID) -> Void)?
    /// How long the disk or database works before a job of that lane ends, in milliseconds.
    @exclusivity(unchecked) package var laneDelay: ((_ label: String, _ life: LifeID) -> Int64)?
    /// That of the machine on which the lives run.
    @exclusivity(unchecked) package var disk: SimulatedDisk?
    /// What lives as long as the run.
    var world: AnyObject?
    /// More jobs than that without a moment in between do not come to an end, and the run does.
    package var jobsAtOnceMax = 300_000
    @exclusivity(unchecked) private var jobsAtOnce = 0
    /// Jobs that a life added to the lane of another.
    package internal(set) var strays = 0
    /// What ran that cannot be simulated, by name.
    package internal(set) var tripwires: [String: Int] = [:]
    /// The first of those, each with its callers.
    package internal(set) var trippers: [String] = []

    @exclusivity(unchecked) var lanes: [Lane]
    /// The lanes whose next job may run.
    @exclusivity(unchecked) var ready: [Int] = []
    @exclusivity(unchecked) var timers = Timers()
    @exclusivity(unchecked) var lives = [Life()]
    @exclusivity(unchecked) var order: Dice
    /// What ids, codes and keys are drawn from, apart from the order of jobs.
    @exclusivity(unchecked) var names: Dice
    @exclusivity(unchecked) var jobNumber = 0
    @exclusivity(unchecked) var lowestPriority: UInt64 = .max / 2
    var calls: [Int: LifeCall] = [:]
    var callNumber = 0
    var rootNumber = 0
    var graves: [LifeID: Grave] = [:]
    /// Lives that died, and still hold what they held.
    var unburied: [LifeID] = []
    /// The life whose rest is run to its end; nothing that it does is seen.
    @exclusivity(unchecked) var burying: LifeID?

    init(seed: UInt64, mode: Mode, trace: Trace) {
        self.seed = seed
        self.mode = mode
        self.trace = trace
        order = Dice(seed: seed, entity: "scheduler", purpose: "order")
        names = Dice(seed: seed, entity: "scheduler", purpose: "names")
        lanes = [Lane(label: "pool", life: 0, priority: order.next())]
    }

    /// Runs `body`, which runs a world, on the current thread; within a task, on one that it waits
    /// for, because jobs cannot run within a job.
    package static func perform<Result>(
        seed: UInt64, mode: Mode = .uniform, tells: Bool = false, markEvery: Int = 0,
        _ body: (Scheduler) -> Result
    ) -> Result {
        WorldThread.run {
            let trace = Trace(tells: tells, markEvery: markEvery)
            let scheduler = Scheduler(seed: seed, mode: mode, trace: trace)
            return SimulatedThreads.run(as: scheduler) {
                SimulatedExecutors.run(scheduler) {
                    let result = body(scheduler)
                    scheduler.buryAll()
                    scheduler.letGo()
                    return result
                }
            }
        }
    }

    /// Ends the cycles of a run, whose closures know the scheduler.
    private func letGo() {
        (onStep, laneDelay) = (nil, nil)
        (world, disk) = (nil, nil)
        calls = [:]
    }

    /// Random numbers of their own for one purpose of one entity.
    package func dice(_ entity: String, _ purpose: String) -> Dice {
        Dice(seed: seed, entity: entity, purpose: purpose)
    }

    // MARK: Jobs

    package func makeLane(_ label: String) -> Int {
        lanes.append(Lane(label: label, life: life, priority: order.next()))
        return lanes.count - 1
    }

    package func randomBits() -> UInt64 { names.next() }

    package func add(_ job: UnownedJob, on executor: UnownedSerialExecutor, toLane lane: Int) {
        guard SimulatedExecutors.current === self else {
            SimulatedExecutors.noteForeign(job, lane: lanes[lane].label)
            return
        }
        lanes[lane].executor = executor
        add(job, toLane: lane)
    }

    /// Adds a job of the pool.
    func add(_ job: UnownedJob) { add(job, toLane: 0) }

    private func add(_ job: UnownedJob, toLane index: Int) {
        let owner = index > 0 ? lanes[index].life : life
        if owner != life, !isDead(life) { strays += 1 }
        guard !isDead(life), !isDead(owner) else {
            let executor = lanes[index].executor
            graves[isDead(owner) ? owner : life]?.jobs.append(Grave.Job(job: job, on: executor))
            return
        }
        jobNumber += 1
        let wasEmpty = lanes[index].isEmpty
        lanes[index].append(Lane.Entry(job: job, life: owner, number: jobNumber))
        if wasEmpty, !lanes[index].isClosed { open(index) }
    }

    /// Makes a lane ready, now or when its disk or database has worked.
    private func open(_ index: Int) {
        let lane = lanes[index]
        guard index > 0, let delay = laneDelay?(lane.label, lane.life), delay > 0 else {
            ready.append(index)
            return
        }
        lanes[index].isClosed = true
        setTimer(delay, lane.life, .open(lane: index))
    }

    // MARK: Running

    /// Runs all until that time, or until the condition holds. With `.max` it ends when nothing is
    /// left to do.
    package func run(until end: Int64 = .max, _ isOver: () -> Bool = { false }) {
        while !isOver() {
            if !unburied.isEmpty { bury() }
            if !ready.isEmpty {
                runJob()
                if jobsAtOnce > jobsAtOnceMax { return tripOverJobs() }
            } else if let at = timers.earliest(), at <= end {
                fireTimer()
            } else {
                if end < .max { now = max(now, end) }
                return
            }
        }
    }

    @discardableResult
    private func runJob() -> Int {
        let place = drawReady()
        let index = ready[place]
        let entry = lanes[index].takeFirst()
        if lanes[index].isEmpty || (index > 0 && laneDelay != nil) {
            ready.swapAt(place, ready.count - 1)
            ready.removeLast()
            if !lanes[index].isEmpty { open(index) }
        }
        let executor = lanes[index].executor
        if let onStep {
            onStep(entry.life)
            guard !isDead(entry.life) else {
                graves[entry.life]?.jobs.append(Grave.Job(job: entry.job, on: executor))
                return index
            }
        }
        steps += 1
        jobsAtOnce += 1
        trace.note(.job, UInt64(index) << 32 | UInt64(entry.life), UInt64(now))
        life = entry.life
        SimulatedExecutors.run(entry.job, on: executor)
        life = 0
        return index
    }

    /// What trips over jobs of which each adds others at once.
    static let endless = "jobs without an end"
    /// How many more of them are looked at.
    private static let endlessSample = 1000

    private func tripOverJobs() {
        var lanes: [String] = []
        for _ in 0..<Self.endlessSample where !ready.isEmpty {
            let lane = self.lanes[runJob()]
            let name = "\(lane.label) of \(lane.life)"
            if !lanes.contains(name) { lanes.append(name) }
        }
        trip("\(Self.endless) at \(now - Scheduler.start) ms", by: lanes)
        jobsAtOnce = 0
    }

    private func fireTimer() {
        guard let timer = timers.takeFirst() else { return }
        if timer.at > now {
            now = timer.at
            jobsAtOnce = 0
        }
        trace.note(.timer, UInt64(timer.owner), UInt64(now))
        fire(timer)
    }

    func fire(_ timer: Timers.Timer) {
        life = timer.owner
        switch timer.action {
        case .resume(let continuation): continuation.resume()
        case .call(let body): body()
        case .open(let lane):
            lanes[lane].isClosed = false
            if !lanes[lane].isEmpty { ready.append(lane) }
        }
        life = burying ?? 0
    }

    // MARK: Time

    /// Calls `body` in so many milliseconds, as a job of the owner or of who asks. Returns a number
    /// with which `cancel` finds it.
    @discardableResult
    package func after(
        _ milliseconds: Int64, as owner: LifeID? = nil, _ body: @escaping () -> Void
    ) -> Int {
        setTimer(milliseconds, owner ?? life, .call(body))
    }

    /// Takes back what `after` was asked to call.
    package func cancel(_ number: Int) {
        if timers.cancel(number) == nil, let burying {
            _ = graves[burying]?.timers.cancel(number)
        }
    }

    /// Sleeps until that time of the world; less if the task is cancelled.
    package func wait(until time: Int64) async {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if burying != nil, time > now, Task.isCancelled {
                    // Who loops until some time would never come to an end among the dead.
                    setTimer(1, life, .resume(continuation))
                } else if Task.isCancelled || time <= now {
                    continuation.resume()
                } else {
                    sleeper.owner = life
                    sleeper.number = setTimer(time - now, life, .resume(continuation))
                }
            }
        } onCancel: {
            wake(sleeper)
        }
    }

    /// Which timer wakes a task; 0 if none does.
    private final class Sleeper: @unchecked Sendable {
        // Safe to share: as the scheduler.
        var number = 0
        var owner: LifeID = 0
    }

    private func wake(_ sleeper: Sleeper) {
        var timer = timers.cancel(sleeper.number)
        if timer == nil { timer = graves[sleeper.owner]?.timers.cancel(sleeper.number) }
        guard case .resume(let continuation)? = timer?.action else { return }
        let running = life
        life = sleeper.owner
        continuation.resume()
        life = running
    }

    @discardableResult
    func setTimer(_ milliseconds: Int64, _ owner: LifeID, _ action: Timers.Action) -> Int {
        let timer = Timers.Timer(
            at: now + max(0, milliseconds), setAt: now, owner: owner, action: action)
        guard isDead(life) || isDead(owner) else { return timers.set(timer) }
        // Nothing leaves the dead, and nothing reaches them.
        return graves[owner]?.timers.set(timer) ?? 0
    }
}
