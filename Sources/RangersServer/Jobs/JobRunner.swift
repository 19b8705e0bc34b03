internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// Runs game masters' jobs: some parties a second, each once, across restarts. The times of
/// jobs are those of the wall clock, as game masters gave them.
actor JobRunner {
    /// The most parties that jobs change in a second.
    static let partiesPerSecond = 200
    /// How many of them are changed at a time.
    private static let atOnce = 20
    /// How long the runner sleeps when nothing is due, in seconds; a new job wakes it.
    private static let idleSeconds: Int64 = 3600

    private let dependencies: Dependencies
    private let epoch: Epoch
    private let shards: Shards
    private let limits: RequestLimits
    private let rounds: Rounds
    private var forgetsAt = WallTime(milliseconds: .min)

    /// Creates the runner before requests come: what a stop left half made is forgotten first, or a
    /// job that is being made would be taken for it. `isFirst`: no other server may be making one.
    init(
        _ dependencies: Dependencies, epoch: Epoch, shards: Shards, limits: RequestLimits,
        isFirst: Bool
    ) async {
        self.dependencies = dependencies
        self.epoch = epoch
        self.shards = shards
        self.limits = limits
        rounds = Rounds(dependencies)
        if isFirst { await forgetUnprepared(createdBefore: WallTime(milliseconds: .max)) }
    }

    /// Runs until `stop`.
    func run() async { await rounds.run("cannot run jobs yet") { try await self.round() } }

    nonisolated func stop() { rounds.stop() }

    /// Looks at the jobs at once, because there is a new one or the wall clock was stepped.
    nonisolated func wake() { rounds.wake() }

    /// Runs what is due, for a second's worth. Returns when to look again.
    private func round() async throws -> WallTime {
        let now = rounds.now
        if now >= forgetsAt, shards.map.leads {
            // A job is made within seconds, or never.
            let old = now.adding(seconds: -Self.idleSeconds)
            await forgetUnprepared(createdBefore: old)
            forgetsAt = now.adding(seconds: Self.idleSeconds)
        }
        var next = now.adding(seconds: Self.idleSeconds)
        var left = Self.partiesPerSecond
        for job in try await dependencies.store.openJobs() where !rounds.isStopping {
            guard job.startsAt <= now else {
                next = min(next, job.startsAt)
                continue
            }
            next = min(next, now.adding(seconds: 1))
            // If another node has begun it, it runs here too: a second later.
            guard try await begin(job, at: now) else { continue }
            left -= try await advance(job, at: now, limit: left)
        }
        return next
    }

    private func forgetUnprepared(createdBefore time: WallTime) async {
        do {
            try await dependencies.store.forgetUnpreparedJobs(createdBefore: time, epoch: epoch)
        } catch {
            dependencies.log.warning("cannot delete unprepared jobs", ["error": "\(error)"])
        }
    }

    /// Returns whether the job runs from now on.
    private func begin(_ job: CommandJob, at now: WallTime) async throws -> Bool {
        guard job.status == .waiting else { return true }
        let status: CommandJob.Status = now > job.latestBy ? .missed : .running
        let isChanged = try await dependencies.store.setStatus(
            of: job.id, to: status, from: [.waiting],
            as: status == .missed
                ? Self.record(ofMissed: job, at: dependencies.clock.now()) : nil, epoch: epoch)
        dependencies.log.info(
            status == .running ? "a job begins" : "a job was missed: no server ran in time",
            ["job": job.id])
        return isChanged && status == .running
    }

    /// The server drops the job by itself, in the name of its creator.
    private static func record(ofMissed job: CommandJob, at now: WallTime) -> AuditRecord {
        AuditRecord(
            caller: GameMaster(name: job.createdBy, role: .director),
            action: "POST /v1/admin/commands", target: job.id,
            before: String(decoding: CommandJobs.json(of: job, .waiting), as: UTF8.self),
            after: String(decoding: CommandJobs.json(of: job, .missed), as: UTF8.self),
            reason: "no server ran in time", status: 503, at: now)
    }

    /// Gives the command to the next parties of the job. Returns how many it has tried.
    private func advance(_ job: CommandJob, at now: WallTime, limit: Int) async throws -> Int {
        guard limit > 0 else { return 0 }
        let allowed = job.allowed(at: now)
        let steps = try await dependencies.store.openSteps(
            of: job.id, below: allowed, limit: limit)
        guard !steps.isEmpty else {
            guard allowed >= job.parties else { return 0 }
            _ = try await dependencies.store.setStatus(
                of: job.id, to: .done, from: [.running], as: nil, epoch: epoch)
            return 0
        }
        var skipped: [JobStep] = []
        for start in stride(from: 0, to: steps.count, by: Self.atOnce) where !rounds.isStopping {
            let part = steps[start..<min(start + Self.atOnce, steps.count)]
            skipped += await run(part, of: job)
        }
        if !skipped.isEmpty { try await dependencies.store.skip(skipped, epoch: epoch) }
        return steps.count
    }

    /// Changes parties at once. Returns the steps that can never be done.
    private func run(_ steps: ArraySlice<JobStep>, of job: CommandJob) async -> [JobStep] {
        await withTaskGroup(of: JobStep?.self) { group in
            for step in steps {
                group.addTask {
                    await self.shards.run(step, of: job, self.limits) ? nil : step
                }
            }
            var skipped: [JobStep] = []
            for await step in group { if let step { skipped.append(step) } }
            return skipped
        }
    }
}

extension Shards {
    /// Gives the command to one party. Returns whether it has been done, or can be tried again.
    fileprivate func run(
        _ step: JobStep, of job: CommandJob, _ limits: RequestLimits
    ) async -> Bool {
        do {
            try requireHere(step.party)
            try await limits.spending(on: job.command, to: step.party) {
                try await change(step.party) { change in
                    change.jobStep = step
                    try change.apply(job.command)
                }
            }
            return true
        } catch {
            // A job also skips a party at its rate of messages. After any other error the party is
            // busy, the step is done already, or the job was stopped: the rows say which.
            return !(error is Problem || CommandJob.skips(afterError: error))
        }
    }
}

extension CommandJob {
    /// Returns whether a job skips a party of which this was thrown: the rules of the game refuse
    /// the command there, or nobody can change that party.
    static func skips(afterError error: any Error) -> Bool {
        switch error {
        case is RuleError: true
        case ShardError.unknownParty, ShardError.frozen, StoreError.corrupt: true
        default: false
        }
    }
}

extension CommandJob {
    /// Returns how many parties may have the command by now.
    fileprivate func allowed(at now: WallTime) -> Int {
        let elapsed = max(0, now.milliseconds - startsAt.milliseconds)
        let spread = spreadSeconds * 1000
        guard elapsed < spread else { return parties }
        return min(parties, 1 + Int(Int64(parties) * elapsed / spread))
    }
}

extension CommandJob.Status {
    /// The API's name of the case.
    var name: String {
        switch self {
        case .preparing: "preparing"
        case .waiting: "waiting"
        case .running: "running"
        case .done: "done"
        case .stopped: "stopped"
        case .missed: "missed"
        }
    }
}
