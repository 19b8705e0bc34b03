internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy
internal import Secrets

/// `GET /v1/activities/{activity}/pushes`: the pushes to a browser phone, as server-sent events. Each
/// has the payload that a device would receive. The first one has the newest content; what was
/// missed before is not repeated.
enum StreamPushes {
    static let route = APIRoute(
        .get, "/v1/activities/{activity}/pushes", .player,
        Contract(
            "streams the pushes to a browser phone", returns: .events(PageStream.schema),
            problems: [403, 409]),
        handle: respond)

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let pages = call.game.pages
        try pages.requireOn()
        let id = ActivityID(try request.parameter("activity"))
        let registration = try await call.ownActivity(id)
        try registration.requireOpenPage()
        try call.game.shards.requireHere(registration.party)
        let bearer = try Authentication.bearer(request)
        let (stream, response) = try pages.open(
            id, of: registration.player, at: call.game.limits.counted(request.client),
            in: registration.party, bearer: Digest.sha256(bearer.revealed.utf8))
        do {
            // The token may have been revoked just before the stream was among those to close.
            guard try await call.game.players.caller(with: bearer) == (try call.device) else {
                throw Problem.unauthorized
            }
            try await call.game.shards.change(registration.party) { change in
                try change.connect(stream, pages)
            }
            return Response(headers: StreamParty.headers, stream: response)
        } catch {
            pages.remove(stream)
            throw error
        }
    }
}

extension PartyChange {
    /// Makes a page's stream its activity's push token: what is owed goes there.
    fileprivate mutating func connect(_ stream: PageStream, _ pages: PageStreams) throws(Problem) {
        guard let known = registration(stream.activity) else {
            throw .notFound("You have no Live Activity \(stream.activity).")
        }
        try known.requireOpenPage()
        // Of streams that are opened at once, the newest one's change may be made first.
        guard pages.isOpen(stream) else {
            throw .conflict("Live Activity \(stream.activity) was opened again meanwhile.")
        }
        var connected = known
        connected.pushToken = stream.token
        connected.confirmToken(of: known, at: now)
        register(connected)
    }
}

extension ActivityRegistration {
    fileprivate func requireOpenPage() throws(Problem) {
        guard screen == .page else {
            throw .conflict("Live Activity \(id) is on a device: APNs delivers its pushes.")
        }
        guard !state.isFinal else {
            throw .conflict("Live Activity \(id) has ended: register a new one.")
        }
    }
}

extension PageStreams {
    /// Refuses browser phones where they are off.
    func requireOn() throws(Problem) {
        guard areOn else {
            throw .forbidden(
                "Browser phones are off on this server. Its operator turns them on with "
                    + "--browser-phones on.")
        }
    }
}
