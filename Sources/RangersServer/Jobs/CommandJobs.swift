internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// Commands for a cohort, or for later: made as a job by `POST /v1/admin/commands`, then listed,
/// shown and stopped.
enum CommandJobs {
    static let routes = [
        APIRoute(
            .get, "/v1/admin/jobs", .admin(.observer),
            Contract(
                "lists the commands for many parties or for later",
                returns: .json(.fields(["jobs": .list(schema)]))),
            handle: list),
        APIRoute(
            .get, "/v1/admin/jobs/{job}", .admin(.observer),
            Contract("returns one of them", returns: .json(schema)), handle: show),
        APIRoute(
            .delete, "/v1/admin/jobs/{job}", .admin(.director),
            Contract("stops one", status: 204, returns: .nothing, problems: [409]),
            handle: stop),
    ]

    static let schema = JSONSchema.named(
        "Job",
        .fields(
            [
                "id": .text, "createdBy": .text, "createdAt": .time, "startsAt": .time,
                "latestBy": .time, "overMinutes": .whole,
                "status": .choice(CommandJob.Status.allCases.map(\.name)), "parties": .whole,
                "done": .whole, "skipped": .whole,
            ], optional: ["notFitting": .whole, "movedOn": .whole]))

    /// The schema of a dry run.
    static let plansSchema = JSONSchema.fields([
        "dryRun": .truth, "plan": .text, "parties": .whole, "planned": .whole, "skipped": .whole,
        "sum": CommandPlan.sumSchema,
        "plans": .list(CommandPlan.schema.adding(["party": .text, "version": .whole])),
    ])

    /// The most parties that a dry run of a cohort counts.
    static let plannedMax = 200
    /// The most of them whose plans it shows whole.
    static let plansShownMax = 20
    /// The steps that one transaction writes.
    private static let stepsAtOnce = 1000
    private static let idLength = 16

    /// What a job is made of.
    struct Draft: Sendable {
        let command: Command
        let parties: [CohortPlans.Party]
        /// `nil` for one party.
        let filter: Cohort.Filter?
        let startsAt: WallTime
        let latestBy: WallTime
        let spreadSeconds: Int64
        let reason: String?
        /// What has become of the plan that the job carries out.
        let drift: Drift?
    }

    /// How a plan's parties have changed since its dry run.
    struct Drift: Sendable {
        /// Parties that are no longer in the cohort: the job skips them.
        let notFitting: Int
        /// Other parties with a newer version: the dry run was of an older one.
        let movedOn: Int
    }

    // MARK: Making a job

    static func create(_ draft: Draft, _ call: Call) async throws -> Response {
        let master = try call.gameMaster
        guard master.role >= .director else { throw Problem.needs(.director, not: master) }
        guard draft.parties.count <= CommandJob.partiesWithoutReasonMax || draft.reason != nil
        else {
            throw Problem(
                status: 422, title: "A reason is missing",
                detail: "A command for more than \(CommandJob.partiesWithoutReasonMax) parties "
                    + "needs a \"reason\".")
        }
        let (store, epoch) = (call.game.store, call.game.epoch)
        let job = CommandJob(
            id: "job-" + RandomText.name(length: idLength), command: draft.command,
            createdBy: master.name, createdAt: call.game.wallNow, startsAt: draft.startsAt,
            latestBy: draft.latestBy, spreadSeconds: draft.spreadSeconds,
            parties: draft.parties.count,
            status: .preparing)
        guard try await store.insert(job, epoch: epoch) else {
            throw Problem.conflict("At most \(CommandJob.countMax) jobs can wait or run.")
        }
        for start in stride(from: 0, to: draft.parties.count, by: stepsAtOnce) {
            let end = min(start + stepsAtOnce, draft.parties.count)
            try await store.append(
                (start..<end).map {
                    JobStep(job: job.id, position: $0, party: draft.parties[$0].id)
                }, epoch: epoch)
        }
        let audit = try call.requireAudit()
        let made = Self.json(of: job, .waiting, draft.drift)
        let record = audit.record(
            status: 200, after: made, on: job.id, because: draft.reason, at: call.game.now)
        _ = try await store.setStatus(
            of: job.id, to: .waiting, from: [.preparing], as: record, epoch: epoch)
        audit.noteWritten()
        call.game.jobs.wake()
        return .json(made)
    }

    // MARK: Dry runs

    /// Counts what the command would do to the first parties, and shows some plans whole.
    static func plan(
        _ draft: Draft, in language: Language, _ call: Call
    ) async throws -> Response {
        let plans = try await plans(draft.command, on: draft.parties, call)
        let names = call.game.names.inForce
        let sum = plans.reduce(into: CommandPlan.Sum()) { $0 += $1.plan.sum }
        let planned = min(draft.parties.count, plannedMax)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.field("dryRun", true)
        json.field(
            "plan",
            call.game.plans.keep(
                draft.command, on: draft.parties, of: draft.filter ?? .all, sum: sum,
                at: call.game.now))
        json.field("parties", draft.parties.count)
        json.field("planned", planned)
        json.field("skipped", planned - plans.count)
        sum.write(to: &json)
        json.array("plans", plans.prefix(plansShownMax)) { json, planned in
            json.beginObject()
            json.field("party", planned.party.rawValue)
            json.field("version", planned.plan.version)
            planned.plan.write(in: language, words: call.game.words, names: names, to: &json)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    /// Returns what the command does to the first parties, without those that would be skipped.
    private static func plans(
        _ command: Command, on parties: [CohortPlans.Party], _ call: Call
    ) async throws -> [(party: PartyID, plan: CommandPlan)] {
        var plans: [(party: PartyID, plan: CommandPlan)] = []
        for party in parties.prefix(plannedMax).map(\.id) {
            do {
                guard let plan = try await plan(command, on: party, call) else { continue }
                plans.append((party, plan))
            } catch {
                // The job would skip it too.
                guard CommandJob.skips(afterError: error) else { throw error }
            }
        }
        return plans
    }

    /// Returns what the command does to one party. That of a party of another node comes from its
    /// row, without what that node has only in memory: the outcomes of the newest pushes. `nil`: the
    /// owner must first end the party's ready check, or its adventure because the pause is over.
    private static func plan(
        _ command: Command, on party: PartyID, _ call: Call
    ) async throws -> CommandPlan? {
        do {
            return try await RunCommand.dryRun(command, on: party, call)
        } catch ShardError.elsewhere {
            guard let stored = try await call.game.store.party(party) else {
                throw ShardError.unknownParty(party)
            }
            var change = PartyChange(stored, now: call.game.now)
            change.advance(momentsMax: .max)
            guard !change.isBehind else { return nil }
            return try CommandPlan(command, on: change)
        }
    }

    /// Refuses a command that takes the reserve of too many phones: of the plan, or of the first
    /// parties as they are now.
    static func requireReserve(_ draft: Draft, planned: CommandPlan.Sum?, _ call: Call) async throws
    {
        let sum: CommandPlan.Sum
        if let planned {
            sum = planned
        } else {
            sum = try await plans(draft.command, on: draft.parties, call)
                .reduce(into: CommandPlan.Sum()) { $0 += $1.plan.sum }
        }
        guard sum.belowReserve * 100 > sum.phones * CohortPlans.belowReservePercentMax else {
            return
        }
        throw Problem.conflict(
            "\(sum.belowReserve) of \(sum.phones) phones would have fewer high-priority pushes "
                + "left than their reserve: choose fewer parties, or send \"force\": true.")
    }

    // MARK: Jobs

    @Sendable private static func list(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let jobs = try await call.game.store.jobs()
        var json = JSONWriter()
        json.beginObject()
        json.array("jobs", jobs) { json, job in write(job, job.status, to: &json) }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func show(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let job = try await job(in: request, call)
        return .json(Self.json(of: job, job.status))
    }

    /// Stops a job: from the next party on. What was done stays.
    @Sendable private static func stop(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let job = try await job(in: request, call)
        let audit = try call.requireAudit()
        let isStopped = try await call.game.store.setStatus(
            of: job.id, to: .stopped, from: [.waiting, .running, .stopped],
            as: audit.record(status: 204, at: call.game.now), epoch: call.game.epoch)
        guard isStopped else { throw Problem.conflict("Job \(job.id) is over.") }
        audit.noteWritten()
        return .noContent
    }

    private static func job(
        in request: Request, _ call: Call
    ) async throws -> CommandJob {
        let id = try request.parameter("job")
        guard let job = try await call.game.store.job(id), job.status != .preparing else {
            throw Problem.notFound("There is no job \(id).")
        }
        return job
    }

    static func json(
        of job: CommandJob, _ status: CommandJob.Status, _ drift: Drift? = nil
    ) -> [UInt8] {
        var json = JSONWriter()
        write(job, status, drift, to: &json)
        return json.bytes
    }

    private static func write(
        _ job: CommandJob, _ status: CommandJob.Status, _ drift: Drift? = nil,
        to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("id", job.id)
        json.field("createdBy", job.createdBy)
        json.field("createdAt", job.createdAt.milliseconds)
        json.field("startsAt", job.startsAt.milliseconds)
        json.field("latestBy", job.latestBy.milliseconds)
        json.field("overMinutes", job.spreadSeconds / 60)
        json.field("status", status.name)
        json.field("parties", job.parties)
        json.field("done", job.done)
        json.field("skipped", job.skipped)
        if let drift {
            json.field("notFitting", drift.notFitting)
            json.field("movedOn", drift.movedOn)
        }
        json.endObject()
    }
}
