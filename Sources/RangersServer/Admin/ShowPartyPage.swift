internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/parties/{party}`: all that the server knows of a party, apart from secrets.
enum ShowPartyPage {
    static let route = APIRoute(
        .get, "/v1/admin/parties/{party}", .admin(.observer),
        Contract(
            "returns a party with its events, Live Activities and refused registrations",
            query: [.after],
            returns: .json(
                .fields([
                    "party": PartyView.schema, "createdAt": .time, "dueAt": .nullable(.time),
                    "activities": .list(activitySchema),
                    "refusedRegistrations": .list(
                        .fields([
                            "activity": .text, "player": .text, "status": .integer(400...599),
                            "detail": .text, "at": .time,
                        ])),
                ]))),
        handle: respond)

    private static let activitySchema = JSONSchema.named(
        "OwedActivity",
        ActivityView.schema.adding([
            "player": .text, "spectators": .boolean, "isPushDue": .boolean,
            "isPushInFlight": .boolean, "pausedUntil": .nullable(.time),
            "budgetLeft": .nullable(.integer(nil)),
        ]))

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let (id, game) = (PartyID(try request.parameter("party")), call.game)
        let after = try request.number("after", in: 0...Int(Int32.max))
        let party = try await call.partyResponse(id, request, after: after)
        let stored = try await game.snapshot(of: id).stored
        let refused = try await game.store.refusedRegistrations(of: id)
        let now = game.now
        var json = JSONWriter(reserving: 8192)
        json.beginObject()
        json.key("party")
        json.raw(party.body)
        json.field("createdAt", game.wall(at: stored.createdAt))
        json.field("dueAt", game.wall(at: stored.dueAt(now: now)))
        json.array("activities", stored.activities) { json, activity in
            write(activity, at: now, game, to: &json)
        }
        json.array("refusedRegistrations", refused) { json, refused in
            json.beginObject()
            json.field("activity", refused.activity.rawValue)
            json.field("player", refused.player.rawValue)
            json.field("status", refused.status)
            json.field("detail", refused.detail)
            json.field("at", game.wall(at: refused.at))
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    private static func write(
        _ activity: LiveActivity, at now: WallTime, _ game: Game, to json: inout JSONWriter
    ) {
        json.beginObject()
        ActivityView(activity, game).writeFields(to: &json)
        json.field("player", activity.registration.player.rawValue)
        json.field("spectators", activity.registration.recipient == .spectator)
        let outbox = activity.outbox
        json.field("isPushDue", outbox?.isDue ?? false)
        json.field("isPushInFlight", outbox?.isInFlight ?? false)
        json.field("pausedUntil", game.wall(at: outbox?.snapshot.pausedUntil))
        json.key("budgetLeft")
        if let outbox {
            json.value(outbox.budgetLeft(for: activity.registration, at: now))
        } else {
            json.null()
        }
        json.endObject()
    }
}
