internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/parties/{party}/decisions`: the decision on each event for each Live Activity or
/// one, with its rule, the pushes that carried the event and what APNs responded; paged by the
/// event's number (`after`).
enum ShowLedger {
    static let route = APIRoute(
        .get, "/v1/admin/parties/{party}/decisions", .admin(.observer),
        Contract(
            "lists the push policy's decisions on each event for each activity, the pushes, and "
                + "what APNs responded",
            query: [
                .after, Contract.Parameter(name: "activity", schema: .text),
                Contract.Parameter(name: "limit", schema: .integer(1...limitMax)),
            ],
            returns: .json(.fields(["decisions": .list(schema)]))),
        handle: respond)
    static let limitMax = 1000

    static let schema = JSONSchema.named(
        "Decision",
        .fields([
            "event": .whole, "kind": .nullable(PartyView.kindSchema), "activity": .text,
            "verdict": .choice(Decision.Disposition.allCases.map(\.rawValue)),
            "priority": .integer(5...10), "alert": .boolean, "tells": .nullable(.whole),
            "rule": .text, "at": .time, "push": .nullable(.whole), "pushes": .list(pushSchema),
        ]))

    private static let pushSchema = JSONSchema.named(
        "LoggedPush",
        .fields([
            "timestamp": .whole, "event": .text, "priority": .integer(5...10), "alert": .boolean,
            "budgetBefore": .nullable(.integer(nil)), "budgetAfter": .nullable(.integer(nil)),
            "sentAt": .time, "status": .nullable(.whole), "reason": .nullable(.text),
            "respondedAt": .nullable(.time),
        ]))

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        let game = call.game
        _ = try await game.snapshot(of: party)
        let after = try request.number("after", in: 0...Int(Int32.max)) ?? 0
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        let rows = try await game.store.decisions(
            of: party, activity: request.query["activity"].map { ActivityID($0) }, after: after,
            limit: limit)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("decisions", rows) { json, row in
            json.beginObject()
            writeFields(of: row, game, to: &json)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    static func writeFields(
        of row: LoggedDecision, _ game: Game, to json: inout JSONWriter
    ) {
        json.field("event", row.sequence)
        json.field("kind", row.kind?.name.rawValue)
        json.field("activity", row.activity.rawValue)
        json.field("verdict", row.disposition.rawValue)
        json.field("priority", row.priority.rawValue)
        json.field("alert", row.carriesAlert)
        json.field("tells", row.tells)
        json.field("rule", NamedRule.explaining(row.rule))
        json.field("at", game.wall(at: row.at))
        json.key("push")
        if let push = row.pushes.last { json.value(push.push.timestamp) } else { json.null() }
        json.array("pushes", row.pushes) { json, push in write(push, game, to: &json) }
    }

    private static func write(
        _ logged: LoggedPush, _ game: Game, to json: inout JSONWriter
    ) {
        let (push, response) = (logged.push, logged.response)
        json.beginObject()
        json.field("timestamp", push.timestamp)
        json.field("event", push.form.rawValue)
        json.field("priority", push.priority.rawValue)
        json.field("alert", push.carriesAlert)
        json.field("budgetBefore", push.payment?.before)
        json.field("budgetAfter", push.payment?.after)
        json.field("sentAt", game.wall(at: logged.at))
        json.field("status", response.flatMap { $0.status == 0 ? nil : $0.status })
        json.field("reason", response.flatMap { $0.reason.isEmpty ? nil : $0.reason })
        json.field("respondedAt", game.wall(at: response?.at))
        json.endObject()
    }
}

extension JSONWriter {
    /// A number, or `null`.
    mutating func field(_ name: StaticString, _ number: Int?) {
        key(name)
        if let number { value(number) } else { null() }
    }
}
