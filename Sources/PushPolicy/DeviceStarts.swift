package import GameLogic

/// The starts on one device: the guard's memory, the pending start, and those before it that no
/// activity has followed.
///
/// Pure: it receives what happened and returns what to do. It is committed with the party's change
/// that made the start due, so that it survives a restart.
package struct DeviceStarts: Hashable, Sendable {
    /// So many starts in a row that no activity has followed, and the device gets no further one
    /// until its app registers the token again. A stale token looks so: APNs accepts each start, and
    /// no phone carries it out.
    package static let unfollowedMax = 3

    package internal(set) var guardian: PushToStartGuard
    package internal(set) var pending: PendingStart?
    /// Those before the pending one that no activity has followed, the oldest first.
    package internal(set) var unfollowed: [PendingStart]
    /// When the app last said what it shows, without registering its token; `nil`: never.
    package internal(set) var contactedAt: WallTime?

    package init(
        guardian: PushToStartGuard = PushToStartGuard(), pending: PendingStart? = nil,
        unfollowed: [PendingStart] = [], contactedAt: WallTime? = nil
    ) {
        self.guardian = guardian
        self.pending = pending
        self.unfollowed = unfollowed
        self.contactedAt = contactedAt
    }

    /// Returns the start that no app has reported yet, unless it has expired.
    package func pending(at now: WallTime) -> PendingStart? {
        guard let pending, now < pending.givenUpAt else { return nil }
        return pending
    }

    /// Returns whether a start of this party is due for another try.
    func isDueAgain(in party: PartyID, at now: WallTime) -> Bool {
        guard let pending, pending.party == party, case .again(let notBefore) = pending.phase else {
            return false
        }
        return notBefore <= now
    }

    /// Notes the outcome of a start's push. Returns when to retry it. `refusal`: APNs refused this
    /// push for itself.
    ///
    /// A push that was accepted, or whose outcome is unknown, stays pending: a second one could
    /// show a second activity. One that Apple certainly did not accept is retried as long as it is
    /// useful and not refused for good, and is refunded to the guard when it is given up.
    package mutating func settle(
        _ push: PlannedPush, _ outcome: PushOutcome, _ refusal: OwnRefusal? = nil
    ) -> WallTime? {
        guard let pending, pending.isStart(of: push) else { return nil }
        guard !givesUpToken(of: push, refusal) else {
            takeBack()
            return nil
        }
        if refusal == .forGood { self.pending?.refusals += 1 }
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

    /// Returns whether a refusal of the start's push is the last one that its token may give: then the
    /// token is to be retired.
    package func givesUpToken(of push: PlannedPush, _ refusal: OwnRefusal?) -> Bool {
        guard let pending, pending.isStart(of: push), refusal == .forGood else { return false }
        return pending.refusals + 1 >= OwnRefusals.sameMax
    }

    /// After the clock was set back, moves future times to now, so that they do not block the
    /// device.
    mutating func followClock(to now: WallTime) {
        guardian.followClock(to: now)
        if let pending { self.pending?.dueAt = min(pending.dueAt, now) }
        for index in unfollowed.indices {
            unfollowed[index].dueAt = min(unfollowed[index].dueAt, now)
        }
        contactedAt = contactedAt.map { min($0, now) }
    }

    /// Removes a start that has not reached the device and will not.
    mutating func takeBack() {
        guard let pending else { return }
        guardian.refund(startAt: pending.dueAt)
        self.pending = nil
    }

    /// Returns the combined state of one device with two names.
    package func merged(with other: Self) -> Self {
        var both = self
        both.guardian = guardian.merged(with: other.guardian)
        both.contactedAt = [contactedAt, other.contactedAt].compactMap(\.self).max()
        both.pending = pending ?? other.pending
        let aside = pending == nil ? [] : [other.pending].compactMap(\.self)
        both.unfollowed = Self.newest(
            (unfollowed + other.unfollowed + aside.filter { $0.phase == .sent })
                .sorted { $0.dueAt < $1.dueAt })
        return both
    }
}

// MARK: Starts that no activity has followed

extension DeviceStarts {
    /// Returns the starts of this time and later that APNs has, and that no activity has followed;
    /// the oldest first.
    package func unfollowed(since time: WallTime) -> [PendingStart] {
        (unfollowed + [pending].compactMap(\.self)).filter { $0.phase == .sent && $0.dueAt >= time }
    }

    /// Returns the start of a hero's activity for the party's adventure.
    func start(of hero: HeroID, in party: Party) -> PendingStart? {
        (unfollowed + [pending].compactMap(\.self)).last {
            $0.hero == hero && $0.isStart(in: party)
        }
    }

    private static func newest(_ starts: [PendingStart]) -> [PendingStart] {
        Array(starts.suffix(unfollowedMax))
    }

    /// Makes room for another start: the one that was pending is remembered, and those before this
    /// time, when the app registered its token, are forgotten.
    mutating func setPendingAside(since registered: WallTime) {
        if case .again = pending?.phase { takeBack() }
        unfollowed = Self.newest(unfollowed(since: registered))
        pending = nil
    }

    /// Notes that an activity has followed this start: the phone carries starts out.
    mutating func noteFollowed(_ start: PendingStart) {
        unfollowed = []
        if pending == start { pending = nil }
    }

    /// Notes that the app has said what it shows: a start that it does not know was not carried out.
    /// Returns whether there is one to forget.
    package mutating func noteContact(at now: WallTime) -> Bool {
        guard pending != nil || !unfollowed.isEmpty else { return false }
        contactedAt = now
        return true
    }
}

/// An activity that was started by push and that the app has not reported yet.
package struct PendingStart: Hashable, Sendable {
    /// How long Apple may try to deliver a start, in seconds: later it would only surprise.
    package static let worthSeconds: Int64 = 10 * 60
    /// When an unreported start is given up, in seconds: some time after Apple has stopped trying,
    /// so that it cannot arrive after the next one. The app may never wake: after a force-quit, or
    /// while the person has not tapped Allow (both observed on devices).
    package static let timeoutSeconds: Int64 = 15 * 60

    package enum Phase: Hashable, Sendable {
        /// Handed to Apple, or about to be.
        case sent
        /// Not accepted by Apple: to retry, but not before this time.
        case again(notBefore: WallTime)
    }

    package let party: PartyID
    package let hero: HeroID
    /// The adventure, by its seed: it has another one than the party's other adventures.
    package let adventure: UInt64
    /// What the activity shows from its start, and in which language.
    package let content: LocalizableContent
    /// What the content's sentence tells.
    package let news: News.Mark
    package let language: Language
    /// The event that called for the activity; it identifies the start.
    package let sequence: Int
    package let reason: StartReason
    /// When the start became due, and when the guard counted it.
    package internal(set) var dueAt: WallTime
    /// The start's `timestamp`; the activity's updates must have larger ones.
    package internal(set) var timestamp: Int64
    package internal(set) var phase: Phase
    /// How often APNs has refused it for good.
    package internal(set) var refusals: Int

    /// When it was free to leave, last.
    var readyAt: WallTime {
        switch phase {
        case .sent: dueAt
        case .again(let notBefore): max(dueAt, notBefore)
        }
    }

    /// Until when a delivery is useful.
    package var worthUntil: WallTime { dueAt.adding(seconds: Self.worthSeconds) }

    /// When the start is given up.
    package var givenUpAt: WallTime { dueAt.adding(seconds: Self.timeoutSeconds) }

    package init(
        party: PartyID, hero: HeroID, adventure: UInt64, content: LocalizableContent,
        telling news: News.Mark, language: Language, sequence: Int, reason: StartReason,
        dueAt: WallTime, timestamp: Int64, phase: Phase, refusals: Int = 0
    ) {
        self.party = party
        self.hero = hero
        self.adventure = adventure
        self.content = content
        self.news = news
        self.language = language
        self.sequence = sequence
        self.reason = reason
        self.dueAt = dueAt
        self.timestamp = timestamp
        self.phase = phase
        self.refusals = refusals
    }

    /// Returns whether it started something for the party's adventure, which may be over.
    func isStart(in party: Party) -> Bool {
        self.party == party.id && adventure == party.adventure?.seed
    }

    func isStart(of push: PlannedPush) -> Bool {
        guard case .start(let start) = push.event else { return false }
        return party == start.party && sequence == start.sequence && timestamp == push.timestamp
    }
}
