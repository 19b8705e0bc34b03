internal import GameLogic
internal import HTTPServer
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/stream`: what consoles show, as it happens, as server-sent events. `watch` names
/// what is looked at, and may be repeated: `wall`, `pushes`, or a party's id. `Last-Event-ID`
/// continues where a client has stopped.
enum StreamConsole {
    static let route = APIRoute(
        .get, "/v1/admin/stream", .admin(.observer),
        Contract(
            "streams what consoles show as it happens",
            query: [
                Contract.Parameter(
                    name: "watch",
                    schema: .array(.text, countMax: ConsoleListener.Watch.partiesMax + 2))
            ],
            returns: .events(schema), problems: [404]),
        handle: respond)

    /// One message. Its data is the JSON of `WallParty`, `ConsoleCard`, `ConsoleDecision`,
    /// `ConsolePush`, `ConsoleRates`, `ConsoleSnapshot`, `ConsoleGone` or `ConsoleClosed`.
    static let schema = JSONSchema.named(
        "ConsoleMessage",
        .fields(
            ["data": .text, "event": .choice(ConsoleEvent.allCases.map(\.rawValue))],
            optional: ["id": .pattern("^[0-9]+\\.[0-9]+$")]))

    static let snapshotSchema = JSONSchema.named(
        "ConsoleSnapshot",
        .fields(["watch": .list(.text), "parties": .list(WallParty.schema)]))

    static let goneSchema = JSONSchema.named("ConsoleGone", .fields(["id": .text]))

    static let closedSchema = JSONSchema.named(
        "ConsoleClosed",
        .fields(["reason": .choice(ConsoleListener.End.allCases.map(\.rawValue))]))

    /// What `ConsoleMessage.data` may be, for the description of the API.
    static let dataSchemas = [
        snapshotSchema, WallParty.schema, WatchedCards.schema, ConsoleLedger.decisionSchema,
        ConsoleLedger.pushSchema, ConsoleDesk.ratesSchema, goneSchema, closedSchema,
    ]

    @Sendable static func respond(_ request: Request, _ call: Call) async throws -> Response {
        let game = call.game
        let watch = try watch(request)
        for party in watch.parties { try game.shards.requireHere(party) }
        let opener = try opener(call)
        // First of all, so that no change and no end of the key is missed.
        let stream = try game.consoles.open(
            watch, by: opener, after: position(in: request, epoch: game.epoch))
        do {
            guard try await isValid(call) else { throw Problem.unauthorized }
            for party in watch.parties { try await requireParty(party, game) }
            return Response(headers: StreamParty.headers, stream: stream.response)
        } catch {
            game.consoles.remove(stream.number)
            throw error
        }
    }

    private static func opener(_ call: Call) throws(Problem) -> ConsoleListener.Opener {
        switch call.admission?.credential {
        case .session(let session)?: .session(session.id)
        case .key(let key, _)?: .key(key.record)
        case nil: throw Problem.unauthorized
        }
    }

    /// Returns whether the caller's key has not been revoked meanwhile, and its session goes on.
    private static func isValid(_ call: Call) async throws -> Bool {
        switch call.admission?.credential {
        case .session?: call.admission.map { !call.game.sessions.hasEnded($0) } ?? false
        case .key(let key, _)?:
            if key.record == nil {
                true
            } else {
                try await call.game.store.adminKeys().contains { $0.holder == key.holder }
            }
        case nil: false
        }
    }

    private static func requireParty(_ party: PartyID, _ game: Game) async throws {
        if await game.shards.frozenParty(party) != nil { return }
        _ = try await game.snapshot(of: party)
    }

    private static func watch(_ request: Request) throws(Problem) -> ConsoleListener.Watch {
        var watch = ConsoleListener.Watch()
        for name in request.query.values(of: "watch") {
            switch name {
            case ConsoleListener.Watch.wall: watch.hasWall = true
            case ConsoleListener.Watch.pushes: watch.hasPushes = true
            default:
                let party = PartyID(name)
                if !watch.parties.contains(party) { watch.parties.append(party) }
            }
        }
        guard watch != ConsoleListener.Watch() else {
            throw Problem.badRequest(
                "The query must have \"watch\": wall, pushes or a party's id; repeat it to watch "
                    + "more than one.")
        }
        guard watch.parties.count <= ConsoleListener.Watch.partiesMax else {
            throw Problem.badRequest(
                "A stream can watch at most \(ConsoleListener.Watch.partiesMax) parties.")
        }
        return watch
    }

    /// Returns the number up to which the client knows everything; `nil`: it knows nothing of this
    /// server.
    private static func position(in request: Request, epoch: Epoch) -> Int64? {
        let parts = (request.headers["last-event-id"] ?? "").split(separator: ".")
        guard parts.count == 2, Int64(parts[0]) == epoch.number else { return nil }
        return Int64(parts[1])
    }
}
