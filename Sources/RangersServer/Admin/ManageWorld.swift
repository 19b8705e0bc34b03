internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `/v1/admin/world`: the events of world bosses. A director opens one at a time, and may close it
/// early; then nobody is rewarded, and running shifts continue like any adventure.
enum ManageWorld {
    private static let path = "/v1/admin/world"
    static let routes = [
        APIRoute(
            .get, path, .admin(.observer),
            Contract(
                "lists the events of world bosses",
                returns: .json(.fields(["events": .list(schema)]))),
            handle: list),
        APIRoute(
            .post, path, .admin(.director),
            Contract(
                "opens an event of a world boss", body: Input.self, status: 201,
                returns: .json(schema), problems: [404, 409]),
            handle: open),
        APIRoute(
            .delete, path + "/{event}", .admin(.director),
            Contract("closes an event", status: 204, returns: .nothing, problems: [409]),
            handle: close),
    ]

    private static let schema = WorldEventView.schema.adding([
        "pool": .whole, "remaining": .whole, "createdBy": .text,
    ])

    private struct Input: BodyFields {
        /// A pack of the kind `worldBoss`; `kraken-tide` when omitted.
        let pack: String?
        /// How many shifts heroes are expected to play in all rounds together.
        let heroShifts: Int
        /// 1 when omitted.
        let rounds: Int?
        /// 360 when omitted.
        let roundMinutes: Int?
        /// Between two rounds; 0 when omitted.
        let breakMinutes: Int?
        /// Milliseconds since 1970; now when omitted.
        let startsAt: Int64?

        enum CodingKeys: CodingKey, CaseIterable {
            case pack, heroShifts, rounds, roundMinutes, breakMinutes, startsAt
        }

        static var narrower: [String: JSONSchema] {
            [
                "pack": .pattern("^[a-z0-9-]{1,32}$"),
                "heroShifts": .integer(WorldEvent.heroShifts),
                "rounds": .integer(WorldEvent.rounds),
                "roundMinutes": .integer(WorldEvent.roundMinutes),
                "breakMinutes": .integer(WorldEvent.breakMinutes),
                "startsAt": .integer(0...JSONSchema.integerMax),
            ]
        }

        /// Returns the plan, with its fields checked.
        func plan(at now: WallTime) throws(Problem) -> WorldEvent.Plan {
            let rounds = try Self.check(rounds ?? 1, in: WorldEvent.rounds, "rounds")
            let minutes = try Self.check(
                roundMinutes ?? WorldEvent.roundMinutes.upperBound, in: WorldEvent.roundMinutes,
                "roundMinutes")
            let rest = try Self.check(
                breakMinutes ?? 0, in: WorldEvent.breakMinutes, "breakMinutes")
            let shifts = try Self.check(heroShifts, in: WorldEvent.heroShifts, "heroShifts")
            let start = startsAt.map { WallTime(milliseconds: $0) } ?? now
            guard now <= start, start <= now.adding(seconds: WorldEvent.aheadSecondsMax) else {
                throw Problem.badRequest(
                    "The field \"startsAt\" must be a time in milliseconds since 1970, not in the "
                        + "past and at most \(WorldEvent.aheadSecondsMax / (24 * 3600)) days ahead."
                )
            }
            return WorldEvent.Plan(
                pack: pack ?? "kraken-tide",
                pool: Int64(shifts) * WorldEvent.pointsOfShift, startsAt: start, rounds: rounds,
                roundSeconds: Int64(minutes) * 60, breakSeconds: Int64(rest) * 60)
        }

        private static func check(
            _ number: Int, in range: ClosedRange<Int>, _ field: String
        ) throws(Problem) -> Int {
            guard range.contains(number) else {
                throw Problem.badRequest(
                    "The field \"\(field)\" must be a whole number from \(range.lowerBound) to "
                        + "\(range.upperBound).")
            }
            return number
        }
    }

    @Sendable private static func list(_ request: Request, _ call: Call) async throws -> Response {
        let events = try await call.game.store.worldEvents()
        var json = JSONWriter()
        json.beginObject()
        json.array("events", events) { json, event in
            write(event, at: call.game.wallNow, to: &json)
        }
        json.endObject()
        return .json(json.bytes)
    }

    @Sendable private static func open(_ request: Request, _ call: Call) async throws -> Response {
        let input = try Body.decode(Input.self, from: request)
        let (game, audit) = (call.game, try call.requireAudit())
        let plan = try input.plan(at: game.wallNow)
        guard game.packs.playable(plan.pack)?.kind == .worldBoss else {
            throw Problem.notFound("There is no world boss \"\(plan.pack)\".")
        }
        let event = try await game.store.open(
            plan, by: try call.gameMaster.name,
            as: audit.record(status: 201, after: request.body, at: game.now), epoch: game.epoch)
        guard let event else {
            throw Problem.conflict("Another world boss's event is not over: close it first.")
        }
        audit.noteWritten()
        game.world.wake()
        return .json(json(event, at: game.wallNow), status: 201)
    }

    /// Closes an event that is not over. A round that opens or closes meanwhile is no obstacle.
    @Sendable private static func close(_ request: Request, _ call: Call) async throws -> Response {
        let (game, audit) = (call.game, try call.requireAudit())
        let text = try request.parameter("event")
        guard let number = Int(text), let event = try await game.store.worldEvent(number) else {
            throw Problem.notFound("There is no event \(text) of a world boss.")
        }
        let record = audit.record(
            status: 204, before: json(event, at: game.wallNow), on: text, at: game.now)
        for before in [event.status, .open, .resting] {
            let isClosed = try await game.store.set(
                number, to: .closed, round: event.round, from: before, as: record,
                epoch: game.epoch)
            guard isClosed else { continue }
            audit.noteWritten()
            game.world.wake()
            return .noContent
        }
        throw Problem.conflict("Event \(number) is over.")
    }

    private static func json(_ event: WorldEvent, at now: WallTime) -> [UInt8] {
        var json = JSONWriter()
        write(event, at: now, to: &json)
        return json.bytes
    }

    private static func write(
        _ event: WorldEvent, at now: WallTime, to json: inout JSONWriter
    ) {
        json.beginObject()
        WorldEventView(event: event, now: now).writeFields(to: &json)
        json.field("pool", event.plan.pool)
        json.field("remaining", event.remaining)
        json.field("createdBy", event.createdBy)
        json.endObject()
    }
}
