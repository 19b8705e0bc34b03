package import GameLogic

/// Ends of activities for reasons outside the adventure's events.
extension ActivityOutbox {
    /// Ends the activity with its current content, although the adventure goes on.
    package mutating func end(in party: Party, version: Int64, now: WallTime) {
        guard !isEnding else { return }
        end(
            with: .last(
                lastCard(Card(of: hero, in: party)), version: version, since: due?.since ?? now))
    }

    /// Notes that the activity was started by push, before the app reported it. It has aged since,
    /// its next timestamp must be larger than the start's (rules N1, P1), it already shows content
    /// (rule L13), and an adventure that is over by now has ended it (rule N4).
    package mutating func wasStarted(
        by start: PendingStart, party: Party, version: Int64, now: WallTime
    ) {
        adopt(start, version: version)
        guard !party.isOnAdventure, !isEnding else { return }
        let card = Card(of: hero, in: party) ?? Card(health: .full, phrase: Policy.lastWords)
        end(with: .last(card, version: version, since: now))
    }

    mutating func endIfTooOld(_ standing: Standing, now: WallTime) {
        guard !isEnding, now >= tooOldAt else { return }
        // No row's version is known here; this is the activity's last push.
        let version = 1 + max(due?.version ?? 0, accepted?.version ?? 0)
        end(
            with: .last(
                lastCard(standing.card(of: hero)), version: version, since: due?.since ?? now))
    }

    /// Closes the outbox of an activity that is gone from its device or has outlived its token.
    mutating func closeIfGone(_ registration: ActivityRegistration, at now: WallTime) {
        guard !isEnded else { return }
        let isLost = now >= tooOldAt && !hasLivingToken(registration)
        if isLost || !registration.state.isLiving { close() }
    }

    /// Returns the last content: the hero's own, if the hero is still in the party.
    private func lastCard(_ card: Card?) -> Card {
        card ?? newestCard ?? Card(health: .full, phrase: Policy.lastWords)
    }

    // MARK: Alerts

    mutating func forgetStaleAlert(at now: WallTime) {
        if alert?.isStale(at: now) == true { remember(nil) }
    }

    /// Removes an alert that no longer requires the player to act (rule Q9): the hero was revived,
    /// or the knockdown is too long ago.
    mutating func forgetMootAlert(in standing: Standing, at now: WallTime) {
        guard let alert else { return }
        if alert.isStale(at: now) || !standing.isDown(hero) { remember(nil) }
    }
}
