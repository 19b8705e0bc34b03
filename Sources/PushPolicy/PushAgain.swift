package import GameLogic

/// What a push of the past showed, made again from the party as its change left it.
///
/// The journal has that a push went and which event it told, but not its content. An outbox makes
/// the content in the very change that sends it, from the party's state after the change: so the
/// replayed party gives the same. Only the content of an end is older.
package struct PushAgain: Sendable {
    private let party: Party
    private let current: CurrentParty
    private let events: [PartyEvent]
    /// The newest events up to the change, without gaps.
    private let recent: [PartyEvent]
    private let now: WallTime
    /// The wall clock minus `now`, in milliseconds.
    private let wallOffset: Int64

    /// - Parameters:
    ///   - party: The party after the change.
    ///   - events: The change's events.
    ///   - recent: The newest events up to the change, without gaps: pushes may tell one of them.
    ///   - clock: The adventure's, after the change.
    ///   - pausedUntil: The end of a pause of the adventure.
    ///   - now: When the change was committed.
    ///   - wallOffset: The wall clock minus `now`, in milliseconds.
    package init(
        after party: Party, events: [PartyEvent], recent: [PartyEvent],
        clock: (any AdventureClock)?,
        pausedUntil: WallTime?, now: WallTime, wallOffset: Int64
    ) {
        self.party = party
        current = CurrentParty(of: party, pausedUntil: pausedUntil, clock: clock, detailed: true)
        self.events = events
        self.recent = recent
        self.now = now
        self.wallOffset = wallOffset
    }

    /// A push of the journal, and what its outbox knew.
    package struct Sent {
        package let timestamp: Int64
        /// The number of the event that it told; 0: none.
        package let tells: Int
        package let priority: PushPriority
        package let alert: Alert?
        package let alertSequence: Int?
        /// The party's version that created the content.
        package let contentVersion: Int64
        package let times: PlannedPush.Times
        package let payment: PushBudget.Payment?

        package init(
            timestamp: Int64, tells: Int = 0, priority: PushPriority, alert: Alert?,
            alertSequence: Int?, contentVersion: Int64, times: PlannedPush.Times,
            payment: PushBudget.Payment?
        ) {
            self.timestamp = timestamp
            self.tells = tells
            self.priority = priority
            self.alert = alert
            self.alertSequence = alertSequence
            self.contentVersion = contentVersion
            self.times = times
            self.payment = payment
        }
    }
}

// MARK: Contents

extension PushAgain {
    /// The number of the party's newest event after the change.
    package var newestEvent: Int { party.nextSequence - 1 }

    package var isOnAdventure: Bool { current.isOnAdventure }

    /// What a card told.
    package struct Told: Sendable {
        /// The number of the event; 0: none, as with a state that lasts.
        package let sequence: Int
        /// Its sentence, where the event itself is not known any more.
        package let text: LocalizableText?

        package init(_ sequence: Int, _ text: LocalizableText?) {
            self.sequence = sequence
            self.text = text
        }
    }

    /// Returns what the card that tells this should show now; `nil`: its hero is elsewhere, or nothing
    /// has happened.
    package func content(
        for card: ActivityRegistration, telling told: Told
    ) -> LocalizableContent? {
        let card = Card(of: card.hero, card, in: current)
        guard let text = current.sentence(on: card) ?? text(on: card, telling: told) else {
            return nil
        }
        return current.content(on: card, saying: text)
    }

    private func text(on card: Card, telling told: Told) -> LocalizableText? {
        let newest = current.news(on: card)
        if told.sequence == 0, current.isDown(card.hero) || newest?.mark.sequence == 0 {
            return newest?.text
        }
        let place = told.sequence - (recent.first?.sequence ?? 0)
        guard told.sequence > 0, recent.indices.contains(place) else {
            return told.text ?? newest?.text
        }
        return current.text(of: recent[place], on: card)
    }

    /// Returns what the card that tells this shows last, ended by this event or, without one, as it
    /// is now.
    package func lastContent(
        for card: ActivityRegistration, endedBy event: PartyEvent?, telling told: Told,
        newest: LocalizableContent?
    ) -> LocalizableContent {
        let member = current.index(of: card.hero).map { current.members[$0] }
        guard let event,
            let tag = member?.hero.tag ?? event.kind.heroes.first(where: { $0.id == card.hero })
        else {
            let text = text(on: Card(of: card.hero), telling: told)
            return LocalizableContent(
                health: member?.health ?? newest?.health ?? .full,
                text: text ?? newest?.text ?? EventTexts.last)
        }
        return LocalizableContent(
            health: member?.health ?? newest?.health ?? .full,
            text: EventTexts.text(
                for: event, onActivityOf: tag, member?.condition ?? .standing))
    }
}

// MARK: Pushes

extension PushAgain {
    /// Returns the update, or the end, that showed this content.
    package func push(
        _ form: InFlightPush.Form, _ sent: Sent, to card: ActivityRegistration,
        showing content: LocalizableContent
    ) -> PlannedPush {
        let shown = Card(of: card.hero, card, in: current)
        let stale = form == .end ? nil : StalePlanner.staleDate(on: shown, in: current, at: now)
        return PlannedPush(
            event: form == .end ? .end(dismissalDate: dismissalDate) : .update,
            recipient: .activity(card.id), target: card.target ?? .device(PushToken(hex: "")),
            environment: card.environment, tokenConfirmedAt: card.tokenConfirmedAt,
            content: content,
            details: form == .end
                ? current.lastDetails(on: shown)
                : current.details(on: shown)?.onWire(wallOffset),
            language: card.language, tells: sent.tells,
            alert: sent.alert, priority: sent.priority, timestamp: sent.timestamp,
            staleDate: stale?.onWire(wallOffset, after: sent.timestamp),
            relevanceScore: relevance(on: shown, alert: sent.alert),
            precedence: Relevance.precedence(ofStart: card.createdAt, card.id),
            expiration: now, contentVersion: sent.contentVersion, times: sent.times,
            alertSequence: sent.alertSequence, payment: sent.payment)
    }

    /// Returns the start by push of an activity for this hero; `nil`: the hero is not in the party.
    package func start(
        _ sent: Sent, of hero: HeroID, because reason: StartReason, sequence: Int,
        on device: StartDevice.Key, in language: Language
    ) -> PlannedPush? {
        let card = Card(of: hero)
        let told = Told(sent.tells, nil)
        guard let member = party.member(hero),
            let text = current.sentence(on: card) ?? text(on: card, telling: told)
        else { return nil }
        return PlannedPush(
            event: .start(
                PlannedStart(
                    party: party.id, hero: member.hero, sequence: sequence,
                    asksForPushToken: true)),
            recipient: .device(device), target: .device(PushToken(hex: "")),
            environment: device.environment, tokenConfirmedAt: now,
            content: LocalizableContent(health: member.health, text: text), language: language,
            tells: sent.tells, alert: reason.alert(for: member.hero.tag), priority: .high,
            isFirst: true, timestamp: sent.timestamp,
            staleDate: StalePlanner.staleDate(ofStart: hero, in: current, at: now)
                .onWire(wallOffset, after: sent.timestamp),
            relevanceScore: Relevance.alerting, precedence: Relevance.precedence(ofStart: now),
            expiration: now, contentVersion: 0, times: sent.times)
    }

    private func relevance(on card: Card, alert: Alert?) -> Int {
        switch card.recipient {
        case .spectator: return Relevance.following
        case .player:
            guard alert == nil else { return Relevance.alerting }
            let newest = events.last.map { Policy.rule(for: $0.kind).relevance }
            return Relevance.score(of: newest ?? Relevance.ordinary, on: card, in: current)
        }
    }

    private var dismissalDate: WallTime {
        now.adding(milliseconds: wallOffset).adding(
            seconds: current.isWon
                ? ActivityOutbox.victoryDismissalSeconds : ActivityOutbox.dismissalSeconds)
    }
}
