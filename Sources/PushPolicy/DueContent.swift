internal import GameLogic

/// Content that the device has not received, and how to send it.
package struct DueContent: Hashable, Sendable {
    package var content: LocalizableContent
    /// What the content's sentence tells.
    package var news: News.Mark
    /// The party's version that created the content.
    package var version: Int64
    /// When the oldest event behind it was committed.
    package var since: WallTime
    /// When the oldest of these events was committed that cannot wait for a gap; `nil`: all can.
    package var urgentSince: WallTime?
    package var priority: PushPriority { urgentSince == nil ? .low : .high }
    package var relevance: Int
    package var expirationSeconds: Int64

    package init(
        content: LocalizableContent, news: News.Mark = .none, version: Int64, since: WallTime,
        urgentSince: WallTime?, relevance: Int, expirationSeconds: Int64
    ) {
        self.content = content
        self.news = news
        self.version = version
        self.since = since
        self.urgentSince = urgentSince
        self.relevance = relevance
        self.expirationSeconds = expirationSeconds
    }
}

extension DueContent {
    /// Returns content of low priority: the first one, or one for a new token.
    static func lowPriority(
        _ content: LocalizableContent, telling news: News.Mark, version: Int64, since: WallTime
    ) -> Self {
        Self(
            content: content, news: news, version: version, since: since, urgentSince: nil,
            relevance: Relevance.ordinary, expirationSeconds: Rule.Expiration.brief)
    }

    /// Returns the activity's last content, in place of what is due.
    static func last(
        _ content: LocalizableContent, version: Int64, at now: WallTime, replacing due: Self?
    ) -> Self {
        Self(
            content: content, version: version, since: min(due?.since ?? now, now),
            urgentSince: min(due?.urgentSince ?? now, now), relevance: Relevance.idle,
            expirationSeconds: Rule.Expiration.end)
    }

    /// Applies the policy of an event, at no lower priority than before.
    mutating func follow(
        _ effect: PolicyStep.Effect, on card: Card, in current: CurrentParty
    ) {
        relevance = effect.relevance
        if effect.priority(on: card, in: current) == .high { urgentSince = urgentSince ?? since }
        expirationSeconds = max(expirationSeconds, effect.expirationSeconds)
    }

    /// Returns the newest content with the higher priority of the two.
    func replacing(_ older: Self?) -> Self {
        guard let older else { return self }
        var merged = self
        if older.content == content { merged.version = older.version }
        merged.since = min(older.since, since)
        if let urgent = older.urgentSince {
            merged.urgentSince = min(urgent, urgentSince ?? urgent)
        }
        merged.expirationSeconds = max(older.expirationSeconds, expirationSeconds)
        return merged
    }
}
