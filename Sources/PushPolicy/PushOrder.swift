/// `apns-priority` (rule R5).
package enum PushPriority: Int, Hashable, Comparable, Codable, Sendable {
    case low = 5
    case high = 10

    package static func < (left: PushPriority, right: PushPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// An alert by the device's own localisation (rule Q11).
package struct Alert: Hashable, Codable, Sendable {
    package let titleKey: String
    package let titleArguments: [String]
    package let bodyKey: String
    package let bodyArguments: [String]
    /// A file of the app's bundle, or "default" (rule P5); `nil`: none.
    package let sound: String?

    package init(
        titleKey: String, titleArguments: [String], bodyKey: String, bodyArguments: [String],
        sound: String?
    ) {
        self.titleKey = titleKey
        self.titleArguments = titleArguments
        self.bodyKey = bodyKey
        self.bodyArguments = bodyArguments
        self.sound = sound
    }
}

/// One push that may leave now: its timestamp is in the committed row already.
package struct PushOrder: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        case update
        case end(dismissalDate: WallTime)
    }

    package let activity: ActivityID
    package let event: Event
    package let card: Card
    package let alert: Alert?
    package let priority: PushPriority
    /// Seconds since 1970, strictly increasing for the activity (rule P1).
    package let timestamp: Int64
    package let staleDate: WallTime?
    package let relevanceScore: Int
    /// When APNs may stop trying.
    package let expiration: WallTime
    /// The party's version at which this card became due: the same content has the same number.
    package let cardVersion: Int64
    /// When the oldest event that this push carries was committed: the latency's beginning.
    package let dueSince: WallTime
    /// The event that the alert tells of: two alerts may go with the same card.
    package let alertSequence: Int?

    package init(
        activity: ActivityID, event: Event, card: Card, alert: Alert?, priority: PushPriority,
        timestamp: Int64, staleDate: WallTime?, relevanceScore: Int, expiration: WallTime,
        cardVersion: Int64, dueSince: WallTime, alertSequence: Int? = nil
    ) {
        self.activity = activity
        self.event = event
        self.card = card
        self.alert = alert
        self.priority = priority
        self.timestamp = timestamp
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
        self.expiration = expiration
        self.cardVersion = cardVersion
        self.dueSince = dueSince
        self.alertSequence = alertSequence
    }

    /// The same for the same content: what is sent twice can be counted (promise R4).
    package var contentName: String {
        let form =
            switch event {
            case .update: "update"
            case .end: "end"
            }
        let alert = alertSequence.map { "/alert/\($0)" } ?? ""
        return "\(activity)/\(form)/\(cardVersion)\(alert)"
    }
}

/// What became of a push, as far as the policy cares.
package enum PushResult: Hashable, Sendable {
    case accepted
    /// Apple calls the token dead: nothing more goes to this activity until it has a new one.
    case tokenIsDead
    /// Refused for good: this content will not be sent again, newer content may.
    case rejected
    /// Whether Apple took it is not known: the newest state is due again.
    case unknown
    /// This device (or Apple) wants a pause: nothing, not even newer content, before `at`.
    case pause(until: WallTime)
    /// Apple failed: the same content not before `at`; newer content may go at once.
    case retry(notBefore: WallTime)
}

/// What was decided of one event for one activity: a row of the ledger (B7).
package struct Decision: Hashable, Codable, Sendable {
    package enum Verdict: String, Hashable, Codable, Sendable, CaseIterable {
        /// A push became due for it.
        case sent
        /// It rides on a push that was due already.
        case merged
        /// It waits: for a token, for the budget, for the clock.
        case deferred
        /// It will not be sent.
        case dropped
    }

    package let sequence: Int
    package let activity: ActivityID
    package let verdict: Verdict
    package let priority: PushPriority
    package let carriesAlert: Bool
    /// The rule that decided, in words: "common loot is low priority".
    package let rule: String

    package init(
        sequence: Int, activity: ActivityID, verdict: Verdict, priority: PushPriority,
        carriesAlert: Bool, rule: String
    ) {
        self.sequence = sequence
        self.activity = activity
        self.verdict = verdict
        self.priority = priority
        self.carriesAlert = carriesAlert
        self.rule = rule
    }
}
