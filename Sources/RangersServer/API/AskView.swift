internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A question of the adventure as the API shows it. Cards have its words.
struct AskView {
    static let schema = JSONSchema.named(
        "Ask",
        .fields(
            [
                "id": .whole,
                "kind": .choice(["brace", "flee", "guard", "fork", "loot", "stop"]),
                "button": .text,
                "yes": .list(.text), "no": .list(.text),
            ], optional: ["hero": .text, "endsAt": .time]))

    let ask: Ask
    let stored: StoredParty
    /// The wall clock minus the server's time, in milliseconds.
    let wallOffset: Int64

    func write(button: String, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", ask.id)
        json.field("kind", ask.kind.name)
        if let hero = ask.kind.hero { json.field("hero", hero.rawValue) }
        json.field("button", button)
        if let end = stored.party.adventure?.end(of: ask) {
            json.field("endsAt", stored.clock.wallTime(of: end).milliseconds + wallOffset)
        }
        json.array("yes", ask.yes) { $0.value($1.rawValue) }
        json.array("no", ask.no) { $0.value($1.rawValue) }
        json.endObject()
    }
}

extension Ask.Kind {
    fileprivate var name: String {
        switch self {
        case .brace: "brace"
        case .flee: "flee"
        case .guardFriend: "guard"
        case .fork: "fork"
        case .loot: "loot"
        case .stop: "stop"
        }
    }

    /// Whom the question is about: who needs a guard, or who has found something.
    fileprivate var hero: HeroID? {
        switch self {
        case .guardFriend(let hero), .loot(_, finder: let hero): hero
        case .brace, .flee, .fork, .stop: nil
        }
    }
}
