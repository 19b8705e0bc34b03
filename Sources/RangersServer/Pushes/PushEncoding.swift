package import APNsClient
internal import GameLogic
package import PushPolicy
internal import UnicodeText

/// Turns a planned push into a request to APNs: the content in the activity's language, and the
/// alert localized by the device (Q11).
package struct PushEncoding: Sendable {
    /// Channels store the newest message, so that a late spectator sees the newest state.
    static let channelPolicy = ChannelPolicy.mostRecent
    /// How long APNs stores a broadcast, in seconds: the maximum, less the time by which a
    /// timestamp may lead the clock.
    static let broadcastKeptSeconds = BroadcastStorage.secondsMax - ActivityOutbox.leadMax

    /// A planned push, encoded for its target.
    enum Encoded: Sendable {
        case push(PushRequest)
        case broadcast(BroadcastRequest)
        case page(PagePush)
    }

    let bundleID: String
    let words: Words
    private let linter = PushLint()
    private let sabotage: Sabotage?

    package init(bundleID: String, words: Words, sabotage: Sabotage? = nil) {
        self.bundleID = bundleID
        self.words = words
        self.sabotage = sabotage
    }

    init(_ settings: Server.Settings, _ words: Words, _ dependencies: Dependencies) {
        self.init(bundleID: settings.bundleID, words: words, sabotage: dependencies.sabotage)
    }

    /// Encodes one push of a party. `texts` caches its texts for the party's other activities.
    ///
    /// - Throws: `PayloadError` for a push that cannot be written, `PushLintFault` for one that a
    ///   device would not understand.
    func encode(
        _ planned: PlannedPush, of party: PartyID, texts: inout TextCache
    ) throws -> Encoded {
        let push = sabotage.map { planned.distorted(by: $0) } ?? planned
        let state = ContentState(push.content, push.details) {
            texts.text($0, in: push.language, by: words)
        }
        // The same content of the same activity has the same `apns-id`, so that duplicates can be
        // counted (PR4).
        let id = PushID.derived(from: push.contentName(in: party))
        switch push.target {
        case .device(let token):
            let payload = try payload(of: push, showing: state).encoded()
            try lint(push, showing: state, payload, to: .device)
            return .push(
                .liveActivity(
                    payload, to: DeviceToken(hex: token.hex), bundleID: bundleID,
                    priority: push.priority == .high ? .high : .low,
                    expiration: push.expiration.seconds, id: id))
        case .channel(let channel):
            let request = try BroadcastRequest(
                Self.broadcast(of: push, showing: state),
                on: BroadcastChannel(
                    id: ChannelID(base64: channel.rawValue), policy: Self.channelPolicy),
                bundleID: bundleID, priority: push.priority == .high ? .high : .low,
                storage: .mostRecent(until: push.timestamp + Self.broadcastKeptSeconds),
                id: id)
            try lint(push, showing: state, request.payload, to: .broadcast)
            return .broadcast(request)
        case .page:
            let payload = try payload(of: push, showing: state).encoded()
            try lint(push, showing: state, payload, to: .device)
            return .page(
                PagePush(
                    payload: payload, alert: push.alert.map { words.alert($0, in: push.language) },
                    expiration: push.expiration, isEnd: push.isEnd))
        }
    }

    private func lint(
        _ push: PlannedPush, showing state: ContentState, _ payload: [UInt8],
        to destination: PayloadLimit
    ) throws(PushLintFault) {
        let fault = linter.fault(in: push, showing: state, payload: payload, to: destination)
        if let fault { throw PushLintFault(rule: fault) }
    }

    private func payload(
        of push: PlannedPush, showing state: ContentState
    ) -> LiveActivityPayload<ContentState> {
        let alert = push.alert.map { LiveActivityAlert($0) }
        switch push.event {
        case .update:
            return .update(
                at: push.timestamp, state: state, alert: alert,
                staleDate: push.staleDate?.seconds, relevanceScore: push.relevance)
        case .end(let dismissalDate):
            return .end(
                at: push.timestamp, finalState: state, alert: alert,
                dismissalDate: dismissalDate.seconds)
        case .start(let start):
            return Self.payload(of: start, in: push, showing: state)
        }
    }

    /// Returns the payload of a start: the hero as attributes, the current content, an alert and a
    /// stale date. It requests a push token where the system supports the key.
    private static func payload(
        of start: PlannedStart, in push: PlannedPush, showing state: ContentState
    ) -> LiveActivityPayload<ContentState> {
        let alert = push.alert ?? StartReason.adventureBegins.alert(for: start.hero.tag)
        return .start(
            at: push.timestamp, attributesType: AdventureAttributes.typeName,
            attributes: AdventureAttributes(of: start.hero), state: state,
            alert: LiveActivityAlert(alert), staleDate: push.staleDate?.seconds,
            relevanceScore: push.relevance,
            input: start.asksForPushToken ? .token : nil)
    }

    /// Returns a broadcast with the same content that a device would get, but without an alert.
    private static func broadcast(
        of push: PlannedPush, showing state: ContentState
    ) -> BroadcastPayload<ContentState> {
        switch push.event {
        case .end(let dismissalDate):
            .end(at: push.timestamp, finalState: state, dismissalDate: dismissalDate.seconds)
        case .update, .start:
            .update(
                at: push.timestamp, state: state, staleDate: push.staleDate?.seconds,
                relevanceScore: push.relevance)
        }
    }
}

extension PlannedPush {
    fileprivate var isEnd: Bool {
        switch event {
        case .end: true
        case .update, .start: false
        }
    }

    fileprivate var relevance: Double {
        Relevance.score(relevanceScore, precedence: precedence)
    }
}

/// Texts in one party's pushes: most of its activities show the same ones.
struct TextCache {
    private var known: [(source: LocalizableText, language: Language, text: String)] = []

    mutating func text(_ source: LocalizableText, in language: Language, by words: Words) -> String
    {
        for one in known where one.language == language && one.source == source {
            return one.text
        }
        let text = words.text(source, in: language)
        known.append((source, language, text))
        return text
    }
}

// The fast encoding; a test proves that it equals that of a default `JSONEncoder`.
extension ContentState: LiveActivityContent {
    package func write(to json: inout JSONFields) {
        json.field("currentHealthLevel", currentHealthLevel)
        json.field("eventDescription", eventDescription)
        if let link { json.field("link", link) }
        if let ask { json.object("ask") { ask.write(to: &$0) } }
        if let deadline {
            json.object("deadline") { json in
                json.field("kind", deadline.kind)
                json.field("at", deadline.at)
            }
        }
        if let team {
            json.array("team", team) { json, mate in
                json.field("avatar", mate.avatar)
                json.field("mood", mate.mood)
            }
        }
        if let boss { json.field("boss", boss) }
        if let way { json.field("way", way) }
    }
}

extension ContentState.Question {
    fileprivate func write(to json: inout JSONFields) {
        json.field("kind", kind)
        json.field("text", text)
        json.field("button", button)
        if let endsAt { json.field("endsAt", endsAt) }
        if let id { json.field("id", id) }
        if let mine { json.field("mine", mine) }
        if let yes { json.field("yes", yes) }
        if let of { json.field("of", of) }
    }
}

extension LiveActivityAlert {
    /// The names are parts of sentences that the device makes.
    init(_ alert: Alert) {
        self.init(
            title: .localized(
                key: alert.titleKey, arguments: alert.titleArguments.map(\.isolated)),
            body: .localized(
                key: alert.bodyKey, arguments: alert.bodyArguments.map(\.isolated)),
            sound: alert.sound)
    }
}
