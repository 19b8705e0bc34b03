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
            problems: [404, 409, 412]),
        handle: respond)

    private static let planSchema = CommandPlan.schema.adding([
        "party": .text, "dryRun": .boolean, "version": .whole,
    ])

    private struct Input: BodyFields {
        let command: CommandBody
        let party: String?
        let cohort: Cohort?
        /// When, in milliseconds since 1970; now when omitted.
        let at: Int64?
        /// Over how many minutes the parties are spread.
        let overMinutes: Int?
        let dryRun: Bool?
        /// The party's version that the caller has seen.
        let ifVersion: Int64?

        enum CodingKeys: CodingKey, CaseIterable {
            case command, party, cohort, at, overMinutes, dryRun, ifVersion
        }

        static var inner: [String: any BodyFields.Type] {
            ["command": CommandBody.self, "cohort": Cohort.self]
        }

        static var narrower: [String: JSONSchema] {
            [
                "at": .integer(0...JSONSchema.integerMax),
                "overMinutes": .integer(0...CommandJob.minutesMax),
                "ifVersion": .integer(1...JSONSchema.integerMax),
            ]
        }

        /// Whether the command is for one party, now.
        var isSingle: Bool { cohort == nil && at == nil && overMinutes == nil }
    }

    /// The plan of a dry run leaves the change as an error, so that nothing of it is made.
    private struct OnlyPlanned: Error {
        let plan: CommandPlan
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        guard (input.party == nil) != (input.cohort == nil) else {
            throw Problem.badRequest("A command is for a \"party\" or for a \"cohort\".")
        }
        guard (1...Int64(JSONSchema.integerMax)).contains(input.ifVersion ?? 1) else {
            throw Problem.badRequest("The field \"ifVersion\" must be a version: 1 or more.")
        }
        let command = try input.command.command()
        guard let party = input.party, input.isSingle else {
            let job = try await job(command, for: input, call)
            guard input.dryRun == true else { return try await CommandJobs.create(job, call) }
            return try await CommandJobs.plan(job, in: request.language, call)
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
            plan = try await run(command, on: party, ifVersion: input.ifVersion, call)
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
        _ command: Command, on party: PartyID, ifVersion version: Int64?, _ call: Call
    ) async throws -> CommandPlan {
        let master = try call.gameMaster
        guard master.role >= .gameMaster else { throw Problem.needs(.gameMaster, not: master) }
        return try await call.changeAsGameMaster(party) { change in
            try require(version, of: change)
            let plan = try CommandPlan(command, on: change)
            try change.apply(command)
            return plan
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

    private static func job(
        _ command: Command, for input: Input, _ call: Call
    ) async throws -> CommandJobs.Draft {
        guard input.ifVersion == nil else {
            throw Problem.badRequest(
                "The field \"ifVersion\" belongs to a command for one party, now.")
        }
        let now = call.game.now
        let startsAt = input.at.map { WallTime(milliseconds: $0) } ?? now
        let latest = now.adding(seconds: CommandJob.aheadSecondsMax)
        guard now <= startsAt, startsAt <= latest else {
            throw Problem.badRequest(
                "The field \"at\" must be a time in milliseconds since 1970, not in the past and at "
                    + "most \(CommandJob.aheadSecondsMax / (24 * 3600)) days ahead.")
        }
        let minutes = input.overMinutes ?? 0
        guard (0...CommandJob.minutesMax).contains(minutes) else {
            throw Problem.badRequest(
                "The field \"overMinutes\" must be a whole number from 0 to "
                    + "\(CommandJob.minutesMax).")
        }
        return CommandJobs.Draft(
            command: command, parties: try await parties(for: input, call), startsAt: startsAt,
            spreadSeconds: Int64(minutes) * 60)
    }

    private static func parties(for input: Input, _ call: Call) async throws -> [PartyID] {
        let store = call.game.store
        guard let cohort = input.cohort else {
            let party = PartyID(input.party ?? "")
            guard try await store.party(party) != nil else {
                throw ShardError.unknownParty(party)
            }
            return [party]
        }
        let parties = try await cohort.filter().parties(of: store, limit: CommandJob.partiesMax)
        guard parties.count <= CommandJob.partiesMax else {
            throw Problem.conflict(
                "A job can have at most \(CommandJob.partiesMax) parties: choose fewer.")
        }
        guard !parties.isEmpty else {
            throw Problem.conflict("No party on an adventure is in this cohort.")
        }
        return parties
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
