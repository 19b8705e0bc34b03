internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `POST /v1/admin/commands`: a game master's command for one party, or a dry run of it. The paths
/// of `GameMasterCommands` are shorthand.
enum RunCommand {
    static let route = APIRoute(.post, "/v1/admin/commands", .admin(.observer), handle: respond)

    private struct Input: BodyFields {
        let command: CommandBody
        let party: String
        let dryRun: Bool?
        /// The party's version that the caller has seen.
        let ifVersion: Int64?

        enum CodingKeys: CodingKey, CaseIterable {
            case command, party, dryRun, ifVersion
        }

        static var inner: [String: any BodyFields.Type] { ["command": CommandBody.self] }
    }

    /// The plan of a dry run leaves the change as an error, so that nothing of it is made.
    private struct OnlyPlanned: Error {
        let plan: CommandPlan
    }

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let party = PartyID(input.party)
        let command = try input.command.command()
        let isDryRun = input.dryRun == true
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

    private static func dryRun(
        _ command: Command, on party: PartyID, ifVersion version: Int64?, _ call: Call
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

    static func require(_ version: Int64?, of change: PartyChange) throws(Problem) {
        guard let version, version != change.stored.version else { return }
        throw Problem(
            status: 412, title: "Precondition failed",
            detail: "The party has version \(change.stored.version), not \(version): look at it "
                + "again.")
    }
}
