internal import GameLogic

/// Noting what happened: from events to what is due, and to decisions.
extension ActivityOutbox {
    /// What all activities of a party learn at once.
    struct News {
        let events: [PartyEvent]
        let party: Party
        let version: Int64
        let now: WallTime
    }

    /// Notes the events; returns one decision for each, in their order.
    mutating func note(_ news: News, for registration: ActivityRegistration) -> [Decision] {
        closeIfGone(registration, at: news.now)
        let recipient = registration.recipient
        if let reason = reasonToDrop(registration) {
            return drop(news.events, on: recipient, because: reason)
        }
        guard let change = change(by: news) else {
            return drop(news.events, on: recipient, because: .heroIsElsewhere)
        }
        let wasDue = due != nil
        apply(change, by: news, on: recipient)
        forgetMootAlert(in: news.party, at: news.now)
        let heard = queueAlert(of: news.events[..<change.count], by: news, on: recipient)
        let context = Context(
            recipient: recipient, heard: heard, wasDue: wasDue,
            isCardNew: due != nil || ending != nil,
            end: change.end, hold: reasonToHold(registration, at: news.now),
            hasBudget: budget.left(.of(registration), at: news.now) > 0)
        let decisions = news.events[..<change.count].enumerated().map { index, event in
            decide(event, at: index, in: context)
        }
        return decisions
            + drop(Array(news.events[change.count...]), on: recipient, because: .hasEnded)
    }

    /// Notes that the client has another token or language: the card is due again.
    mutating func refresh(
        for registration: ActivityRegistration, party: Party, version: Int64, now: WallTime
    ) {
        let audience = Audience(
            tokenRegisteredAt: registration.tokenRegisteredAt, language: registration.language)
        guard audience != self.audience, !isEnded else { return }
        let isKnown = newestCard != nil
        self.audience = audience
        accepted = nil
        refused = nil
        inFlight?.isOutdated = true
        guard ending == nil else { return }
        guard isKnown || party.adventure != nil, let card = Card(of: hero, in: party) else {
            return
        }
        var again = Due.quiet(card, version: version, since: now).replacing(due)
        again.version = version
        due = again
    }

    /// The first card of an activity that came in the middle of an adventure, or just after it:
    /// what the app gave it at its start is not known here.
    mutating func showAtFirst(_ party: Party, version: Int64, now: WallTime) {
        guard newestCard == nil, party.adventure != nil, !isEnded else { return }
        guard let card = Card(of: hero, in: party) else { return }
        due = .quiet(card, version: version, since: now)
    }
}

extension ActivityOutbox {
    /// What a batch of events does to the card.
    private struct Change {
        let card: Card
        /// The event that ends the card.
        let end: Int?
        /// How many of the events concern the card: none after its end.
        let count: Int
    }

    /// What one event's decision depends on.
    private struct Context {
        let recipient: Recipient
        /// The event whose alert was queued.
        let heard: Int?
        let wasDue: Bool
        let isCardNew: Bool
        let end: Int?
        let hold: Decision.Notes
        let hasBudget: Bool
    }

    private func change(by news: News) -> Change? {
        let end = news.events.firstIndex { ends($0.kind) }
        guard let end else {
            return Card(of: hero, in: news.party).map {
                Change(card: $0, end: nil, count: news.events.count)
            }
        }
        let kind = news.events[end].kind
        let member = news.party.member(hero)
        guard let tag = member?.hero.tag ?? tagOfLeaver(kind) else { return nil }
        let health = member?.health ?? newestCard?.health ?? .full
        let card = Card(health: health, phrase: Policy.phrase(for: kind, onCardOf: tag))
        return Change(card: card, end: end, count: end + 1)
    }

    private func ends(_ kind: PartyEvent.Kind) -> Bool {
        if case .adventureOver = kind { return true }
        return tagOfLeaver(kind) != nil
    }

    private func tagOfLeaver(_ kind: PartyEvent.Kind) -> HeroTag? {
        guard case .heroLeft(let tag) = kind, tag.id == hero else { return nil }
        return tag
    }

    private mutating func apply(_ change: Change, by news: News, on recipient: Recipient) {
        guard change.end != nil || !isRedundant(change.card) else {
            due = nil
            return
        }
        // Nothing has happened yet that the app did not tell the card at its start.
        let isWaiting = newestCard == nil && news.party.adventure == nil
        if news.events.isEmpty && isWaiting { return }
        let rules = news.events[..<change.count].map { Policy.rule(for: $0.kind, on: recipient) }
        var newest = Due.quiet(change.card, version: news.version, since: news.now)
        for rule in rules {
            newest = Due(
                card: change.card, version: news.version, since: news.now, rule: rule
            ).replacing(newest)
        }
        if change.end == nil {
            due = newest.replacing(due)
        } else {
            let since = due?.since ?? news.now
            due = nil
            ending = .ending(change.card, version: news.version, since: min(since, news.now))
        }
    }

    /// The phone shows this card already (rule L13), or Apple will never take it.
    private func isRedundant(_ card: Card) -> Bool {
        if card == expectedCard { return true }
        guard let refused, refused.until == nil, refused.form == .update else { return false }
        return inFlight == nil && refused.card == card
    }

    /// Calls for help for the newest fall, unless help came with the same events, or the end. A
    /// fall before it that was not heard is over: there has been a rescue in between.
    private mutating func queueAlert(
        of events: ArraySlice<PartyEvent>, by news: News, on recipient: Recipient
    ) -> Int? {
        guard ending == nil, isDown(in: news.party) else { return nil }
        for (index, event) in events.enumerated().reversed() {
            let rule = Policy.rule(for: event.kind, on: recipient)
            guard let alert = rule.alert(onCardOf: hero) else { continue }
            self.alert = PendingAlert(alert: alert, sequence: event.sequence, at: news.now)
            return index
        }
        return nil
    }

    private func decide(_ event: PartyEvent, at index: Int, in context: Context) -> Decision {
        let rule = Policy.rule(for: event.kind, on: context.recipient)
        let isUrgent = context.heard == index || context.end == index
        let isDegraded = rule.priority == .high && !isUrgent && !context.hasBudget
        var notes = context.recipient.note.union(reasonToMute(rule, at: index, in: context))
        let disposition: Decision.Disposition
        if !isUrgent, !context.isCardNew {
            disposition = .dropped
            notes.insert(.unchanged)
        } else if !context.hold.isEmpty {
            disposition = .deferred
            notes.formUnion(context.hold)
        } else {
            disposition = isUrgent || isFirst(index, in: context) ? .sent : .merged
        }
        if context.end == index { notes.insert(.ends) }
        if isDegraded, disposition != .dropped { notes.insert(.overBudget) }
        return Decision(
            sequence: event.sequence, activity: activity, disposition: disposition,
            priority: isUrgent
                ? context.recipient.highestPriority : isDegraded ? .low : rule.priority,
            carriesAlert: context.heard == index, notes: notes)
    }

    private func reasonToMute(
        _ rule: Rule, at index: Int, in context: Context
    ) -> Decision.Notes {
        guard rule.alerts(ownerOf: hero), context.heard != index else { return [] }
        return context.end == nil ? .mutedByRescue : .mutedByEnd
    }

    /// Whether a push became due for this event, and for none of the others before it.
    private func isFirst(_ index: Int, in context: Context) -> Bool {
        index == 0 && !context.wasDue && context.heard == nil && context.end == nil
    }

    private func drop(
        _ events: [PartyEvent], on recipient: Recipient, because reason: Decision.Notes
    ) -> [Decision] {
        events.map { event in
            Decision(
                sequence: event.sequence, activity: activity, disposition: .dropped,
                priority: Policy.rule(for: event.kind, on: recipient).priority,
                carriesAlert: false, notes: recipient.note.union(reason))
        }
    }
}

extension ActivityOutbox {
    /// A card that was swiped away, or that has outlived its token, needs nothing any more.
    private mutating func closeIfGone(_ registration: ActivityRegistration, at now: WallTime) {
        guard !isEnded else { return }
        let isLost = now >= tooOldAt && !hasLivingToken(registration)
        if isLost || !registration.state.isLiving { close() }
    }

    private func reasonToDrop(_ registration: ActivityRegistration) -> Decision.Notes? {
        guard registration.state.isLiving else { return .isGone }
        return ending != nil || isEnded ? .hasEnded : nil
    }

    /// Why nothing may leave now, whatever it is; no note: it may.
    private func reasonToHold(
        _ registration: ActivityRegistration, at now: WallTime
    ) -> Decision.Notes {
        if registration.target == nil { return .waitsForToken }
        if !hasLivingToken(registration) { return .waitsForNewToken }
        if let pausedUntil, pausedUntil > now { return .waitsForPause }
        if clockAllowsAt > now { return .waitsForClock }
        guard let due, let refused, due.card == refused.card, let until = refused.until else {
            return []
        }
        return until > now ? .waitsForRetry : []
    }

    /// Whether pushes may go to the registration's token.
    func hasLivingToken(_ registration: ActivityRegistration) -> Bool {
        registration.target != nil && registration.tokenRegisteredAt != deadTokenAt
    }

    /// When the next timestamp leads the clock no more than it may.
    var clockAllowsAt: WallTime {
        WallTime(milliseconds: (lastTimestamp + 1 - Self.leadMax) * 1000)
    }
}

extension ActivityOutbox.Due {
    /// The card's last words.
    static func ending(_ card: Card, version: Int64, since: WallTime) -> Self {
        Self(
            card: card, version: version, since: since, priority: .high,
            relevance: Relevance.idle, expirationSeconds: Rule.Expiration.end)
    }
}

extension ActivityState {
    /// Whether the card is still there to be updated (rule L11).
    var isLiving: Bool {
        switch self {
        case .pending, .active, .stale: true
        case .ended, .dismissed: false
        }
    }
}

extension Recipient {
    /// What tells the decisions for a crowd from a player's.
    fileprivate var note: Decision.Notes {
        switch self {
        case .player: []
        case .spectator: .forSpectators
        }
    }
}
