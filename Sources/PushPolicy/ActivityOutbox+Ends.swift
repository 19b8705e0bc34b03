package import GameLogic

/// What ends an activity, whatever happens in the adventure.
extension ActivityOutbox {
    /// Ends the activity although the adventure goes on: with what it shows now.
    package mutating func end(in party: Party, version: Int64, now: WallTime) {
        guard !isEnding else { return }
        end(
            with: .last(
                lastCard(Card(of: hero, in: party)), version: version, since: due?.since ?? now))
    }

    /// Notes that the activity was started by push, before the app told of it: it has aged since,
    /// its next timestamp must be larger than the start's (rules N1, P1), it shows something
    /// already (rule L13), and an adventure that is over by now has ended it (rule N4).
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
        // No row's version is known here; no push of this activity comes after this one.
        let version = 1 + max(due?.version ?? 0, accepted?.version ?? 0)
        end(
            with: .last(
                lastCard(standing.card(of: hero)), version: version, since: due?.since ?? now))
    }

    /// An activity that is gone from its phone, or has outlived its token, needs nothing any more.
    mutating func closeIfGone(_ registration: ActivityRegistration, at now: WallTime) {
        guard !isEnded else { return }
        let isLost = now >= tooOldAt && !hasLivingToken(registration)
        if isLost || !registration.state.isLiving { close() }
    }

    /// With the hero's own card, if the hero is in the party still.
    private func lastCard(_ card: Card?) -> Card {
        card ?? newestCard ?? Card(health: .full, phrase: Policy.lastWords)
    }

    // MARK: Alerts

    mutating func forgetStaleAlert(at now: WallTime) {
        if alert?.isStale(at: now) == true { remember(nil) }
    }

    /// An alert only when the player must act (rule Q9): not for a hero who is up again, nor
    /// long after the fall.
    mutating func forgetMootAlert(in standing: Standing, at now: WallTime) {
        guard let alert else { return }
        if alert.isStale(at: now) || !standing.isDown(hero) { remember(nil) }
    }
}
