internal import Content
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// The event of a world boss, as responses have it.
struct WorldEventView {
    static let schema = JSONSchema.named(
        "WorldEvent",
        .fields(
            [
                "event": .whole, "pack": .text,
                "status": .choice(WorldEvent.Status.allCases.map(\.name)),
                "percent": .integer(0...100), "round": .whole, "rounds": .whole,
                "startsAt": .time, "endsAt": .time,
            ], optional: ["changesAt": .time]))

    let event: WorldEvent
    let now: WallTime

    /// Writes the fields; the caller begins and ends the object.
    func writeFields(to json: inout JSONWriter) {
        let (plan, moment) = (event.plan, event.moment(at: now))
        json.field("event", event.number)
        json.field("pack", plan.pack)
        json.field("status", event.status.name)
        json.field("percent", event.percent)
        json.field("round", event.round)
        json.field("rounds", plan.rounds)
        json.field("startsAt", plan.startsAt.milliseconds)
        json.field("endsAt", plan.end(ofRound: plan.rounds).milliseconds)
        if let next = moment.nextAt { json.field("changesAt", next.milliseconds) }
    }

    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        writeFields(to: &json)
        json.endObject()
        return json.bytes
    }
}

/// `GET /v1/world` returns the newest event of a world boss, and how many shifts the player's
/// heroes have left.
enum ShowWorld {
    static let route = APIRoute(
        .get, "/v1/world", .player,
        Contract(
            "returns the newest event of a world boss",
            returns: .json(
                WorldEventView.schema.adding([
                    "title": .text, "says": .text, "heroes": .list(hero),
                ])), problems: [404]),
        handle: respond)

    private static let hero = JSONSchema.fields(["hero": .text, "shiftsLeft": .whole])

    @Sendable private static func respond(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let (player, game) = (try call.player, call.game)
        guard let event = try await game.store.worldEvents().first else {
            throw Problem.notFound("There has been no world boss yet.")
        }
        let begun = try await game.store.shifts(of: player, in: event.number, round: event.round)
        let heroes = try await game.store.heroes(of: player).map(\.id)
        let document = game.packs.playable(event.plan.pack).flatMap { pack in
            game.packs.playable.first { $0.pack == pack }
        }
        var json = JSONWriter()
        json.beginObject()
        WorldEventView(event: event, now: game.wallNow).writeFields(to: &json)
        json.field(
            "title",
            document?.texts.text(PackTexts.title, in: request.language) ?? event.plan.pack)
        json.field("says", document?.sentence(of: event, in: request.language) ?? "")
        json.array("heroes", heroes) { json, hero in
            json.beginObject()
            json.field("hero", hero.rawValue)
            json.field(
                "shiftsLeft",
                event.status == .open
                    ? max(0, WorldEvent.shiftsMax - (begun[hero] ?? 0)) : 0)
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }
}

extension PackDocument {
    /// What the pack says of the world boss now.
    func sentence(of event: WorldEvent, in language: Language) -> String? {
        guard let boss = pack.finale.first?.choice.shortName else { return nil }
        let verb = event.stage.map(PackTexts.weakness) ?? "comes"
        return texts.text("\(boss).\(verb)", in: language)
    }
}
