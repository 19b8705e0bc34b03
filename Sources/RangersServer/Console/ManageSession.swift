internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// `/v1/admin/session`: signing in to the console, and what its pages need to know first.
enum ManageSession {
    static let routes = [
        APIRoute(
            .post, "/v1/admin/session", .signIn,
            Contract(
                "signs in with a key or a code", body: Credentials.self, status: 204,
                returns: .nothing, problems: [401, 403]),
            handle: signIn),
        APIRoute(
            .get, "/v1/admin/session", .admin(.observer),
            Contract("returns who has signed in", returns: .json(schema)), handle: show),
        APIRoute(
            .delete, "/v1/admin/session", .admin(.observer),
            Contract("signs out", status: 204, returns: .nothing, problems: [409]),
            handle: signOut),
        APIRoute(
            .post, "/v1/admin/session-codes", .admin(.owner),
            Contract(
                "returns a code that signs in once", body: Body.Nothing.self, status: 201,
                returns: .json(.fields(["code": .text, "expiresAt": .time]))),
            handle: createCode),
    ]

    private static let schema = JSONSchema.fields(
        [
            "name": .text, "role": ShowAudit.roleSchema,
            "server": .fields([
                "environment": .choice(["sandbox", "production"]), "simulator": .boolean,
                "speed": .number(nil), "channels": .boolean, "epoch": .integer(1...Int.max),
            ]),
        ], optional: ["expiresAt": .time])

    private struct Credentials: BodyFields {
        let key: String?
        let code: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case key, code
        }
    }

    @Sendable private static func signIn(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let game = call.game
        // It has the codes.
        try call.requireLeader()
        let fields = try Body.decode(Credentials.self, from: request)
        try game.doorkeeper.browsers.requireNoForeignPage(request)
        let key = try await game.doorkeeper.guarding(request, game.limits) {
            switch (fields.key, fields.code) {
            case (let key?, nil): try await game.doorkeeper.key(Secret(key))
            case (nil, let code?): try game.sessions.takeCode(Secret(code)).orRefused
            default: throw Problem.badRequest("The body must have either \"key\" or \"code\".")
            }
        }
        let audit = try call.requireAudit()
        audit.note(key.holder)
        let secret = try await game.sessions.open(
            for: key, as: audit.record(status: 204, at: game.now))
        guard let secret else { throw Problem.wrongCredentials }
        audit.noteWritten()
        return Response(status: 204, headers: [game.doorkeeper.cookie.header(secret)])
    }

    @Sendable private static func show(_ request: Request, _ call: Call) async throws -> Response {
        let (master, game) = (try call.gameMaster, call.game)
        var json = JSONWriter()
        json.beginObject()
        json.field("name", master.name)
        json.field("role", master.role.rawValue)
        if case .session(let session)? = call.admission?.credential {
            json.field("expiresAt", game.wall(at: session.endsAt))
        }
        json.object("server") { json in
            json.field("environment", game.settings.channelEnvironment.rawValue)
            json.field(
                "simulator",
                game.settings.shards.pushEnvironment == nil
                    && game.dependencies.sandboxSender == nil)
            json.field("speed", Double(game.settings.millisecondsPerSecond) / 1000)
            json.field("channels", game.dependencies.channels != nil)
            json.field("epoch", game.epoch.number)
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func signOut(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        guard case .session(let session)? = call.admission?.credential else {
            throw Problem.conflict("A call with a key has no session to end.")
        }
        let audit = try call.requireAudit()
        try await call.game.sessions.close(
            session, as: audit.record(status: 204, at: call.game.now))
        audit.noteWritten()
        call.game.consoles.close(.session(session.id))
        return Response(status: 204, headers: [call.game.doorkeeper.cookie.removal])
    }

    /// A code is for somebody who does not have the key, so only the key itself creates one.
    @Sendable private static func createCode(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        try Body.expectNothing(in: request)
        try call.requireLeader()
        guard case .key(let key, _)? = call.admission?.credential else {
            throw Problem.forbidden("This needs the key itself: a session cannot create codes.")
        }
        let (code, endsAt) = call.game.sessions.newCode(for: key)
        var json = JSONWriter()
        json.beginObject()
        json.field("code", code.revealed)
        json.field("expiresAt", call.game.wall(at: endsAt))
        json.endObject()
        return .json(json.bytes, status: 201)
    }
}

extension Problem {
    /// The refusal of a key or a code that nobody has.
    static let wrongCredentials = Problem(
        status: 401, title: "Unauthorized",
        detail: "No game master has this key, or the code has been used or is too old.")
}

extension KnownKey? {
    fileprivate var orRefused: KnownKey {
        get throws(Problem) {
            guard let self else { throw .wrongCredentials }
            return self
        }
    }
}
