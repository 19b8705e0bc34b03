internal import GameLogic

/// Selection of the pushes that may be sent.
extension ActivityOutbox {
    /// A push that could be next.
    private struct Candidate {
        let due: DueContent
        let alert: PendingAlert?
        let form: InFlightPush.Form

        var goesAtOnce: Bool { alert != nil || form == .end }
        /// Whether it waits for the gap after the last push of low priority.
        var keepsGap: Bool { !goesAtOnce && due.priority == .low }
    }

    /// Returns the next push, if one may be sent now. From here on it is in flight. `wallOffset` is
    /// the wall clock minus `now`, in milliseconds.
    mutating func release(
        _ current: CurrentParty, to registration: ActivityRegistration, now: WallTime,
        wallOffset: Int64 = 0
    ) -> PlannedPush? {
        closeIfGone(registration, at: now)
        guard let target = registration.target, mayPush(to: registration) else { return nil }
        showAtFirst(current, for: registration, version: 0, now: now)
        endIfTooOld(current, now: now)
        forgetMootAlert(in: current, at: now)
        guard !isRefused(by: registration), let next = next(at: now) else { return nil }
        return launch(
            next, to: target, current, registration: registration, now: now,
            wallOffset: wallOffset)
    }

    /// Returns when `release` may return a push or the outbox may be closed; a time that has passed
    /// counts as now.
    func nextReleaseAt(for registration: ActivityRegistration, now: WallTime) -> WallTime? {
        guard !state.isEnded, !isInFlight else { return nil }
        guard registration.state.isLiving else { return now }
        guard hasLivingToken(registration) else {
            return givesUp(registration) ? now : max(tooOldAt, now)
        }
        var time = rollsOverAt(for: registration)
        if !isEnding { time = min(time ?? tooOldAt, tooOldAt) }
        guard !isRefused(by: registration) else {
            return isEnding ? now : time.map { max($0, now) }
        }
        if let ready = newest.flatMap(readyAt) { time = min(time ?? ready, ready) }
        if let ready = alerting(at: now).flatMap(readyAt) { time = min(time ?? ready, ready) }
        return time.map { max($0, now) }
    }

    /// Returns why what is due is not sent, in words; `nil`: nothing is due, or it is under way.
    package func reasonToWait(
        for registration: ActivityRegistration, at now: WallTime
    ) -> String? {
        guard isDue, !isInFlight, registration.state.isLiving else { return nil }
        if !registration.hasTarget { return Decision.Notes.waitsForToken.reasonToWait }
        if !hasLivingToken(registration) { return Decision.Notes.waitsForNewToken.reasonToWait }
        if let until = setbacks.pausedUntil, until > now {
            return Decision.Notes.waitsForPause.reasonToWait
        }
        guard let newest else { return "waits for its turn" }
        guard !isRefused(by: registration), let ready = readyAt(newest) else {
            return "Apple refused this content for good"
        }
        guard ready > now else { return "waits for its turn" }
        return newest.keepsGap && restraint.gapEndsAt == ready
            ? "waits for the distance between pushes of low priority"
            : Decision.Notes.waitsForRetry.reasonToWait
    }

    private func mayPush(to registration: ActivityRegistration) -> Bool {
        !state.isEnded && !isInFlight && registration.state.isLiving && hasLivingToken(registration)
    }

    // MARK: Candidates

    /// Returns the next push, if it may be sent now: an alert precedes the newest content.
    private func next(at now: WallTime) -> Candidate? {
        if let alerting = alerting(at: now), isReady(alerting, at: now) { return alerting }
        guard let newest, isReady(newest, at: now) else { return nil }
        return newest
    }

    private var newest: Candidate? {
        if let ending = state.ending { return Candidate(due: ending, alert: nil, form: .end) }
        return state.due.map { Candidate(due: $0, alert: nil, form: .update) }
    }

    /// Returns the pending alert with the newest content, as long as that shows the knockdown, even
    /// if the device already shows it.
    private func alerting(at now: WallTime) -> Candidate? {
        guard let alert = state.alert, !alert.isStale(at: now) else { return nil }
        let shown = accepted.map {
            DueContent.lowPriority(
                $0.content, telling: $0.news, version: $0.version, since: startedAt)
        }
        guard let due = state.due ?? shown else { return nil }
        if alert.alert.request == .drink, due.content.health != Health.none { return nil }
        return Candidate(due: due, alert: alert, form: .update)
    }

    private func isReady(_ candidate: Candidate, at now: WallTime) -> Bool {
        guard let time = readyAt(candidate) else { return false }
        return time <= now
    }

    /// Returns when the candidate may be sent; `nil`: never.
    private func readyAt(_ candidate: Candidate) -> WallTime? {
        var free = setbacks.pausedUntil ?? startedAt
        if candidate.keepsGap, let end = restraint.gapEndsAt { free = max(free, end) }
        guard let refused = setbacks.refused, refused.holds(candidate.due, as: candidate.form)
        else { return free }
        return refused.until.map { max($0, free) }
    }

    // MARK: Sending

    private mutating func launch(
        _ next: Candidate, to target: PushTarget, _ current: CurrentParty,
        registration: ActivityRegistration, now: WallTime, wallOffset: Int64
    ) -> PlannedPush {
        let times = times(of: next, current, registration, at: now)
        let card = Card(of: hero, registration, in: current)
        let (priority, payment) = pay(for: next, registration, at: now)
        if next.alert != nil { noteAlert(at: now) }
        if priority == .low {
            keepGap(until: current.cardGap > 0 ? now.adding(milliseconds: current.cardGap) : nil)
        }
        let timestamp = launch(
            next.due, as: next.form, with: next.alert,
            tokenConfirmedAt: registration.tokenConfirmedAt, now: now, wallOffset: wallOffset)
        let wall = now.adding(milliseconds: wallOffset)
        return PlannedPush(
            event: event(next.form, in: current, at: wall), recipient: .activity(activity),
            target: target,
            environment: registration.environment,
            tokenConfirmedAt: registration.tokenConfirmedAt, content: next.due.content,
            details: details(of: next, on: card, current, wallOffset),
            language: registration.language, tells: next.due.news.sequence,
            alert: next.alert?.alert,
            priority: priority, isFirst: accepted == nil && registration.isAtDevice,
            timestamp: timestamp,
            staleDate: next.form == .end
                ? nil
                : StalePlanner.staleDate(on: card, in: current, at: now)?
                    .onWire(wallOffset, after: timestamp),
            relevanceScore: relevance(of: next, on: card, in: current),
            precedence: Relevance.precedence(ofStart: startedAt, activity),
            expiration: wall.adding(seconds: next.due.expirationSeconds),
            contentVersion: next.due.version, times: times,
            alertSequence: next.alert?.sequence, payment: payment)
    }

    private func event(
        _ form: InFlightPush.Form, in current: CurrentParty, at now: WallTime
    ) -> PlannedPush.Event {
        switch form {
        case .update: .update
        case .end: .end(dismissalDate: dismissalDate(in: current, endedAt: now))
        }
    }

    private func relevance(
        of next: Candidate, on card: Card, in current: CurrentParty
    ) -> Int {
        switch card.recipient {
        case .spectator: return Relevance.following
        case .player:
            guard next.alert == nil else { return Relevance.alerting }
            return Relevance.score(of: next.due.relevance, on: card, in: current)
        }
    }

    /// Returns what the push shows beside, with the times of the wall clock.
    private func details(
        of next: Candidate, on card: Card, _ current: CurrentParty, _ wallOffset: Int64
    ) -> CardDetails? {
        next.form == .update
            ? current.details(on: card)?.onWire(wallOffset) : current.lastDetails(on: card)
    }

    /// Returns since when the push is due, and since when nothing but the server and APNs keeps it.
    private func times(
        of next: Candidate, _ current: CurrentParty, _ registration: ActivityRegistration,
        at now: WallTime
    ) -> PlannedPush.Times {
        // Content that the device already shows has no event.
        let isShown = next.alert != nil && next.due.content == accepted?.content
        let since = isShown ? next.alert?.at : earliest(next.due.since, next.alert?.at)
        let due = since ?? next.due.since
        let urgent = earliest(next.due.urgentSince, next.alert?.at)
        // Without a token, and during an owner's pause, there is nothing that could be late.
        let possible = min(now, max(tokenKnownAt(registration), current.sendingSince ?? startedAt))
        var ready = max(due, restraint.gapEndsAt ?? due)
        if let urgent { ready = min(ready, urgent) }
        ready = max(ready, possible, setbacks.pausedUntil ?? possible)
        if let refused = setbacks.refused, refused.holds(next.due, as: next.form) {
            ready = max(ready, refused.until ?? ready)
        }
        let knockedDownAt = next.alert?.at ?? next.due.urgentSince
        return PlannedPush.Times(
            dueSince: due, readyAt: ready,
            knockedDownAt: tellsKnockdown(next, registration)
                ? knockedDownAt.map { max($0, possible) } : nil)
    }

    /// Returns when the living token became known: a new one, or the same again after it was dead.
    private func tokenKnownAt(_ registration: ActivityRegistration) -> WallTime {
        let registered = registration.tokenRegisteredAt
        guard let dead = setbacks.deadTokenAt, registered <= dead else { return registered }
        return registration.tokenConfirmedAt
    }

    /// Returns whether the push is the first that tells players that their hero is knocked down.
    private func tellsKnockdown(
        _ next: Candidate, _ registration: ActivityRegistration
    ) -> Bool {
        guard next.form == .update, next.due.content.health == Health.none,
            registration.recipient == .player
        else { return false }
        return next.alert != nil || accepted?.content.health != Health.none
    }

    /// Takes the push from the budget. Alerts and ends go at once, whatever is left; other content
    /// only within the budget. A broadcast costs nothing, and never goes at once.
    private mutating func pay(
        for next: Candidate, _ registration: ActivityRegistration, at now: WallTime
    ) -> (PushPriority, PushBudget.Payment?) {
        guard registration.recipient.highestPriority == .high else { return (.low, nil) }
        let size = budgetSize(for: registration)
        let before = budgetLeft(for: registration, at: now)
        let priority: PushPriority
        if next.goesAtOnce {
            overspend(size, at: now)
            priority = .high
        } else {
            priority = next.due.priority == .high && spend(size, at: now) ? .high : .low
        }
        let after = priority == .high ? budgetLeft(for: registration, at: now) : before
        return (priority, PushBudget.Payment(before: before, after: after))
    }
}

extension ActivityOutbox.Refusal {
    /// Returns whether it is about this content in this form.
    fileprivate func holds(_ due: DueContent, as form: InFlightPush.Form) -> Bool {
        self.form == form && content == due.content
    }
}

/// Returns the earlier of two times, as far as they are known.
private func earliest(_ left: WallTime?, _ right: WallTime?) -> WallTime? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
}
