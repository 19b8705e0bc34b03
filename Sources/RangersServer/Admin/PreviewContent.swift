internal import APNsClient
internal import GameLogic
internal import HTTPServer
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// `POST /v1/admin/content/preview`: the card of any kind of event, as a push would have it.
enum PreviewContent {
    static let route = APIRoute(
        .post, "/v1/admin/content/preview", .admin(.observer),
        Contract(
            "returns the card of a kind of event, as a push would have it", body: Draft.self,
            returns: .json(
                .fields([
                    "contentState": MomentView.contentSchema,
                    "alert": .nullable(MomentView.alertSchema), "payload": .fields([:]),
                    "bytes": .whole, "findings": .list(.text),
                    "lacks": .list(.choice(SystemFeature.allCases.map(\.rawValue))),
                ]))),
        handle: preview)

    private static let friend = HeroTag(id: HeroID("friend"), name: "Egghead")

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
                "osVersion": Text.osVersionSchema,
            ]
        }
    }

    @Sendable private static func preview(
        _ request: Request, _ call: Call
    ) async throws -> Response {
        let draft = try Body.decode(Draft.self, from: request)
        let push = try push(draft, at: call.game.wallNow)
        let system = try draft.osVersion.map { text throws(Problem) in try Text.osVersion(text) }
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
        let lacking = SystemFeature.allCases.filter { !$0.isIn(system) }
        json.array("lacks", lacking) { $0.value($1.rawValue) }
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
            id: HeroID("hero"),
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
            times: PlannedPush.Times(at: now))
    }
}

/// What a card is shown by, or begins with, that came after iOS 16.1. The bytes of an update are the
/// same for every system.
enum SystemFeature: String, CaseIterable {
    /// Buttons in a card (V14), and StandBy: iOS 17.
    case buttons, standBy
    /// Starts by push (A7): iOS 17.2.
    case startByPush
    /// The Smart Stack of a watch (W1), and channels for spectators (A8): iOS 18.
    case watch, channels

    private var since: (major: Int, minor: Int) {
        switch self {
        case .buttons, .standBy: (17, 0)
        case .startByPush: (17, 2)
        case .watch, .channels: (18, 0)
        }
    }

    /// Returns whether a checked version of iOS has it; without a version it is the newest.
    func isIn(_ version: String?) -> Bool {
        guard let version else { return true }
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        return (numbers.first ?? 0, numbers.dropFirst().first ?? 0) >= since
    }
}
