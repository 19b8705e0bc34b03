internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/parties` lists parties in the order of their ids; `after` and `limit` page.
enum ListParties {
    static let route = APIRoute(.get, "/v1/admin/parties", .admin(.observer), handle: respond)
    static let limitMax = 100

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let limit = try request.number("limit", in: 1...limitMax) ?? limitMax
        let after = request.query["after"].map { PartyID($0) }
        let parties = try await call.game.store.parties(after: after, limit: limit)
        var json = JSONWriter(reserving: 4096)
        json.beginObject()
        json.array("parties", parties) { json, stored in
            let view = PartyView(
                stored: stored, names: call.names, words: call.game.words,
                language: request.language)
            json.raw(view.json())
        }
        json.key("next")
        if let last = parties.last, parties.count == limit {
            json.value(last.id.rawValue)
        } else {
            json.null()
        }
        json.endObject()
        return .json(json.bytes)
    }
}
