internal import PartyStore
internal import PushPolicy

/// Compares the wall clock with the server's time, and keeps both for the next start.
actor ClockWatch {
    /// The pause between two comparisons, in seconds. What the wall clock was stepped by is on the
    /// wire and in the API that much later.
    static let restSeconds: Int64 = 10
    /// How long what was kept serves, in seconds. On the same boot of one machine it serves for ever.
    static let keptSeconds: Int64 = 60 * 60

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let jobs: JobRunner
    private let snapshots: PartySnapshots
    private let rest: Sleeper
    private var isStopping = false
    /// When the time is to be kept again.
    private var keepsAt: WallTime

    init(
        _ dependencies: Dependencies, epoch: Epoch, jobs: JobRunner, snapshots: PartySnapshots
    ) {
        self.dependencies = dependencies
        self.epoch = epoch
        self.jobs = jobs
        self.snapshots = snapshots
        rest = Sleeper(dependencies.clock)
        keepsAt = dependencies.clock.now()
    }

    /// Runs until `stop`.
    func run() async {
        while !isStopping {
            if let step = dependencies.clock.followWall() {
                dependencies.noteStep(step)
                jobs.wake()
                // Their JSON has the times that the old clock showed.
                snapshots.forgetAll()
                keepsAt = dependencies.clock.now()
            }
            if keepsAt <= dependencies.clock.now() { await keep() }
            guard !isStopping else { return }
            await rest.sleep(until: dependencies.clock.now().adding(seconds: Self.restSeconds))
        }
    }

    func stop() {
        isStopping = true
        rest.wake()
    }

    private func keep() async {
        let anchor = dependencies.clock.anchor
        do {
            try await dependencies.store.save(anchor, epoch: epoch)
            keepsAt = anchor.time.adding(seconds: Self.keptSeconds)
        } catch {
            // It is tried again after the next comparison.
            dependencies.log.warning("the server's time cannot be stored", ["error": "\(error)"])
        }
    }
}
