internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `/v1/admin/content`: the words and rules of every kind of event, and a preview of any card.
enum ShowContent {
    static let routes = [
        APIRoute(
            .get, "/v1/admin/content", .admin(.observer),
            Contract(
                "returns the words and the rule of every kind of event",
                returns: .json(
                    .fields([
                        "languages": .list(.choice(Language.allCases.map(\.rawValue))),
                        "kinds": .list(kindSchema),
                    ]))),
            handle: show),
        APIRoute(
            .post, "/v1/admin/content/preview", .admin(.observer),
            Contract(
                "returns the card of a kind of event, as a push would have it", body: Draft.self,
                returns: .json(
                    .fields([
                        "contentState": MomentView.contentSchema,
                        "alert": .nullable(MomentView.alertSchema), "payload": .fields([:]),
                        "bytes": .whole, "findings": .list(.text),
                    ]))),
            handle: preview),
    ]

    private static let kindSchema = JSONSchema.named(
        "EventContent",
        .fields([
            "kind": PartyView.kindSchema, "emoji": .text, "priority": .integer(5...10),
            "alert": .boolean, "relevance": .whole, "keptMinutes": .whole,
            "words": .fields([:]), "rule": .text,
        ]))

    private static let hero = HeroTag(id: HeroID("hero"), name: "Power Panda")
    private static let friend = HeroTag(id: HeroID("friend"), name: "Egghead")

    @Sendable private static func show(_ request: Request, _ call: Call) async throws -> Response {
        let words = call.game.words
        var json = JSONWriter(reserving: 65_536)
        json.beginObject()
        json.array("languages", Language.allCases) { $0.value($1.rawValue) }
        json.array("kinds", EventName.allCases) { json, name in
            let samples = name.samples(of: hero, with: friend)
            guard let first = samples.first else { return json.null() }
            let rule = Policy.rule(for: first)
            json.beginObject()
            json.field("kind", name.rawValue)
            json.field("emoji", name.emoji)
            json.field("priority", rule.priority.rawValue)
            json.field("alert", rule.alert != nil)
            json.field("relevance", rule.relevance)
            json.field("keptMinutes", rule.expirationSeconds / 60)
            json.object("words") { json in
                for language in Language.allCases {
                    let texts = samples.map { kind in
                        words.text(EventTexts.text(for: kind, onActivityOf: hero), in: language)
                    }
                    json.key(named: language.rawValue)
                    json.beginArray()
                    for text in Set(texts).sorted() { json.value(text) }
                    json.endArray()
                }
            }
            json.field("rule", NamedRule.explaining(rule.why))
            json.endObject()
        }
        json.endObject()
        return .json(json.bytes)
    }

    // MARK: Preview

    private struct DraftHero: BodyFields {
        let name: String
        let avatar: String?
        let heroType: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case name, avatar, heroType
        }
    }

    private struct Draft: BodyFields {
        let kind: String
        let hero: DraftHero
        let health: Double
        let language: String
        let osVersion: String?

        enum CodingKeys: CodingKey, CaseIterable {
            case kind, hero, health, language, osVersion
        }

        static var inner: [String: any BodyFields.Type] { ["hero": DraftHero.self] }
        static var narrower: [String: JSONSchema] {
            [
                "kind": PartyView.kindSchema, "health": .fraction,
                "language": .choice(Language.allCases.map(\.rawValue)),
            ]
        }
    }

    @Sendable private static func preview(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let push = try push(try Body.decode(Draft.self, from: request), at: call.game.wallNow)
        let check = PayloadCheck(words: call.game.words)
        var texts = TextCache()
        guard
            case .push(let sent) = try? check.encoding.encode(
                push, of: PartyID("party"), texts: &texts)
        else { throw Problem.badRequest("This card cannot be pushed: no device would read it.") }
        let words = call.game.words
        let state = ContentState(push.content) { words.text($0, in: push.language) }
        var json = JSONWriter(reserving: 2048)
        json.beginObject()
        json.key("contentState")
        json.raw(try state.encoded())
        json.key("alert")
        if let alert = push.alert.map({ words.alert($0, in: push.language) }) {
            json.beginObject()
            json.field("title", alert.title)
            json.field("body", alert.body)
            json.endObject()
        } else {
            json.null()
        }
        json.key("payload")
        json.raw(sent.payload)
        json.field("bytes", sent.payload.count)
        json.array("findings", check.linter.findings(in: sent).map(\.sentence)) { $0.value($1) }
        json.endObject()
        return .json(json.bytes)
    }

    private static func push(_ draft: Draft, at now: WallTime) throws(Problem) -> PlannedPush {
        guard let name = EventName(rawValue: draft.kind), (0...1).contains(draft.health),
            let language = Language(rawValue: draft.language)
        else {
            throw Problem.badRequest(
                "\"kind\" must be a kind of event, \"health\" from 0 to 1, and \"language\" one "
                    + "of the catalog.")
        }
        let named = HeroTag(
            id: hero.id,
            name: try DisplayName.checked(
                draft.hero.name, field: "name", limit: Hero.nameLengthMax))
        guard let kind = name.samples(of: named, with: friend).first else {
            throw Problem.badRequest("There is no event of this kind.")
        }
        let rule = Policy.rule(for: kind)
        return PlannedPush(
            event: .update, recipient: .activity(ActivityID("preview")),
            target: .device(PushToken(hex: "00")), environment: .sandbox, tokenConfirmedAt: now,
            content: LocalizableContent(
                health: Health(thousandths: Int((draft.health * 1000).rounded())),
                text: EventTexts.text(for: kind, onActivityOf: named)),
            language: language, alert: rule.alert?.alert, priority: rule.priority,
            timestamp: now.seconds,
            staleDate: now.adding(seconds: StalePlanner.staleAfterSeconds),
            relevanceScore: rule.relevance,
            expiration: now.adding(seconds: rule.expirationSeconds), contentVersion: 1,
            dueSince: now)
    }
}
