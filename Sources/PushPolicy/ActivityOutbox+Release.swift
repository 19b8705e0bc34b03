internal import GameLogic

/// Taking what may leave.
extension ActivityOutbox {
    /// One push that could be next.
    private struct Candidate {
        let content: Due
        let alert: PendingAlert?
        let form: Form
    }

    /// The next push, if one may leave now: it is in flight from here on.
    mutating func release(
        party: Party, to registration: ActivityRegistration, now: WallTime
    ) -> PlannedPush? {
        guard let target = registration.target, mayPush(to: registration) else { return nil }
        showAtFirst(party, version: 0, now: now)
        endIfTooOld(party, now: now)
        forgetMootAlert(in: party, at: now)
        guard let next = candidates(at: now).first(where: { isReady($0, at: now) }) else {
            return nil
        }
        return launch(next, to: target, party: party, registration: registration, now: now)
    }

    /// When `release` could give something; a time that has passed means now.
    func nextReleaseAt(for registration: ActivityRegistration, now: WallTime) -> WallTime? {
        guard mayPush(to: registration) else { return nil }
        var times = candidates(at: now).compactMap { readyAt($0) }
        if ending == nil { times.append(tooOldAt) }
        if let rollOver = rollsOverAt(for: registration) { times.append(rollOver) }
        return times.min().map { max($0, now) }
    }

    private func mayPush(to registration: ActivityRegistration) -> Bool {
        !isEnded && inFlight == nil && registration.state.isLiving && hasLivingToken(registration)
    }

    var tooOldAt: WallTime { startedAt.adding(seconds: Self.ageMaxSeconds) }

    private mutating func endIfTooOld(_ party: Party, now: WallTime) {
        guard ending == nil, now >= tooOldAt else { return }
        let card =
            Card(of: hero, in: party) ?? newestCard
            ?? Card(health: .full, phrase: Policy.lastWords)
        // No row's version is known here; no push of this activity comes after this one.
        let version = 1 + max(due?.version ?? 0, accepted?.version ?? 0)
        ending = .ending(card, version: version, since: due?.since ?? now)
        due = nil
    }

    /// What could go next, the preferred first: an alert, then the end, then the card.
    private func candidates(at now: WallTime) -> [Candidate] {
        var candidates: [Candidate] = []
        if let alert, !alert.isStale(at: now), ending == nil, let content = loudContent {
            candidates.append(Candidate(content: content, alert: alert, form: .update))
        }
        if let ending {
            candidates.append(Candidate(content: ending, alert: nil, form: .end))
        } else if let due {
            candidates.append(Candidate(content: due, alert: nil, form: .update))
        }
        return candidates
    }

    /// What an alert goes with: the newest card, even if the phone shows it already, as long as
    /// it shows the fall.
    private var loudContent: Due? {
        let shown = accepted.map { Due.quiet($0.card, version: $0.version, since: startedAt) }
        guard let content = due ?? shown, content.card.health == Health.none else { return nil }
        return content
    }

    private func isReady(_ candidate: Candidate, at now: WallTime) -> Bool {
        guard let time = readyAt(candidate) else { return false }
        return time <= now
    }

    /// `nil`: never.
    private func readyAt(_ candidate: Candidate) -> WallTime? {
        let free = max(clockAllowsAt, pausedUntil ?? clockAllowsAt)
        guard let refused, refused.card == candidate.content.card, refused.form == candidate.form
        else { return free }
        return refused.until.map { max($0, free) }
    }

    private mutating func launch(
        _ next: Candidate, to target: PushTarget, party: Party,
        registration: ActivityRegistration, now: WallTime
    ) -> PlannedPush {
        lastTimestamp = max(now.seconds, lastTimestamp + 1)
        pausedUntil = nil
        due = nil
        inFlight = InFlightPush(
            timestamp: lastTimestamp, content: next.content, form: next.form,
            alertSequence: next.alert?.sequence, tokenRegisteredAt: registration.tokenRegisteredAt)
        return PlannedPush(
            event: event(next.form, at: now), recipient: .activity(activity), target: target,
            tokenRegisteredAt: registration.tokenRegisteredAt, content: next.content.card,
            language: registration.language, alert: next.alert?.alert,
            priority: pay(for: next, registration, at: now), timestamp: lastTimestamp,
            staleDate: next.form == .end
                ? nil : StalePlanner.staleDate(of: hero, in: party, at: now),
            relevanceScore: next.alert != nil
                ? Relevance.alerting
                : Relevance.score(telling: next.content.relevance, of: hero, in: party),
            expiration: now.adding(seconds: next.content.expirationSeconds),
            contentVersion: next.content.version, dueSince: since(next),
            alertSequence: next.alert?.sequence)
    }

    private func event(_ form: Form, at now: WallTime) -> PlannedPush.Event {
        switch form {
        case .update: .update
        case .end: .end(dismissalDate: dismissalDate(endedAt: now))
        }
    }

    /// The oldest event that the push carries. A card that the phone shows already adds none.
    private func since(_ next: Candidate) -> WallTime {
        guard let alert = next.alert else { return next.content.since }
        return next.content.card == accepted?.card ? alert.at : min(next.content.since, alert.at)
    }

    /// Alerts and ends go at once whatever is left; other cards only while there is something. A
    /// broadcast costs nothing, and never goes at once.
    private mutating func pay(
        for next: Candidate, _ registration: ActivityRegistration, at now: WallTime
    ) -> PushPriority {
        guard registration.recipient.highestPriority == .high else { return .low }
        let size = PushBudget.Size.of(registration)
        if next.alert != nil || next.form == .end {
            budget.overspend(size, at: now)
            return .high
        }
        guard next.content.priority == .high else { return .low }
        return budget.spend(size, at: now) ? .high : .low
    }
}
