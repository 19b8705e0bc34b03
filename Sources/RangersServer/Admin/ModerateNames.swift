internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy
internal import UnicodeText

/// What moderators do about names: the reports of players, a hero's name, and names that no new
/// hero may have.
enum ModerateNames {
    static let heroesMax = 100

    static let routes = [
        APIRoute(
            .get, "/v1/admin/reports", .admin(.moderator),
            Contract(
                "lists heroes whose names players have reported, or game masters have replaced",
                query: [
                    Contract.Parameter(name: "limit", schema: .integer(1...heroesMax)),
                    Contract.Parameter(name: "after", schema: .text),
                ],
                returns: .json(
                    .fields(["heroes": .list(reportedSchema), "next": .nullable(.text)]))),
            handle: reports),
        APIRoute(
            .put, "/v1/admin/heroes/{hero}/name", .admin(.moderator),
            Contract(
                "keeps a hero's name, hides it, or gives the hero another", body: Decision.self,
                returns: .json(
                    .fields([
                        "hero": .text, "name": .text, "shown": .nullable(.text),
                        "because": .nullable(reasonSchema),
                    ]))),
            handle: decide),
        APIRoute(
            .get, "/v1/admin/banned-names", .admin(.moderator),
            Contract(
                "lists the names that no new hero may have",
                returns: .json(
                    .fields(["names": .list(.fields(["name": .text, "bannedAt": .time]))]))),
            handle: banned),
        APIRoute(
            .put, "/v1/admin/banned-names/{name}", .admin(.moderator),
            Contract(
                "bans a name", body: Body.Nothing.self, status: 204, returns: .nothing,
                problems: [409]),
            handle: ban),
        APIRoute(
            .delete, "/v1/admin/banned-names/{name}", .admin(.moderator),
            Contract("allows it again", status: 204, returns: .nothing), handle: allow),
    ]

    private static let reasonSchema = JSONSchema.choice(["reported", "hidden", "renamed"])

    private static let reportedSchema = JSONSchema.named(
        "ReportedHero",
        .fields([
            "hero": .text, "owner": .text, "name": .text, "avatar": .text, "heroType": .text,
            "shown": .nullable(.text), "because": .nullable(reasonSchema), "reporters": .whole,
            "reportedAt": .nullable(.time),
        ]))

    // MARK: Heroes

    @Sendable private static func reports(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let limit = try request.number("limit", in: 1...heroesMax) ?? heroesMax
        let after = request.query["after"].map { HeroID($0) }
        let heroes = try await call.game.store.reportedHeroes(after: after, limit: limit)
        var json = JSONWriter()
        json.beginObject()
        json.array("heroes", heroes) { json, reported in
            write(reported, call.game, to: &json)
        }
        json.field("next", heroes.count == limit ? heroes.last?.hero.id.rawValue : nil)
        json.endObject()
        return .json(json.bytes)
    }

    private static func write(
        _ reported: ReportedHero, _ game: Game, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("hero", reported.hero.id.rawValue)
        json.field("owner", reported.hero.owner.rawValue)
        json.field("name", reported.hero.name)
        json.field("avatar", reported.hero.avatar)
        json.field("heroType", reported.hero.heroType)
        json.field("shown", reported.replaced?.shown)
        json.field("because", reported.replaced?.reason.name)
        json.field("reporters", reported.reporters)
        json.field("reportedAt", game.wall(at: reported.reportedAt))
        json.endObject()
    }

    private enum Choice: String, Decodable, CaseIterable {
        case keep, hide, rename
    }

    private struct Decision: BodyFields {
        let decision: Choice
        /// Of the hero from now on, for `rename`.
        let name: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case decision, name
        }
    }

    @Sendable private static func decide(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let id = HeroID(try request.parameter("hero"))
        let input = try Body.decode(Decision.self, from: request)
        guard (input.name != nil) == (input.decision == .rename) else {
            throw Problem.badRequest(
                "The field \"name\" belongs to the decision \"rename\", and only to it.")
        }
        let (store, epoch) = (call.game.store, call.game.epoch)
        guard let hero = try await store.hero(id) else {
            throw Problem.notFound("There is no hero \(id).")
        }
        let name = try input.name.map { text throws(Problem) in
            try DisplayName.checked(text, field: "name", limit: Hero.nameLengthMax)
        }
        let replaced: ReplacedName? =
            switch input.decision {
            case .keep: nil
            case .hide: ReplacedName(hero: id, shown: hero.withoutName, reason: .hidden)
            case .rename: ReplacedName(hero: id, shown: name ?? "", reason: .renamed)
            }
        let audit = try call.requireAudit()
        try await store.settleReports(
            of: id, replacing: replaced,
            as: audit.record(
                status: 200, after: decisionJSON(input.decision), at: call.game.now),
            epoch: epoch)
        audit.noteWritten()
        try await call.game.reloadReplacedNames()
        var json = JSONWriter()
        json.beginObject()
        json.field("hero", id.rawValue)
        json.field("name", hero.name)
        json.field("shown", replaced?.shown)
        json.field("because", replaced?.reason.name)
        json.endObject()
        return .json(json.bytes)
    }

    /// The decision for the audit log, without a name.
    private static func decisionJSON(_ decision: Choice) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("decision", decision.rawValue)
        json.endObject()
        return json.bytes
    }

    // MARK: Names

    @Sendable private static func banned(_ request: Request, _ call: Call) async throws -> Response
    {
        let names = try await call.game.store.bannedNames()
        var json = JSONWriter()
        json.beginObject()
        json.array("names", names) { json, banned in
            json.beginObject()
            json.field("name", banned.name)
            json.field("bannedAt", call.game.wall(at: banned.at))
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func ban(_ request: Request, _ call: Call) async throws -> Response {
        let (name, folded) = try name(in: request)
        try Body.expectNothing(in: request)
        let banned = BannedName(folded: folded, name: name, at: call.game.now)
        let audit = try call.requireAudit()
        let record = audit.record(status: 204, at: call.game.now)
        guard try await call.game.store.ban(banned, as: record, epoch: call.game.epoch) else {
            throw Problem.conflict("At most \(BannedName.countMax) names can be banned.")
        }
        audit.noteWritten()
        try await call.game.nameRules.reload(call.game.store)
        return .noContent
    }

    @Sendable private static func allow(_ request: Request, _ call: Call) async throws -> Response {
        let folded = try name(in: request).folded
        let audit = try call.requireAudit()
        let record = audit.record(status: 204, at: call.game.now)
        try await call.game.store.allow(foldedName: folded, as: record, epoch: call.game.epoch)
        audit.noteWritten()
        try await call.game.nameRules.reload(call.game.store)
        return .noContent
    }

    private static func name(
        in request: Request
    ) throws(Problem) -> (name: String, folded: String) {
        let name = try DisplayName.checked(
            request.parameter("name"), field: "name", limit: Hero.heroTypeLengthMax)
        guard let folded = FoldedName(name).forms.first else {
            throw Problem.badRequest("The name \"\(name.isolated)\" has no letters to compare.")
        }
        return (name, folded)
    }
}

extension ReplacedName.Reason {
    /// The API's name of the case.
    fileprivate var name: String {
        switch self {
        case .reported: "reported"
        case .hidden: "hidden"
        case .renamed: "renamed"
        }
    }
}
