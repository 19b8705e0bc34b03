internal import HTTPServer
internal import JSONWriter
internal import PartyStore

/// `/v1/admin/push-pause`: an owner pauses all pushes, also beyond a restart. Adventures go on, and
/// when the pause ends each Live Activity receives its newest state.
enum ManagePushPause {
    private static let path = "/v1/admin/push-pause"
    static let routes = [
        APIRoute(
            .get, path, .admin(.observer),
            Contract("returns whether all pushes are paused", returns: .json(schema))
        ) { _, call in
            .json(json(try await call.game.store.pushPause(), call.game))
        },
        APIRoute(
            .put, path, .admin(.owner),
            Contract("pauses all pushes", body: Body.Nothing.self, returns: .json(schema))
        ) { request, call in
            try Body.expectNothing(in: request)
            let pause = PushPause(since: call.game.now, by: try call.gameMaster.name)
            return try await set(pause, call)
        },
        APIRoute(
            .delete, path, .admin(.owner), Contract("ends the pause", returns: .json(schema))
        ) { _, call in try await set(nil, call) },
    ]

    private static let schema = JSONSchema.named(
        "PushPause",
        .fields(["paused": .boolean, "since": .nullable(.time), "by": .nullable(.text)]))

    private static func set(_ pause: PushPause?, _ call: Call) async throws -> Response {
        let (audit, game) = (try call.requireAudit(), call.game)
        // A damaged row must not prevent the end of the pause.
        let before = try? await game.store.pushPause()
        let number = try await game.store.set(
            pause,
            as: audit.record(
                status: 200, before: json(before, game),
                after: json(pause.map { before ?? $0 }, game),
                at: game.now),
            epoch: game.epoch)
        audit.noteWritten()
        await game.shards.set(pause == nil ? .allowed : .paused, order: number)
        return .json(json(try await game.store.pushPause(), game))
    }

    private static func json(_ pause: PushPause?, _ game: Game) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("paused", pause != nil)
        json.field("since", game.wall(at: pause?.since))
        json.field("by", pause?.by)
        json.endObject()
        return json.bytes
    }
}
