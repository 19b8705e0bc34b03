internal import HTTPServer
internal import JSONWriter
internal import PartyStore

/// `GET /v1/admin/audit`: the calls of game masters, the newest first; `before` and `limit` page.
enum ShowAudit {
    static let route = APIRoute(
        .get, "/v1/admin/audit", .admin(.director),
        Contract(
            "lists the calls of game masters",
            query: [
                Contract.Parameter(name: "limit", schema: .integer(1...limitMax)),
                Contract.Parameter(name: "before", schema: .integer(1...numberMax)),
            ],
            returns: .json(.fields(["calls": .list(schema), "next": .nullable(.whole)]))),
        handle: respond)
    static let limitMax = 200
    /// The largest whole number up to which JSON's numbers are exact (RFC 8259 section 6).
    private static let numberMax = 1 << 53

    private static let schema = JSONSchema.named(
        "AuditedCall",
        .fields([
            "number": .whole, "key": .nullable(.text), "role": .nullable(roleSchema),
            "action": .text, "target": .nullable(.text), "before": .nullable(.fields([:])),
            "after": .nullable(.fields([:])), "reason": .nullable(.text),
            "address": .nullable(.text), "command": .nullable(.text), "dryRun": .boolean,
            "status": .integer(200...599), "at": .time, "count": .whole,
        ]))

    static let roleSchema = JSONSchema.choice(Role.allCases.map(\.rawValue))

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        let before = try request.number("before", in: 1...numberMax)
        try await call.game.writeRepeatedReads()
        let page = try await call.game.store.auditLog(
            before: before.map(Int64.init), limit: limit)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("calls", page.calls) { json, logged in
            json.beginObject()
            json.field("number", logged.number)
            write(logged.call, call.game, to: &json)
            json.endObject()
        }
        json.key("next")
        if let next = page.next { json.value(next) } else { json.null() }
        json.endObject()
        return .json(json.bytes)
    }

    private static func write(
        _ call: AuditRecord, _ game: Game, to json: inout JSONWriter
    ) {
        json.field("key", call.caller?.name)
        json.field("role", call.caller?.role.rawValue)
        json.field("action", call.action)
        json.field("target", call.target)
        json.key("before")
        write(object: call.before, to: &json)
        json.key("after")
        write(object: call.after, to: &json)
        json.field("reason", call.reason)
        json.field("address", call.address)
        json.field("command", call.command)
        json.field("dryRun", call.isDryRun)
        json.field("status", call.status)
        json.field("at", game.wall(at: call.at))
        json.field("count", call.count)
    }

    private static func write(object: String?, to json: inout JSONWriter) {
        if let object { json.raw(Array(object.utf8)) } else { json.null() }
    }
}
