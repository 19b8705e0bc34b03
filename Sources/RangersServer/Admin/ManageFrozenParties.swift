internal import GameLogic
internal import HTTPServer
internal import JSONReader
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `/v1/admin/frozen-parties`: the parties that are set aside because their row or their ticks
/// fail. Game masters look at them, repair them or give them up, without a restart.
enum ManageFrozenParties {
    private static let path = "/v1/admin/frozen-parties"
    static let limitMax = 200

    static let routes = [
        APIRoute(
            .get, path, .admin(.observer),
            Contract(
                "lists the frozen parties",
                query: [
                    Contract.Parameter(name: "limit", schema: .integer(1...limitMax)),
                    Contract.Parameter(name: "after", schema: .text),
                ],
                returns: .json(
                    .fields(
                        ["parties": .list(schema), "next": .nullable(.text)],
                        optional: OtherNodes.fields))),
            handle: list),
        APIRoute(
            .get, "\(path)/{party}", .admin(.observer),
            Contract("returns one of them", returns: .json(schema))
        ) { request, call in
            .json(json(try await frozen(request, call), call.game))
        },
        APIRoute(
            .post, "\(path)/{party}/repair", .admin(.director),
            Contract(
                "repairs a frozen party", body: Body.Nothing.self, returns: .json(repairSchema),
                problems: [409]),
            handle: repair),
        APIRoute(
            .post, "\(path)/{party}/abandon", .admin(.owner),
            Contract(
                "gives up a frozen party", body: Body.Nothing.self, status: 204,
                returns: .nothing),
            handle: abandon),
    ]

    /// What a repair did.
    private enum Repair: String, CaseIterable {
        /// The row reads well again.
        case sound
        /// The row was written anew, from the journal.
        case rebuilt
    }

    private static let schema = JSONSchema.named(
        "FrozenParty",
        .fields(["party": .text, "since": .time, "fault": .text, "failures": .whole]))

    private static let repairSchema = JSONSchema.fields([
        "party": .text, "repair": .choice(Repair.allCases.map(\.rawValue)),
    ])

    @Sendable private static func list(_ request: Request, _ call: Call) async throws -> Response {
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        let after = PartyID(request.query["after"] ?? "")
        let others = await call.game.reports.others(with: .lists)
        var found: [PartyID: [UInt8]] = [:]
        for frozen in others.elements(of: OtherNodes.frozen) {
            guard let party = frozen["party"]?.text.map({ PartyID($0) }) else { continue }
            // One that has come here since is not frozen for that.
            if !call.game.shards.map.isHere(party) {
                found[party] = JSONWriter.bytes(of: frozen)
            }
        }
        for frozen in await call.game.shards.frozenParties() {
            found[frozen.party] = Self.json(frozen, call.game)
        }
        let parties = found.filter { $0.key > after }.sorted { $0.key < $1.key }
        let page = parties.prefix(limit)
        var json = JSONWriter()
        json.beginObject()
        json.array("parties", page) { json, frozen in json.raw(frozen.value) }
        json.field("next", page.count < parties.count ? page.last?.key.rawValue : nil)
        others.writeSilent(to: &json)
        json.endObject()
        return .json(json.bytes)
    }

    private static func frozen(_ request: Request, _ call: Call) async throws -> FrozenParty {
        let party = PartyID(try request.parameter("party"))
        try call.game.shards.requireHere(party)
        guard let frozen = await call.game.shards.frozenParty(party) else {
            throw Problem.notFound("There is no frozen party \(party).")
        }
        return frozen
    }

    /// Reads the row again, and rebuilds it if it is damaged. The party then goes on; it freezes
    /// again if its ticks still fail.
    @Sendable private static func repair(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        let (frozen, game) = (try await frozen(request, call), call.game)
        let repair = try await repair(frozen, call)
        game.snapshots.forget(frozen.party)
        await game.shards.thaw(frozen.party)
        var json = JSONWriter()
        json.beginObject()
        json.field("party", frozen.party.rawValue)
        json.field("repair", repair.rawValue)
        json.endObject()
        return .json(json.bytes)
    }

    private static func repair(_ frozen: FrozenParty, _ call: Call) async throws -> Repair {
        let (audit, game) = (try call.requireAudit(), call.game)
        let row = audit.record(status: 200, before: json(frozen, game), at: game.now)
        do throws(StoreError) {
            if try await game.store.party(frozen.party) != nil {
                try await game.store.append([row], epoch: game.epoch)
                audit.noteWritten()
                return .sound
            }
        } catch {
            guard case .corrupt = error else { throw error }
        }
        guard try await rebuild(frozen.party, as: row, game) else {
            await game.shards.forget(frozen: frozen.party)
            throw Problem.notFound("There is no party \(frozen.party).")
        }
        audit.noteWritten()
        return .rebuilt
    }

    /// Returns whether there is such a party.
    private static func rebuild(
        _ party: PartyID, as row: AuditRecord, _ game: Game
    ) async throws -> Bool {
        do throws(StoreError) {
            return try await game.store.rebuild(
                party, millisecondsPerSecond: game.settings.millisecondsPerSecond, as: row,
                epoch: game.epoch)
        } catch {
            guard case .corrupt(_, let detail) = error else { throw error }
            throw Problem.conflict("The party's journal is damaged too (\(detail)): abandon it.")
        }
    }

    /// Removes the party. Its heroes are free to join another.
    @Sendable private static func abandon(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        let (frozen, game) = (try await frozen(request, call), call.game)
        let audit = try call.requireAudit()
        let isRemoved = try await game.store.abandon(
            frozen.party, as: audit.record(status: 204, before: json(frozen, game), at: game.now),
            epoch: game.epoch)
        if isRemoved { audit.noteWritten() }
        await game.shards.forget(frozen: frozen.party)
        game.snapshots.forget(frozen.party)
        return .noContent
    }

    static func json(_ frozen: FrozenParty, _ game: Game) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("party", frozen.party.rawValue)
        json.field("since", game.wall(at: frozen.since))
        json.field("fault", frozen.fault)
        json.field("failures", frozen.failures)
        json.endObject()
        return json.bytes
    }
}
