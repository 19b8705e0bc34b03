package import GameLogic

/// Ends of activities for reasons outside the adventure's events.
extension ActivityOutbox {
    var tooOldAt: WallTime { startedAt.adding(seconds: Self.ageMaxSeconds) }

    /// Ends the activity with its current content, although the adventure goes on.
    package mutating func end(in party: Party, version: Int64, now: WallTime) {
        guard !isEnding else { return }
        end(
            with: .last(
                lastContent(in: CurrentParty(of: party)), version: version, at: now,
                replacing: state.due))
    }

    /// Notes that the activity was started by push, before the app reported it. It has aged since,
    /// its next timestamp must be larger than the start's (rules N1, P1), it already shows content
    /// (rule L13), and an adventure that is over by now has ended it (rule N4).
    package mutating func wasStarted(
        by start: PendingStart, party: Party, version: Int64, now: WallTime
    ) {
        adopt(start, version: version)
        goOn(from: start)
        guard !party.isOnAdventure, !isEnding else { return }
        // What the start has shown is over.
        let current = CurrentParty(of: party)
        let content = lastContent(in: current, telling: current.news(on: Card(of: hero)))
        end(with: .last(content, version: version, at: now, replacing: nil))
    }

    /// Goes on with what a start has told, if the news that is due is no newer.
    private mutating func goOn(from start: PendingStart) {
        guard accepted?.content == start.content else { return }
        let covered = 1...max(start.sequence, start.news.sequence, 1)
        keep(untold: untold.filter { !covered.contains($0.mark.sequence) })
        guard var due = state.due else { return }
        if let told = News(start.content, start.news.told), covered.contains(due.news.sequence) {
            due.content.text = told.text
            due.news = told.mark
        }
        owe(due.content == start.content ? nil : due)
    }

    /// Ends an activity that the app has handed over just after the end of its adventure. A later
    /// one is for the next adventure: it never shows how the last one ended.
    mutating func endIfLate(_ current: CurrentParty, version: Int64, now: WallTime) {
        guard let overAt = current.overAt, now <= overAt.adding(seconds: Self.lateSecondsMax)
        else { return }
        end(
            with: .last(
                lastContent(in: current), version: version, at: now, replacing: nil))
    }

    mutating func endIfTooOld(_ current: CurrentParty, now: WallTime) {
        guard !isEnding, now >= tooOldAt else { return }
        // No row's version is known here; this is the activity's last push.
        let version = 1 + max(state.due?.version ?? 0, accepted?.version ?? 0)
        end(
            with: .last(
                lastContent(in: current), version: version, at: now, replacing: state.due))
    }

    /// Closes the outbox of an activity that is gone from its device, has outlived its token, or
    /// whose end is refused for good.
    mutating func closeIfGone(_ registration: ActivityRegistration, at now: WallTime) {
        guard !state.isEnded else { return }
        let isLost = now >= tooOldAt && !hasLivingToken(registration)
        let isRefused = isEnding && !isInFlight && isRefused(by: registration)
        if isLost || isRefused || !registration.state.isLiving { close() }
    }

    /// Returns the last content, which asks nothing and whose details are always the same: the
    /// hero's own, if the hero is still in the party.
    private func lastContent(in current: CurrentParty) -> LocalizableContent {
        lastContent(in: current, telling: news(after: nil, on: Card(of: hero), in: current))
    }

    private func lastContent(
        in current: CurrentParty, telling news: News?
    ) -> LocalizableContent {
        LocalizableContent(
            health: current.index(of: hero).map { current.members[$0].health }
                ?? newestContent?.health ?? .full,
            text: news?.text ?? newestContent?.text ?? EventTexts.last)
    }

    // MARK: Alerts

    mutating func forgetStaleAlert(at now: WallTime) {
        if state.alert?.isStale(at: now) == true { remember(nil) }
    }

    /// Removes an alert that no longer requires the player to act (rule Q9): the hero was revived,
    /// or the knockdown is too long ago.
    mutating func forgetMootAlert(in current: CurrentParty, at now: WallTime) {
        guard let alert = state.alert else { return }
        if alert.isStale(at: now) || !current.allows(alert.alert, on: hero) { remember(nil) }
    }
}

// MARK: Rolling over

/// Adventures that are longer than an activity may live: it rolls over to a new one (A9).
///
/// The old activity continues until the new one has started, so that one is always shown. If none
/// starts, it ends at its own time.
extension ActivityOutbox {
    /// Whether the activity is rolling over; it then prevents no new one.
    package var isRollingOver: Bool { rollOver != nil }

    /// Whether a new activity may follow and none has.
    package var awaitsNewActivity: Bool { rollOver == .begun && !isEnding }

    /// Returns when the activity reaches that age, unless it has. Without a known device, as for
    /// spectators' activities, none is started: no activity is better than a second one.
    func rollsOverAt(for registration: ActivityRegistration) -> WallTime? {
        guard rollOver == nil, !isEnding, registration.device != nil else { return nil }
        return startedAt.adding(seconds: Self.rollOverAgeSeconds)
    }

    /// Notes that the activity has reached that age. Returns whether it is new.
    package mutating func beginRollOver(
        for registration: ActivityRegistration, now: WallTime
    ) -> Bool {
        guard registration.state.isLiving, let time = rollsOverAt(for: registration), time <= now
        else { return false }
        note(.begun)
        return true
    }

    /// Notes that the new activity is on the device and can receive pushes.
    package mutating func finishRollOver(in party: Party, version: Int64, now: WallTime) {
        guard rollOver == .begun else { return }
        note(.done)
        end(in: party, version: version, now: now)
    }

    /// Returns when the device removes an ended activity: a while after the adventure's end (rule
    /// N5), a victory later than others, and at once when a new activity continues it.
    func dismissalDate(in current: CurrentParty, endedAt now: WallTime) -> WallTime {
        guard rollOver != .done else { return now }
        return now.adding(
            seconds: current.isWon ? Self.victoryDismissalSeconds : Self.dismissalSeconds)
    }
}
