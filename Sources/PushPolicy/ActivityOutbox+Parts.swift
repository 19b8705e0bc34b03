// The parts of an outbox. All of them are stored, as parts of its `Snapshot`.

extension ActivityOutbox {
    /// Content that the device has not received, and how to send it.
    package struct Due: Hashable, Sendable {
        package var card: Card
        /// The party's version that created the content.
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

    /// An alert that has not been delivered.
    package struct PendingAlert: Hashable, Sendable {
        package let alert: Alert
        /// The event that it reports.
        package let sequence: Int
        package let at: WallTime

        package init(alert: Alert, sequence: Int, at: WallTime) {
            self.alert = alert
            self.sequence = sequence
            self.at = at
        }
    }

    /// A push that was handed to the client and has no outcome yet.
    package struct InFlightPush: Hashable, Sendable {
        package let timestamp: Int64
        package let content: Due
        package let form: Form
        package let alertSequence: Int?
        package let tokenRegisteredAt: WallTime
        /// Whether the client has since changed the token or the language of the push.
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

    /// What the device shows, and the party's version that created it.
    package struct Shown: Hashable, Sendable {
        package let card: Card
        package let version: Int64

        package init(card: Card, version: Int64) {
            self.card = card
            self.version = version
        }
    }

    /// Content that Apple refused: to send again only after `until` (promise PR8), or never.
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
        /// A new activity has followed; the old one is dismissed at once.
        case done
    }

    /// Whom content is written for. When it changes, the content must be sent again.
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
    /// Returns content without urgency: the first one, or one for a new token.
    static func unurgent(_ card: Card, version: Int64, since: WallTime) -> Self {
        Self(
            card: card, version: version, since: since, priority: .low,
            relevance: Relevance.ordinary, expirationSeconds: Rule.Expiration.brief)
    }

    /// Returns the activity's last content.
    static func last(_ card: Card, version: Int64, since: WallTime) -> Self {
        Self(
            card: card, version: version, since: since, priority: .high,
            relevance: Relevance.idle, expirationSeconds: Rule.Expiration.end)
    }

    /// Applies the policy of an event, at no lower urgency than before.
    mutating func follow(_ effect: ActivityOutbox.Effect, on recipient: Recipient) {
        relevance = effect.relevance
        priority = max(priority, min(effect.priority, recipient.highestPriority))
        expirationSeconds = max(expirationSeconds, effect.expirationSeconds)
    }

    /// Returns the newest content with the higher priority of the two.
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
