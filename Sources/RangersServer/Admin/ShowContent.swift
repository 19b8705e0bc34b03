internal import Content
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `GET /v1/admin/content`: the words and the rule of every kind of event, and how much of a card's
/// room its widest text takes.
///
/// Texts are measured in columns, as those of packs are: the narrowest device has room for
/// `Columns.max` on the Lock Screen, which tests show in browsers. The compact presentation has no
/// words. Nothing here tells of the check of payloads: a server that finds a fault does not start.
enum ShowContent {
    static let route = APIRoute(
        .get, "/v1/admin/content", .admin(.observer),
        Contract(
            "returns the words and the rule of every kind of event",
            returns: .json(
                .fields([
                    "languages": .list(.choice(Language.allCases.map(\.rawValue))),
                    "kinds": .list(kindSchema), "findings": .list(.text),
                ]))),
        handle: show)

    private static let kindSchema = JSONSchema.named(
        "EventContent",
        .fields([
            "kind": PartyView.kindSchema, "emoji": .text, "priority": .integer(5...10),
            "alert": .boolean, "relevance": .whole, "keptMinutes": .whole,
            "words": .fields([:]),
            "widest": .fields([
                "language": .choice(Language.allCases.map(\.rawValue)), "text": .text,
                "columns": .whole, "lockScreen": .number(nil),
            ]),
            "findings": .list(.text), "rule": .text,
        ]))

    @Sendable private static func show(_ request: Request, _ call: Call) async throws -> Response {
        let kinds = EventName.allCases.compactMap { KindContent($0, by: call.game.words) }
        var json = JSONWriter(reserving: 65_536)
        json.beginObject()
        json.array("languages", Language.allCases) { $0.value($1.rawValue) }
        json.array("kinds", kinds) { json, kind in kind.write(to: &json) }
        json.array("findings", kinds.flatMap(\.findings)) { $0.value($1) }
        json.endObject()
        return .json(json.bytes)
    }
}

/// What the catalog and the policy have of one kind of event.
struct KindContent {
    let name: EventName
    let rule: Rule
    /// Every text that a card of the kind can have, in each language.
    let texts: [Language: [String]]
    /// The one that takes most room, with the longest name that a text must have room for.
    let widest: (language: Language, text: String, columns: Int)

    /// `nil`: there is no event of the kind.
    init?(_ name: EventName, by words: Words) {
        let (hero, friend) = (Self.tag("Power Panda"), Self.tag("Egghead"))
        let samples = name.samples(of: hero, with: friend)
        guard let first = samples.first else { return nil }
        self.name = name
        rule = Policy.rule(for: first)
        var texts: [Language: [String]] = [:]
        for language in Language.allCases {
            texts[language] = Self.texts(of: samples, on: hero, in: language, by: words)
        }
        self.texts = texts
        let long = Self.tag(String(repeating: "M", count: Columns.ofName))
        let longest = name.samples(of: long, with: long)
        let all = Language.allCases.flatMap { language in
            Self.texts(of: longest, on: long, in: language, by: words).map {
                (language: language, text: $0, columns: Columns.count(of: $0))
            }
        }
        guard let widest = all.max(by: { $0.columns < $1.columns }) else { return nil }
        self.widest = widest
    }

    private static func tag(_ name: String) -> HeroTag { HeroTag(id: HeroID(name), name: name) }

    private static func texts(
        of kinds: [PartyEvent.Kind], on hero: HeroTag, in language: Language, by words: Words
    ) -> [String] {
        let texts = kinds.flatMap { kind in
            kind.tellingConditions.flatMap { condition in
                words.texts(
                    EventTexts.text(for: kind, onActivityOf: hero, condition), in: language)
            }
        }
        return Set(texts).sorted()
    }

    var findings: [String] {
        guard widest.columns > Columns.max else { return [] }
        return [
            "\(name.rawValue) in \(widest.language.rawValue): \"\(widest.text)\" takes "
                + "\(widest.columns) columns; a card has room for \(Columns.max)"
        ]
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("kind", name.rawValue)
        json.field("emoji", name.emoji)
        json.field("priority", rule.priority.rawValue)
        json.field("alert", rule.alert != nil)
        json.field("relevance", rule.relevance)
        json.field("keptMinutes", rule.expirationSeconds / 60)
        json.object("words") { json in
            for language in Language.allCases {
                json.key(named: language.rawValue)
                json.beginArray()
                for text in texts[language] ?? [] { json.value(text) }
                json.endArray()
            }
        }
        json.object("widest") { json in
            json.field("language", widest.language.rawValue)
            json.field("text", widest.text)
            json.field("columns", widest.columns)
            json.field("lockScreen", Double(widest.columns * 100 / Columns.max) / 100)
        }
        json.array("findings", findings) { $0.value($1) }
        json.field("rule", NamedRule.explaining(rule.why))
        json.endObject()
    }
}
