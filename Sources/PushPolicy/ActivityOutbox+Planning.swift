internal import GameLogic

/// Planning: from events to what is due.
extension ActivityOutbox {
    /// What a step does to the content.
    private struct Change {
        let content: LocalizableContent
        /// What the card tells from now on.
        let news: News
        /// Whether a question stands in its place.
        let isHidden: Bool
        /// The event that ends the activity.
        let end: Int?
        /// How many of the events concern the activity: none after its end.
        let count: Int

        /// What the content's sentence tells.
        var mark: News.Mark { isHidden ? .none : news.mark }
        /// What waits behind the question.
        var untold: [News] { isHidden ? [news] : [] }
    }

    /// Notes the step, and adds one decision for each of its events, in their order.
    mutating func note(
        _ step: PolicyStep, for registration: ActivityRegistration, into decisions: inout [Decision]
    ) {
        closeIfGone(registration, at: step.now)
        let card = Card(of: hero, registration, in: step.current)
        if let reason = reasonToDrop(registration) {
            drop(step.effects[...], of: step, on: card, because: reason, into: &decisions)
            return
        }
        guard let change = change(by: step, on: card) else {
            drop(
                step.effects[...], of: step, on: card, because: .heroIsElsewhere,
                into: &decisions)
            return
        }
        let wasDue = state.isContentDue
        apply(change, by: step, on: card)
        forgetMootAlert(in: step.current, at: step.now)
        if step.begins { noteAdventure() }
        let alerted = noteAlert(of: change.count, by: step, to: registration)
        let decided = StepDecisions(
            step: step, activity: activity, card: card,
            news: change.news.mark, isHidden: change.isHidden,
            alerted: alerted.index, muted: alerted.muted, end: change.end, wasDue: wasDue,
            isContentNew: state.isContentDue || isEnding,
            hold: reasonToHold(registration, in: step),
            hasBudget: !step.hasHighPriority || hasBudget(for: registration, at: step.now))
        for index in 0..<change.count { decisions.append(decided.decision(on: index)) }
        drop(
            step.effects[change.count...], of: step, on: card, because: .hasEnded,
            into: &decisions)
    }

    /// Notes that the client has changed its token or language, which makes the content due again.
    /// `isOnly`: the hero has had no other activity since the adventure began.
    mutating func refresh(
        for registration: ActivityRegistration, _ current: CurrentParty, isOnly: Bool = false,
        version: Int64, now: WallTime
    ) {
        let addressee = Addressee(
            tokenRegisteredAt: registration.tokenRegisteredAt, language: registration.language)
        guard addressee != self.addressee, !state.isEnded else { return }
        let isKnown = !isBlank
        let card = Card(of: hero, registration, in: current)
        let news = news(after: nil, on: card, in: current)
        address(addressee)
        guard !isEnding, isKnown || current.hasAdventure else { return }
        guard isKnown || current.isOnAdventure || current.isAskedReady else {
            // A hero who had an activity of that adventure has this one for the next.
            if isOnly { endIfLate(current, version: version, now: now) }
            return
        }
        guard let change = change(to: news, on: card, in: current) else { return }
        keep(untold: change.untold)
        var again = DueContent.lowPriority(
            change.content, telling: change.mark, version: version, since: now
        ).replacing(state.due)
        again.version = version
        owe(again)
    }

    /// Makes the first content due for an activity that started during an adventure, or a ready
    /// check: the content that the app gave it at its start is unknown. After the end it waits for
    /// the next one.
    mutating func showAtFirst(
        _ current: CurrentParty, for registration: ActivityRegistration, version: Int64,
        now: WallTime
    ) {
        guard isBlank, current.isOnAdventure || current.isAskedReady else { return }
        let card = Card(of: hero, registration, in: current)
        let news = news(after: nil, on: card, in: current)
        guard let change = change(to: news, on: card, in: current) else { return }
        keep(untold: change.untold)
        owe(.lowPriority(change.content, telling: change.mark, version: version, since: now))
    }
}

extension ActivityOutbox {
    private func change(by step: PolicyStep, on card: Card) -> Change? {
        guard let end = step.end(for: hero) else {
            return change(
                to: news(after: step, on: card, in: step.current), on: card, in: step.current,
                after: step.events.count)
        }
        let member = step.current.index(of: hero).map { step.current.members[$0] }
        guard let tag = member?.hero.tag ?? step.tagOfLeaver(hero, at: end) else { return nil }
        let health = member?.health ?? newestContent?.health ?? .full
        let text = EventTexts.text(
            for: step.events[end], onActivityOf: tag, member?.condition ?? .standing)
        return Change(
            content: LocalizableContent(health: health, text: text),
            news: News(text, News.Mark(sequence: step.events[end].sequence, .end)),
            isHidden: false, end: end, count: end + 1)
    }

    /// Returns what makes a card tell this; `nil`: it has nothing to tell.
    private func change(
        to news: News?, on card: Card, in current: CurrentParty, after count: Int = 0
    ) -> Change? {
        guard let news else { return nil }
        let question = current.sentence(on: card)
        return current.content(on: card, saying: question ?? news.text).map {
            Change(
                content: $0, news: news, isHidden: question != nil, end: nil, count: count)
        }
    }

    /// Returns what the card tells after a step, or without one.
    func news(after step: PolicyStep?, on card: Card, in current: CurrentParty) -> News? {
        var choice = NewsChoice(on: card, in: current)
        for news in untold { choice.offer(news) }
        if let told { choice.offer(told) }
        if let step { choice.offer(step) }
        return choice.news
    }

    /// What the card tells, or told last; `nil`: nothing, or a question.
    private var told: News? {
        if let due = state.due, let news = News(due.content, due.news) { return news }
        if let due = state.inFlight?.due, let news = News(due.content, due.news.told) {
            return news
        }
        return accepted.flatMap { News($0.content, $0.news) }
    }

    private mutating func apply(_ change: Change, by step: PolicyStep, on card: Card) {
        guard change.end == nil else {
            end(
                with: .last(
                    change.content, version: step.version, at: step.now, replacing: state.due))
            return
        }
        keep(untold: change.untold)
        guard !isRedundant(change.content) else {
            if state.isContentDue { owe(nil) }
            return
        }
        // Nothing has happened since the app gave the activity its first content.
        let isWaiting = !step.current.isOnAdventure && isBlank
        if step.events.isEmpty && isWaiting { return }
        var newest = DueContent.lowPriority(
            change.content, telling: change.mark, version: step.version, since: step.now)
        for effect in step.effects {
            newest.follow(effect, on: card, in: step.current)
        }
        owe(state.isContentDue ? newest.replacing(state.due) : newest)
    }

    /// Whether nothing has been noted here yet.
    var isBlank: Bool {
        accepted == nil && setbacks.refused == nil && !state.isContentDue && !isInFlight
            && !isEnding
    }

    /// What the device shows once everything in flight has arrived.
    private var expectedContent: LocalizableContent? {
        guard let inFlight = state.inFlight else { return accepted?.content }
        return inFlight.isOutdated ? nil : inFlight.due.content
    }

    /// Returns whether the device already shows this content (rule L13), or Apple will never accept
    /// it.
    private func isRedundant(_ content: LocalizableContent) -> Bool {
        if content == expectedContent { return true }
        guard let refused = setbacks.refused, refused.until == nil, refused.form == .update
        else { return false }
        return !isInFlight && refused.content == content
    }

    /// Alerts of the newest knockdown, unless the same events revive the hero or end the activity.
    /// An earlier pending alert no longer applies: the hero was revived in between.
    ///
    /// Returns the event of the alert, and why one is muted that the player could act on.
    private mutating func noteAlert(
        of count: Int, by step: PolicyStep, to registration: ActivityRegistration
    ) -> (index: Int?, muted: Decision.Notes) {
        guard !isEnding, step.current.isOnAdventure else { return (nil, []) }
        let recipient = registration.recipient
        for index in (0..<count).reversed() where step.alerts(recipient, with: hero, of: index) {
            let event = step.events[index]
            guard let occasion = Policy.rule(for: event.kind).alert,
                step.current.allows(occasion.alert, on: hero)
            else { continue }
            if occasion.alert.request == .drink, step.current.drinksByOrder(hero) {
                return (nil, .mutedByOrder)
            }
            let muted = restraint.reasonToMute(
                occasion, in: registration.quietHours, at: step.now, wallOffset: step.wallOffset)
            guard muted.isEmpty else { return (nil, muted) }
            remember(PendingAlert(alert: occasion.alert, sequence: event.sequence, at: step.now))
            return (index, [])
        }
        return (nil, [])
    }

    // MARK: Decisions

    private func drop(
        _ effects: ArraySlice<PolicyStep.Effect>, of step: PolicyStep, on card: Card,
        because reason: Decision.Notes,
        into decisions: inout [Decision]
    ) {
        for effect in effects {
            decisions.append(
                Decision(
                    sequence: effect.sequence, activity: activity, disposition: .dropped,
                    priority: effect.priority(on: card, in: step.current),
                    carriesAlert: false, notes: card.recipient.note.union(reason)))
        }
    }

    private func reasonToDrop(_ registration: ActivityRegistration) -> Decision.Notes? {
        guard registration.state.isLiving else { return .isGone }
        return isEnding ? .hasEnded : nil
    }

    /// Returns why nothing at all may be sent now; empty: it may.
    private func reasonToHold(_ registration: ActivityRegistration, in step: PolicyStep)
        -> Decision.Notes
    {
        let now = step.now
        if !hasLivingToken(registration), registration.screen == .page { return .waitsForPage }
        if !registration.hasTarget { return .waitsForToken }
        if !hasLivingToken(registration) { return .waitsForNewToken }
        if let pausedUntil = setbacks.pausedUntil, pausedUntil > now {
            let leads = clockAllowsAt(now, wallOffset: step.wallOffset) != nil
            return leads ? .waitsForClock : .waitsForPause
        }
        guard let refused = setbacks.refused, let until = refused.until, until > now,
            state.due?.content == refused.content
        else { return [] }
        return .waitsForRetry
    }
}
