internal import GameLogic

/// Noting what happened: from events to what is due.
extension ActivityOutbox {
    /// What all activities of a party learn at once.
    struct Step {
        let events: [PartyEvent]
        let party: Party
        let version: Int64
        let now: WallTime
        /// What the newest event says to all of them, unless each says it of its own hero.
        private let phrase: Phrase?

        init(events: [PartyEvent], party: Party, version: Int64, now: WallTime) {
            self.events = events
            self.party = party
            self.version = version
            self.now = now
            phrase = party.lastEvent.flatMap { Policy.phraseForAll(of: $0.kind) }
        }

        /// What the hero's activity should show, as things stand; `nil` for strangers.
        func card(of hero: HeroID) -> Card? {
            guard let phrase else { return Card(of: hero, in: party) }
            return party.members.first { $0.hero.id == hero }
                .map { Card(health: $0.health, phrase: phrase) }
        }
    }

    /// What a step does to the content.
    struct Change {
        let card: Card
        /// The event that ends the activity.
        let end: Int?
        /// How many of the events concern the activity: none after its end.
        let count: Int
    }

    /// Notes the step, and adds one decision for each of its events, in their order.
    mutating func note(
        _ step: Step, for registration: ActivityRegistration, into decisions: inout [Decision]
    ) {
        closeIfGone(registration, at: step.now)
        let recipient = registration.recipient
        if let reason = reasonToDrop(registration) {
            drop(step.events[...], on: recipient, because: reason, into: &decisions)
            return
        }
        guard let change = change(by: step) else {
            drop(step.events[...], on: recipient, because: .heroIsElsewhere, into: &decisions)
            return
        }
        let wasDue = due != nil
        apply(change, by: step, on: recipient)
        forgetMootAlert(in: step.party, at: step.now)
        let events = step.events[..<change.count]
        let alerted = noteAlert(of: events, by: step, on: recipient)
        let reasons = Reasons(
            recipient: recipient, alerted: alerted, end: change.end, wasDue: wasDue,
            isContentNew: due != nil || ending != nil,
            hold: reasonToHold(registration, at: step.now),
            hasBudget: budget.left(.of(registration), at: step.now) > 0)
        for index in events.indices {
            decisions.append(decide(events[index], at: index, for: reasons))
        }
        drop(step.events[change.count...], on: recipient, because: .hasEnded, into: &decisions)
    }

    /// Notes that the client has another token or language: the content is due again.
    mutating func refresh(
        for registration: ActivityRegistration, party: Party, version: Int64, now: WallTime
    ) {
        let audience = Audience(
            tokenRegisteredAt: registration.tokenRegisteredAt, language: registration.language)
        guard audience != self.audience, !isEnded else { return }
        let isKnown = newestCard != nil
        address(audience)
        guard !isEnding, isKnown || party.adventure != nil else { return }
        guard let card = Card(of: hero, in: party) else { return }
        var again = Due.unurgent(card, version: version, since: now).replacing(due)
        again.version = version
        owe(again)
    }

    /// The first content of an activity that came in the middle of an adventure, or just after
    /// it: what the app gave it at its start is not known here.
    mutating func showAtFirst(_ party: Party, version: Int64, now: WallTime) {
        guard newestCard == nil, party.adventure != nil, !isEnded else { return }
        guard let card = Card(of: hero, in: party) else { return }
        owe(.unurgent(card, version: version, since: now))
    }
}

extension ActivityOutbox {
    private func change(by step: Step) -> Change? {
        let end = step.events.firstIndex { ends($0.kind) }
        guard let end else {
            return step.card(of: hero).map {
                Change(card: $0, end: nil, count: step.events.count)
            }
        }
        let kind = step.events[end].kind
        let member = step.party.member(hero)
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

    private mutating func apply(_ change: Change, by step: Step, on recipient: Recipient) {
        guard change.end == nil else {
            let since = min(due?.since ?? step.now, step.now)
            end(with: .last(change.card, version: step.version, since: since))
            return
        }
        guard !isRedundant(change.card) else {
            owe(nil)
            return
        }
        // Nothing has happened yet that the app did not tell the activity at its start.
        let isWaiting = newestCard == nil && step.party.adventure == nil
        if step.events.isEmpty && isWaiting { return }
        var newest = Due.unurgent(change.card, version: step.version, since: step.now)
        for event in step.events { newest.follow(Policy.rule(for: event.kind, on: recipient)) }
        owe(newest.replacing(due))
    }

    /// The phone shows this content already (rule L13), or Apple will never take it.
    private func isRedundant(_ card: Card) -> Bool {
        if card == expectedCard { return true }
        guard let refused, refused.until == nil, refused.form == .update else { return false }
        return !isInFlight && refused.card == card
    }

    /// Alerts of the newest fall, unless help came with the same events, or the end. A fall before
    /// it that was not heard is over: there has been a rescue in between.
    private mutating func noteAlert(
        of events: ArraySlice<PartyEvent>, by step: Step, on recipient: Recipient
    ) -> Int? {
        guard !isEnding, isDown(in: step.party) else { return nil }
        for index in events.indices.reversed() {
            let rule = Policy.rule(for: events[index].kind, on: recipient)
            guard let alert = rule.alert(onCardOf: hero) else { continue }
            remember(PendingAlert(alert: alert, sequence: events[index].sequence, at: step.now))
            return index
        }
        return nil
    }
}
