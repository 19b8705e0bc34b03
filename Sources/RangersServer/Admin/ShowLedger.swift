internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/parties/{party}/decisions`: the decision on each event for each Live Activity,
/// with its rule; paged by the event's number (`after`).
enum ShowLedger {
    static let route = APIRoute(
        .get, "/v1/admin/parties/{party}/decisions", .admin(.observer), handle: respond)
    static let limitMax = 1000

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let party = PartyID(try request.parameter("party"))
        _ = try await call.game.snapshot(of: party)
        let after = try request.number("after", in: 0...Int(Int32.max)) ?? 0
        let rows = try await call.game.store.decisions(of: party, after: after, limit: limitMax)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("decisions", rows) { json, row in
            json.beginObject()
            json.field("event", row.sequence)
            json.field("activity", row.activity.rawValue)
            json.field("verdict", row.disposition.rawValue)
            json.field("priority", row.priority.rawValue)
            json.field("alert", row.carriesAlert)
            json.field("rule", NamedRule.explaining(row.rule))
            json.field("at", row.at.milliseconds)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }
}
