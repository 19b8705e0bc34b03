internal import Content
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PushPolicy

/// `GET /v1/adventures` lists what a party can play, in the caller's language.
enum ListAdventures {
    static let route = APIRoute(
        .get, "/v1/adventures", .player,
        Contract(
            "lists the adventures that a party can start",
            returns: .json(.fields(["adventures": .list(.named("AdventurePack", schema))]))),
        handle: respond)

    private static let schema = JSONSchema.fields([
        "id": .text, "version": .whole, "title": .text, "pitch": .text, "minutes": .whole,
        "level": .whole, "kind": .choice(Pack.Kind.allCases.map(\.rawValue)),
        "difficulties": .list(.choice(Difficulty.allCases.map(\.name))),
    ])

    @Sendable private static func respond(_ request: Request, _ call: Call) async -> Response {
        var json = JSONWriter()
        json.beginObject()
        json.array("adventures", call.game.packs.playable) { json, document in
            write(document, in: request.language, call.game, to: &json)
        }
        json.endObject()
        return .json(json.bytes)
    }

    private static func write(
        _ document: PackDocument, in language: Language, _ game: Game, to json: inout JSONWriter
    ) {
        let reference = document.pack.reference
        json.beginObject()
        json.field("id", reference.id)
        json.field("version", reference.version)
        json.field("title", document.texts.text(PackTexts.title, in: language))
        json.field("pitch", document.texts.text(PackTexts.pitch, in: language))
        json.field("minutes", minutes(document, game))
        json.field("level", document.level)
        json.field("kind", document.pack.kind.rawValue)
        json.array("difficulties", Difficulty.allCases) { $0.value($1.name) }
        json.endObject()
    }

    /// How long the story takes on average at the server's speed.
    private static func minutes(_ document: PackDocument, _ game: Game) -> Int {
        let speed = Int(game.settings.millisecondsPerSecond)
        return max(1, (document.minutes * 1000 + speed / 2) / speed)
    }
}
