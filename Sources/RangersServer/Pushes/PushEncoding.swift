package import APNsClient
internal import GameLogic
package import PushPolicy

/// Turns a planned push into a request to APNs: the content in the activity's language, the alert
/// by the device's own localisation (Q11).
package struct PushEncoding: Sendable {
    /// Channels keep the newest message, so that a spectator who comes late sees the newest state.
    static let channelPolicy = ChannelPolicy.mostRecent
    /// How long APNs keeps a broadcast: as long as it can, counted from a timestamp that may lead
    /// the clock a little.
    static let broadcastKeptSeconds = BroadcastStorage.secondsMax - ActivityOutbox.leadMax

    /// Where a planned push goes, ready to leave.
    enum Encoded: Sendable {
        case push(PushRequest)
        case broadcast(BroadcastRequest)
    }

    let bundleID: String
    let words: Words

    package init(bundleID: String, words: Words) {
        self.bundleID = bundleID
        self.words = words
    }

    /// Encodes one push of a party; `said` keeps what was put into words for the party's others.
    func encode(
        _ push: PlannedPush, of party: PartyID, said: inout SaidWords
    ) throws(PayloadError) -> Encoded {
        let state = ContentState(push.content) {
            said.text($0, in: push.language, by: words)
        }
        // The same content of the same activity has the same `apns-id`, so that what was sent
        // twice can be counted (R4).
        let id = PushID.derived(from: push.contentName(in: party))
        switch push.target {
        case .device(let token):
            return .push(
                .liveActivity(
                    try payload(of: push, showing: state).encoded(),
                    to: DeviceToken(hex: token.hex), bundleID: bundleID,
                    priority: push.priority == .high ? .high : .low,
                    expiration: push.expiration.seconds, id: id))
        case .channel(let channel):
            return .broadcast(
                try BroadcastRequest(
                    Self.broadcast(of: push, showing: state),
                    on: BroadcastChannel(
                        id: ChannelID(base64: channel.rawValue), policy: Self.channelPolicy),
                    bundleID: bundleID, priority: push.priority == .high ? .high : .low,
                    storage: .mostRecent(until: push.timestamp + Self.broadcastKeptSeconds),
                    id: id))
        }
    }

    private func payload(
        of push: PlannedPush, showing state: ContentState
    ) -> LiveActivityPayload<ContentState> {
        let alert = push.alert.map { LiveActivityAlert($0) }
        switch push.event {
        case .update:
            return .update(
                at: push.timestamp, state: state, alert: alert,
                staleDate: push.staleDate?.seconds, relevanceScore: Double(push.relevanceScore))
        case .end(let dismissalDate):
            return .end(
                at: push.timestamp, finalState: state, alert: alert,
                dismissalDate: dismissalDate.seconds)
        case .start(let start):
            return Self.payload(of: start, in: push, showing: state)
        }
    }

    /// A start: the hero as attributes, the content as it is now, an alert, and a stale date. It
    /// asks for a push token where the system knows the key.
    private static func payload(
        of start: PlannedStart, in push: PlannedPush, showing state: ContentState
    ) -> LiveActivityPayload<ContentState> {
        let alert = push.alert ?? StartReason.adventureBegins.alert(for: start.hero.tag)
        return .start(
            at: push.timestamp, attributesType: AdventureAttributes.typeName,
            attributes: AdventureAttributes(of: start.hero), state: state,
            alert: LiveActivityAlert(alert), staleDate: push.staleDate?.seconds,
            relevanceScore: Double(push.relevanceScore),
            input: start.asksForPushToken ? .token : nil)
    }

    /// The same content as a device would get, for everybody who listens; spectators hear no alert.
    private static func broadcast(
        of push: PlannedPush, showing state: ContentState
    ) -> BroadcastPayload<ContentState> {
        switch push.event {
        case .end(let dismissalDate):
            .end(at: push.timestamp, finalState: state, dismissalDate: dismissalDate.seconds)
        case .update, .start:
            .update(
                at: push.timestamp, state: state, staleDate: push.staleDate?.seconds,
                relevanceScore: Double(push.relevanceScore))
        }
    }
}

/// What was put into words for one party: its activities mostly say the same.
struct SaidWords {
    private var said: [(phrase: Phrase, language: Language, text: String)] = []

    mutating func text(_ phrase: Phrase, in language: Language, by words: Words) -> String {
        for known in said where known.language == language && known.phrase == phrase {
            return known.text
        }
        let text = words.text(phrase, in: language)
        said.append((phrase, language, text))
        return text
    }
}

// The fast way to write them; a test shows that it gives what a default `JSONEncoder` gives.
extension ContentState: LiveActivityContent {
    package func write(to json: inout JSONFields) {
        json.field("currentHealthLevel", currentHealthLevel)
        json.field("eventDescription", eventDescription)
    }
}

extension AdventureAttributes: LiveActivityContent {
    package func write(to json: inout JSONFields) {
        json.object("hero") { json in
            json.field("name", hero.name)
            json.field("avatar", hero.avatar)
            json.field("healthLevel", hero.healthLevel)
            json.field("heroType", hero.heroType)
            json.field("healthRecoveryRatePerHour", hero.healthRecoveryRatePerHour)
            json.field("url", hero.url)
            json.field("battleCode", hero.battleCode)
            json.field("level", hero.level)
            json.field("exp", hero.exp)
            json.field("bio", hero.bio)
        }
    }
}

extension LiveActivityAlert {
    init(_ alert: Alert) {
        self.init(
            title: .localized(key: alert.titleKey, arguments: alert.titleArguments),
            body: .localized(key: alert.bodyKey, arguments: alert.bodyArguments),
            sound: alert.sound)
    }
}
