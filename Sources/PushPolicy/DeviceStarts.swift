package import GameLogic

/// What has been started on one device: the guard's memory, and the start that is on its way.
///
/// Pure: it is told what happened and returns what to do. It is committed with the party's change
/// that made the start due, so that a restart remembers what is on its way.
package struct DeviceStarts: Hashable, Sendable {
    package internal(set) var guardian: PushToStartGuard
    package internal(set) var pending: PendingStart?

    package init(guardian: PushToStartGuard = PushToStartGuard(), pending: PendingStart? = nil) {
        self.guardian = guardian
        self.pending = pending
    }

    /// The start that no app has reported yet, unless it is so old that it is given up.
    package func pending(at now: WallTime) -> PendingStart? {
        guard let pending, now < pending.givenUpAt else { return nil }
        return pending
    }

    /// Whether a start of this party waits to be tried again, and its time has come.
    func isDueAgain(in party: PartyID, at now: WallTime) -> Bool {
        guard let pending, pending.party == party, case .again(let notBefore) = pending.phase else {
            return false
        }
        return notBefore <= now
    }

    /// Notes what became of a start's push. Returns when it must be tried again.
    ///
    /// A push that was accepted, or whose outcome is unknown, stays pending: sent once more it could
    /// show a second card. One that Apple certainly did not take is tried again as long as it is
    /// worth it, and gives the guard back what it took when it is given up.
    package mutating func settle(_ push: PlannedPush, _ outcome: PushOutcome) -> WallTime? {
        guard let pending, pending.isStart(of: push) else { return nil }
        switch outcome {
        case .accepted, .unknown:
            return nil
        case .tokenIsDead, .rejected:
            takeBack()
            return nil
        case .pause(let time), .retry(notBefore: let time):
            guard time <= pending.worthUntil else {
                takeBack()
                return nil
            }
            self.pending?.phase = .again(notBefore: time)
            return time
        }
    }

    /// After the clock was set back nothing lies in the future, where it would block the device.
    mutating func followClock(to now: WallTime) {
        guardian.followClock(to: now)
        if let pending { self.pending?.dueAt = min(pending.dueAt, now) }
    }

    /// The start has not reached the device, and will not.
    mutating func takeBack() {
        guard let pending else { return }
        guardian.refund(startAt: pending.dueAt)
        self.pending = nil
    }

    /// What is known of one device under two names.
    package func merged(with other: Self) -> Self {
        var both = self
        both.guardian = guardian.merged(with: other.guardian)
        both.pending = pending ?? other.pending
        return both
    }
}

/// A card that was started by push, and of which the app has not told yet.
package struct PendingStart: Hashable, Sendable {
    /// How long Apple may try to deliver a start, in seconds: later it would only surprise.
    package static let worthSeconds: Int64 = 10 * 60
    /// When a start is given up that no app has reported, in seconds: some time after Apple has
    /// stopped trying, so that it cannot come after the next one. The app may never wake: after a
    /// force-quit, or as long as the person has not pressed Allow (both seen in the field).
    package static let timeoutSeconds: Int64 = 15 * 60

    package enum Phase: Hashable, Sendable {
        /// Handed to Apple, or about to be.
        case sent
        /// Apple did not take it: once more, but not before this time.
        case again(notBefore: WallTime)
    }

    package let party: PartyID
    package let hero: HeroID
    /// What the card shows from its beginning on, and in whose words.
    package let card: Card
    package let language: Language
    /// The event that called for the card: it names the start.
    package let sequence: Int
    package let reason: StartReason
    /// When that was, and when the guard counted it.
    package internal(set) var dueAt: WallTime
    /// The start's `timestamp`: the card's updates must have larger ones.
    package internal(set) var timestamp: Int64
    package internal(set) var phase: Phase

    /// Until when it is worth sending.
    package var worthUntil: WallTime { dueAt.adding(seconds: Self.worthSeconds) }

    /// When it is not waited for any more.
    package var givenUpAt: WallTime { dueAt.adding(seconds: Self.timeoutSeconds) }

    package init(
        party: PartyID, hero: HeroID, card: Card, language: Language, sequence: Int,
        reason: StartReason, dueAt: WallTime, timestamp: Int64, phase: Phase
    ) {
        self.party = party
        self.hero = hero
        self.card = card
        self.language = language
        self.sequence = sequence
        self.reason = reason
        self.dueAt = dueAt
        self.timestamp = timestamp
        self.phase = phase
    }

    func isStart(of push: PlannedPush) -> Bool {
        guard case .start(let start) = push.event else { return false }
        return party == start.party && sequence == start.sequence && timestamp == push.timestamp
    }
}
