internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `POST /v1/admin/commands`: a game master's command for one party, for a cohort, or for later, or
/// a dry run of it. The paths of `GameMasterCommands` are shorthand.
enum RunCommand {
    static let route = APIRoute(
        .post, "/v1/admin/commands", .admin(.observer),
        Contract(
            "shows what a command would do; runs it on a party (gamemaster), or on many or later "
                + "(director)",
            body: Input.self,
            returns: .json(
                .any(of: [planSchema, CommandJobs.plansSchema, CommandJobs.schema])),
            problems: [404, 409, 412, 422]),
        handle: respond)

    private static let planSchema = CommandPlan.schema.adding([
        "party": .text, "dryRun": .boolean, "version": .whole,
    ])

    private struct Input: BodyFields {
        let command: CommandBody
        let party: String?
        let cohort: Cohort?
        /// The dry run whose parties are meant.
        let plan: String?
        /// Why, for the audit log.
        var reason: String?
        /// Whether the command may take the reserve of many phones.
        let force: Bool?
        /// When, in milliseconds since 1970; now when omitted.
        let at: Int64?
        /// When a job begins at the latest, in milliseconds since 1970.
        let latestBy: Int64?
        /// Over how many minutes the parties are spread.
        let overMinutes: Int?
        let dryRun: Bool?
        /// The party's version that the caller has seen.
        let ifVersion: Int64?

        enum CodingKeys: CodingKey, CaseIterable {
            case command, party, cohort, plan, reason, force, at, latestBy, overMinutes, dryRun
            case ifVersion
        }

        static var inner: [String: any BodyFields.Type] {
            ["command": CommandBody.self, "cohort": Cohort.self]
        }

        static var narrower: [String: JSONSchema] {
            [
                "at": .integer(0...JSONSchema.integerMax),
                "latestBy": .integer(0...JSONSchema.integerMax),
                "reason": .string(pattern: nil, lengths: 1...reasonLengthMax),
                "overMinutes": .integer(0...CommandJob.minutesMax),
                "ifVersion": .integer(1...JSONSchema.integerMax),
            ]
        }

        /// Whether the command is for one party, now.
        var isSingle: Bool {
            cohort == nil && plan == nil && at == nil && overMinutes == nil
        }
    }

    /// The plan of a dry run leaves the change as an error, so that nothing of it is made.
    private struct OnlyPlanned: Error {
        let plan: CommandPlan
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        var input = try Body.decode(Input.self, from: request)
        call.audit?.note(
            CallAudit.Subject(
                command: input.command.name.rawValue,
                target: input.party.flatMap { CallAudit.id($0, of: "party") },
                isDryRun: input.dryRun == true))
        let targets = [input.party != nil, input.cohort != nil, input.plan != nil]
        guard targets.count(where: { $0 }) == 1 else {
            throw Problem.badRequest(
                "A command is for a \"party\", for a \"cohort\" or for the \"plan\" of a dry run.")
        }
        input.reason = try input.reason.map(checkedReason)
        guard (1...Int64(JSONSchema.integerMax)).contains(input.ifVersion ?? 1) else {
            throw Problem.badRequest("The field \"ifVersion\" must be a version: 1 or more.")
        }
        let command = try input.command.command(call.game.nameRules)
        guard let party = input.party, input.isSingle else {
            return try await respond(command, for: input, request, call)
        }
        return try await respond(command, on: PartyID(party), input, request, call)
    }

    // MARK: One party, now

    private static func respond(
        _ command: Command, on party: PartyID, _ input: Input, _ request: Request, _ call: Call
    ) async throws -> Response {
        let isDryRun = input.dryRun == true
        let command = command.withTimeToUndo
        let plan: CommandPlan
        if isDryRun {
            plan = try await dryRun(command, on: party, ifVersion: input.ifVersion, call)
        } else {
            plan = try await run(command, on: party, input, call)
        }
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.field("party", party.rawValue)
        json.field("dryRun", isDryRun)
        json.field("version", isDryRun ? plan.version : plan.version + 1)
        plan.write(
            in: request.language, words: call.game.words, names: call.game.names.inForce,
            to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    private static func run(
        _ command: Command, on party: PartyID, _ input: Input, _ call: Call
    ) async throws -> CommandPlan {
        let master = try call.gameMaster
        guard master.role >= .gameMaster else { throw Problem.needs(.gameMaster, not: master) }
        try call.game.shards.requireHere(party)
        return try await call.game.limits.spending(on: command, to: party) {
            try await call.changeAsGameMaster(party, because: input.reason) { change in
                try require(input.ifVersion, of: change)
                let plan = try CommandPlan(command, on: change)
                try change.apply(command)
                return plan
            }
        }
    }

    static func dryRun(
        _ command: Command, on party: PartyID, ifVersion version: Int64? = nil, _ call: Call
    ) async throws -> CommandPlan {
        do {
            try await call.game.shards.change(party) { change in
                try require(version, of: change)
                throw OnlyPlanned(plan: try CommandPlan(command, on: change))
            }
        } catch let only as OnlyPlanned {
            return only.plan
        }
        preconditionFailure("a dry run of party \(party) has changed it")
    }

    private static func require(_ version: Int64?, of change: PartyChange) throws(Problem) {
        guard let version, version != change.stored.version else { return }
        throw Problem(
            status: 412, title: "Precondition failed",
            detail: "The party has version \(change.stored.version), not \(version): look at it "
                + "again.")
    }

    // MARK: A cohort, or later

    private static let reasonLengthMax = 200

    /// A reason is stored and shown, as names are: it has no control characters.
    private static func checkedReason(_ reason: String) throws(Problem) -> String {
        guard (1...reasonLengthMax).contains(reason.unicodeScalars.count) else {
            throw Problem.badRequest(
                "The field \"reason\" must have 1 to \(reasonLengthMax) characters.")
        }
        return try DisplayName.checked(
            reason, field: "reason", limit: reasonLengthMax, bytesMax: 4 * reasonLengthMax)
    }

    private static func respond(
        _ command: Command, for input: Input, _ request: Request, _ call: Call
    ) async throws -> Response {
        // It has the plans of dry runs.
        try call.requireLeader()
        guard input.ifVersion == nil else {
            throw Problem.badRequest(
                "The field \"ifVersion\" belongs to a command for one party, now.")
        }
        guard input.plan == nil || input.dryRun != true else {
            throw Problem.badRequest("A \"plan\" belongs to a command that is not a dry run.")
        }
        let plan = try input.plan.map { id throws(Problem) in
            try self.plan(id, of: command, call)
        }
        let job = try await job(command, for: input, plan, call)
        guard input.dryRun != true else {
            return try await CommandJobs.plan(job, in: request.language, call)
        }
        // Until its time the budgets of a later job refill.
        if input.force != true, job.filter != nil, plan != nil || input.at == nil {
            try await CommandJobs.requireReserve(job, planned: plan?.sum, call)
        }
        return try await CommandJobs.create(job, call)
    }

    private static func plan(
        _ id: String, of command: Command, _ call: Call
    ) throws(Problem) -> CohortPlans.Plan {
        guard let plan = call.game.plans.plan(id, at: call.game.now) else {
            throw Problem.notFound("This plan no longer exists: repeat the dry run.")
        }
        guard plan.command == command else {
            throw Problem.conflict("The plan belongs to another command.")
        }
        return plan
    }

    private static func job(
        _ command: Command, for input: Input, _ plan: CohortPlans.Plan?, _ call: Call
    ) async throws -> CommandJobs.Draft {
        let now = call.game.wallNow
        let startsAt = input.at.map { WallTime(milliseconds: $0) } ?? now
        let latest = now.adding(seconds: CommandJob.aheadSecondsMax)
        guard now <= startsAt, startsAt <= latest else {
            throw Problem.badRequest(
                "The field \"at\" must be a time in milliseconds since 1970, not in the past and at "
                    + "most \(CommandJob.aheadSecondsMax / (24 * 3600)) days ahead.")
        }
        let latestBy =
            input.latestBy.map { WallTime(milliseconds: $0) }
            ?? startsAt.adding(seconds: CommandJob.latenessSeconds)
        guard startsAt <= latestBy, latestBy <= latest.adding(seconds: CommandJob.latenessSeconds)
        else {
            throw Problem.badRequest(
                "The field \"latestBy\" must be a time in milliseconds since 1970, not before "
                    + "\"at\".")
        }
        let minutes = input.overMinutes ?? 0
        guard (0...CommandJob.minutesMax).contains(minutes) else {
            throw Problem.badRequest(
                "The field \"overMinutes\" must be a whole number from 0 to "
                    + "\(CommandJob.minutesMax).")
        }
        let chosen = try await parties(for: input, plan, call)
        return CommandJobs.Draft(
            command: command, parties: chosen.parties, filter: chosen.filter,
            startsAt: startsAt, latestBy: latestBy, spreadSeconds: Int64(minutes) * 60,
            reason: input.reason, drift: chosen.drift)
    }

    /// Who gets a job's command.
    private struct Chosen {
        let parties: [CohortPlans.Party]
        let filter: Cohort.Filter?
        var drift: CommandJobs.Drift?
    }

    private static func parties(
        for input: Input, _ plan: CohortPlans.Plan?, _ call: Call
    ) async throws -> Chosen {
        let store = call.game.store
        if let plan { return try await parties(of: plan, store) }
        guard let cohort = input.cohort else {
            let party = PartyID(input.party ?? "")
            guard let stored = try await store.party(party) else {
                throw ShardError.unknownParty(party)
            }
            return Chosen(
                parties: [CohortPlans.Party(id: party, version: stored.version)], filter: nil)
        }
        let filter = try cohort.filter()
        let parties = try await filter.parties(of: store, limit: CommandJob.partiesMax)
        guard parties.count <= CommandJob.partiesMax else {
            throw Problem.conflict(
                "A job can have at most \(CommandJob.partiesMax) parties: choose fewer.")
        }
        guard !parties.isEmpty else {
            throw Problem.conflict("No party on an adventure is in this cohort.")
        }
        return Chosen(parties: parties, filter: filter)
    }

    /// Returns the parties of a dry run that are still in its cohort.
    private static func parties(
        of plan: CohortPlans.Plan, _ store: any Store
    ) async throws -> Chosen {
        let now = Dictionary(
            try await plan.filter.parties(of: store, limit: .max).map { ($0.id, $0.version) },
            uniquingKeysWith: { first, _ in first })
        let fitting = plan.parties.filter { now[$0.id] != nil }
        guard !fitting.isEmpty else {
            throw Problem.conflict("No party of the plan is still in its cohort.")
        }
        return Chosen(
            parties: fitting, filter: plan.filter,
            drift: CommandJobs.Drift(
                notFitting: plan.parties.count - fitting.count,
                movedOn: fitting.count { now[$0.id] != $0.version }))
    }
}

extension Command {
    /// The same command, but an end comes after a pause of a minute: until then `resume`, or another
    /// pause, undoes it.
    var withTimeToUndo: Command {
        guard case .arrange(.end(let ending)) = self else { return self }
        return .arrange(.pause(minutes: 1, then: ending))
    }
}
