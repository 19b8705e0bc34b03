package import GameLogic

/// What a push of the past showed, made again from the party as its change left it.
///
/// The journal has that a push went, but not its content. An outbox makes the content in the very
/// change that sends it, from the party's state after the change: so the replayed party gives the
/// same. Only the content of an end is older.
package struct PushAgain: Sendable {
    private let party: Party
    private let current: CurrentParty
    private let events: [PartyEvent]
    private let now: WallTime
    /// The wall clock minus `now`, in milliseconds.
    private let wallOffset: Int64

    /// - Parameters:
    ///   - party: The party after the change.
    ///   - events: The change's events.
    ///   - clock: The adventure's, after the change.
    ///   - pausedUntil: The end of a pause of the adventure.
    ///   - now: When the change was committed.
    ///   - wallOffset: The wall clock minus `now`, in milliseconds.
    package init(
        after party: Party, events: [PartyEvent], clock: (any AdventureClock)?,
        pausedUntil: WallTime?, now: WallTime, wallOffset: Int64
    ) {
        self.party = party
        current = CurrentParty(of: party, pausedUntil: pausedUntil, clock: clock, detailed: true)
        self.events = events
        self.now = now
        self.wallOffset = wallOffset
    }

    /// A push of the journal, and what its outbox knew.
    package struct Sent {
        package let timestamp: Int64
        package let priority: PushPriority
        package let alert: Alert?
        package let alertSequence: Int?
        /// The party's version that created the content.
        package let contentVersion: Int64
        package let times: PlannedPush.Times
        package let payment: PushBudget.Payment?

        package init(
            timestamp: Int64, priority: PushPriority, alert: Alert?, alertSequence: Int?,
            contentVersion: Int64, times: PlannedPush.Times, payment: PushBudget.Payment?
        ) {
            self.timestamp = timestamp
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

    /// Returns what the card should show now; `nil`: its hero is elsewhere, or nothing has happened.
    package func content(for card: ActivityRegistration) -> LocalizableContent? {
        current.content(of: card.hero, card.stateVersion)
    }

    /// Returns what the card shows last, ended by this event or, without one, as it is now.
    package func lastContent(
        for card: ActivityRegistration, endedBy event: PartyEvent?, newest: LocalizableContent?
    ) -> LocalizableContent {
        let member = current.index(of: card.hero).map { current.members[$0] }
        guard let event,
            let tag = member?.hero.tag ?? event.kind.heroes.first(where: { $0.id == card.hero })
        else {
            var last =
                current.content(of: card.hero, .first) ?? newest
                ?? LocalizableContent(health: .full, text: EventTexts.last)
            last.details = 0
            return last
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
        let condition = current.condition(of: card.hero)
        let stale =
            form == .end ? nil : StalePlanner.staleDate(for: condition, in: current, at: now)
        return PlannedPush(
            event: form == .end ? .end(dismissalDate: dismissalDate) : .update,
            recipient: .activity(card.id), target: card.target ?? .device(PushToken(hex: "")),
            environment: card.environment, tokenConfirmedAt: card.tokenConfirmedAt,
            content: content, details: details(form, of: card), language: card.language,
            alert: sent.alert, priority: sent.priority, timestamp: sent.timestamp,
            staleDate: stale?.onWire(wallOffset, after: sent.timestamp),
            relevanceScore: relevance(of: card, condition, alert: sent.alert),
            precedence: Relevance.precedence(ofStart: card.createdAt, card.id),
            expiration: now, contentVersion: sent.contentVersion, times: sent.times,
            alertSequence: sent.alertSequence, payment: sent.payment)
    }

    /// Returns the start by push of an activity for this hero; `nil`: the hero is not in the party.
    package func start(
        _ sent: Sent, of hero: HeroID, because reason: StartReason, sequence: Int,
        on device: StartDevice.Key, in language: Language
    ) -> PlannedPush? {
        guard let hero = party.hero(hero),
            let content = LocalizableContent(of: hero.id, in: party)
        else { return nil }
        let stale =
            StalePlanner.staleDate(for: current.condition(of: hero.id), in: current, at: now)
            ?? now.adding(seconds: StalePlanner.staleAfterSeconds)
        return PlannedPush(
            event: .start(
                PlannedStart(
                    party: party.id, hero: hero, sequence: sequence, asksForPushToken: true)),
            recipient: .device(device), target: .device(PushToken(hex: "")),
            environment: device.environment, tokenConfirmedAt: now, content: content,
            language: language, alert: reason.alert(for: hero.tag), priority: .high,
            isFirst: true, timestamp: sent.timestamp,
            staleDate: stale.adding(milliseconds: wallOffset),
            relevanceScore: Relevance.alerting, precedence: Relevance.precedence(ofStart: now),
            expiration: now, contentVersion: 0, times: sent.times)
    }

    private func details(
        _ form: InFlightPush.Form, of card: ActivityRegistration
    ) -> CardDetails? {
        guard form == .update else { return current.lastDetails(card.stateVersion) }
        guard var details = current.details(of: card.hero, card.stateVersion) else { return nil }
        if let end = details.question?.endsAt {
            details.question?.endsAt = end.adding(milliseconds: wallOffset)
        }
        return details
    }

    private func relevance(
        of card: ActivityRegistration, _ condition: Member.Condition?, alert: Alert?
    ) -> Int {
        switch card.recipient {
        case .spectator: return Relevance.following
        case .player:
            guard alert == nil else { return Relevance.alerting }
            let newest = events.last.map { Policy.rule(for: $0.kind).relevance }
            return Relevance.score(
                of: newest ?? Relevance.ordinary, for: condition, in: current)
        }
    }

    private var dismissalDate: WallTime {
        now.adding(milliseconds: wallOffset).adding(
            seconds: current.isWon
                ? ActivityOutbox.victoryDismissalSeconds : ActivityOutbox.dismissalSeconds)
    }
}
