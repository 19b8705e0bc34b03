// What an outbox is made of. All of it is stored, as parts of the outbox's `Snapshot`.

extension ActivityOutbox {
    /// Content that the phone has not seen, and how it must go.
    package struct Due: Hashable, Sendable {
        package var card: Card
        /// The party's version at which the content came to be.
        package var version: Int64
        /// When the oldest event behind it was committed.
        package var since: WallTime
        package var priority: PushPriority
        package var relevance: Int
        package var expirationSeconds: Int64

        package init(
            card: Card, version: Int64, since: WallTime, priority: PushPriority, relevance: Int,
            expirationSeconds: Int64
        ) {
            self.card = card
            self.version = version
            self.since = since
            self.priority = priority
            self.relevance = relevance
            self.expirationSeconds = expirationSeconds
        }
    }

    /// An alert that has not been heard.
    package struct PendingAlert: Hashable, Sendable {
        package let alert: Alert
        /// The event that it tells of.
        package let sequence: Int
        package let at: WallTime

        package init(alert: Alert, sequence: Int, at: WallTime) {
            self.alert = alert
            self.sequence = sequence
            self.at = at
        }
    }

    /// A push that is authorised and has no outcome yet.
    package struct InFlightPush: Hashable, Sendable {
        package let timestamp: Int64
        package let content: Due
        package let form: Form
        package let alertSequence: Int?
        package let tokenRegisteredAt: WallTime
        /// Sent to a token or in a language that the client has changed since.
        package var isOutdated: Bool

        package init(
            timestamp: Int64, content: Due, form: Form, alertSequence: Int?,
            tokenRegisteredAt: WallTime, isOutdated: Bool = false
        ) {
            self.timestamp = timestamp
            self.content = content
            self.form = form
            self.alertSequence = alertSequence
            self.tokenRegisteredAt = tokenRegisteredAt
            self.isOutdated = isOutdated
        }
    }

    package enum Form: Hashable, Sendable, CaseIterable {
        case update, end
    }

    /// What the phone shows, and the party's version at which it came to be.
    package struct Shown: Hashable, Sendable {
        package let card: Card
        package let version: Int64

        package init(card: Card, version: Int64) {
            self.card = card
            self.version = version
        }
    }

    /// Content that Apple did not take: not again before `until` (promise R8), or never.
    package struct Refusal: Hashable, Sendable {
        package let card: Card
        package let form: Form
        package let until: WallTime?

        package init(card: Card, form: Form, until: WallTime?) {
            self.card = card
            self.form = form
            self.until = until
        }
    }

    /// How far an activity has rolled over to a new one.
    package enum RollOver: Hashable, Sendable, CaseIterable {
        /// A new activity may follow.
        case begun
        /// It has: the old one leaves at once.
        case done
    }

    /// For whom content is written: when it changes, the content must go out again.
    package struct Audience: Hashable, Sendable {
        package let tokenRegisteredAt: WallTime
        package let language: Language

        package init(tokenRegisteredAt: WallTime, language: Language) {
            self.tokenRegisteredAt = tokenRegisteredAt
            self.language = language
        }
    }
}

extension ActivityOutbox.PendingAlert {
    func isStale(at now: WallTime) -> Bool {
        now.milliseconds - at.milliseconds > ActivityOutbox.alertAgeMax
    }
}

extension ActivityOutbox.InFlightPush {
    var outdated: Self {
        var same = self
        same.isOutdated = true
        return same
    }
}

extension ActivityOutbox.Due {
    /// Content that nobody is waiting for: the first one, or one for a new token.
    static func unurgent(_ card: Card, version: Int64, since: WallTime) -> Self {
        Self(
            card: card, version: version, since: since, priority: .low,
            relevance: Relevance.ordinary, expirationSeconds: Rule.Expiration.brief)
    }

    /// The activity's last words.
    static func last(_ card: Card, version: Int64, since: WallTime) -> Self {
        Self(
            card: card, version: version, since: since, priority: .high,
            relevance: Relevance.idle, expirationSeconds: Rule.Expiration.end)
    }

    /// Goes as the table says of an event, and as urgently as what it carries already.
    mutating func follow(_ effect: ActivityOutbox.Effect, on recipient: Recipient) {
        relevance = effect.relevance
        priority = max(priority, min(effect.priority, recipient.highestPriority))
        expirationSeconds = max(expirationSeconds, effect.expirationSeconds)
    }

    /// Takes on the urgency of what it replaces: the newest content, with the highest priority.
    func replacing(_ older: Self?) -> Self {
        guard let older else { return self }
        var merged = self
        if older.card == card { merged.version = older.version }
        merged.since = min(older.since, since)
        merged.priority = max(older.priority, priority)
        merged.expirationSeconds = max(older.expirationSeconds, expirationSeconds)
        return merged
    }
}
