internal import GameLogic

/// Content that the device has not received, and how to send it.
package struct DueContent: Hashable, Sendable {
    package var content: LocalizableContent
    /// The party's version that created the content.
    package var version: Int64
    /// When the oldest event behind it was committed.
    package var since: WallTime
    package var priority: PushPriority
    package var relevance: Int
    package var expirationSeconds: Int64

    package init(
        content: LocalizableContent, version: Int64, since: WallTime, priority: PushPriority,
        relevance: Int,
        expirationSeconds: Int64
    ) {
        self.content = content
        self.version = version
        self.since = since
        self.priority = priority
        self.relevance = relevance
        self.expirationSeconds = expirationSeconds
    }
}

extension DueContent {
    /// Returns content of low priority: the first one, or one for a new token.
    static func lowPriority(_ content: LocalizableContent, version: Int64, since: WallTime) -> Self
    {
        Self(
            content: content, version: version, since: since, priority: .low,
            relevance: Relevance.ordinary, expirationSeconds: Rule.Expiration.brief)
    }

    /// Returns the activity's last content.
    static func last(_ content: LocalizableContent, version: Int64, since: WallTime) -> Self {
        Self(
            content: content, version: version, since: since, priority: .high,
            relevance: Relevance.idle, expirationSeconds: Rule.Expiration.end)
    }

    /// Applies the policy of an event, at no lower priority than before.
    mutating func follow(
        _ effect: PolicyStep.Effect, on card: Card, in current: CurrentParty
    ) {
        relevance = effect.relevance
        priority = max(priority, effect.priority(on: card, in: current))
        expirationSeconds = max(expirationSeconds, effect.expirationSeconds)
    }

    /// Returns the newest content with the higher priority of the two.
    func replacing(_ older: Self?) -> Self {
        guard let older else { return self }
        var merged = self
        if older.content == content { merged.version = older.version }
        merged.since = min(older.since, since)
        merged.priority = max(older.priority, priority)
        merged.expirationSeconds = max(older.expirationSeconds, expirationSeconds)
        return merged
    }
}
