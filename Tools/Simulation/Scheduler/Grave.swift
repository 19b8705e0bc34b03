/// What a dead life held: its jobs and timers. They are run to their end in a time of their own, so
/// that its tasks end and free their memory.
struct Grave {
    struct Job {
        let job: UnownedJob
        let on: UnownedSerialExecutor?
    }
    /// A life that does not end by then is left as it is.
    static let jobsMax = 20_000
    static let millisecondsMax: Int64 = 3_600_000

    var jobs: [Job] = []
    var timers = Timers()
}

/// What becomes of the dead. Nothing of it is seen: not in the trace, not in the dice, not in time.
extension Scheduler {
    /// Whether what runs is of the dead.
    package var isBurying: Bool { burying != nil }

    /// Buries all who died.
    func bury() {
        while let dead = unburied.first {
            unburied.removeFirst()
            bury(dead)
        }
    }

    /// Ends all lives, the world's last.
    func buryAll() {
        for life in lives.indices.dropFirst() where !isDead(life) { kill(life) }
        bury()
        lives[0].state = .dead
        var grave = Grave()
        for index in lanes.indices {
            let executor = lanes[index].executor
            for entry in lanes[index].removeAll(of: 0) {
                grave.jobs.append(Grave.Job(job: entry.job, on: executor))
            }
        }
        ready = []
        grave.timers = timers.split(of: 0)
        graves[0] = grave
        bury(0)
    }

    private func bury(_ dead: LifeID) {
        let (time, dice) = (now, names)
        names = Dice(seed: seed, entity: "grave", purpose: String(dead))
        trace.isMuted = true
        burying = dead
        life = dead
        let roots = lives[dead].roots
        for number in roots.keys.sorted() { roots[number]?.cancel() }
        if let burial = lives[dead].burial { spawn(as: dead, burial) }
        runGrave(dead, until: time + Grave.millisecondsMax)
        graves[dead] = nil
        lives[dead] = Life(state: .buried)
        (now, names) = (time, dice)
        burying = nil
        life = 0
        trace.isMuted = false
    }

    private func runGrave(_ dead: LifeID, until end: Int64) {
        var left = Grave.jobsMax
        while left > 0 {
            if let jobs = graves[dead]?.jobs, !jobs.isEmpty {
                graves[dead]?.jobs = []
                for job in jobs {
                    life = dead
                    SimulatedExecutors.run(job.job, on: job.on)
                }
                left -= jobs.count
            } else if let timer = graves[dead]?.timers.takeFirst(), timer.at <= end {
                now = max(now, timer.at)
                left -= 1
                if case .open = timer.action { continue }
                fire(timer)
            } else {
                return
            }
        }
    }
}
