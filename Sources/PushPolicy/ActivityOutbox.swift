package import GameLogic

/// What one activity is owed: a part of the party's row, so that it is committed with the events
/// that made it due (architecture decision 2).
///
/// It holds no queue, only the newest card that the phone may not have seen, what was accepted
/// last, and the alert that is still to be heard. Pure: it is told what happened, answers what
/// to do, and never reads a clock.
package struct ActivityOutbox: Hashable, Sendable {
    /// An older alert is no call for help any more (promise R4).
    package static let alertAgeMax: Int64 = 30_000
    /// How far a timestamp may lead the clock, in seconds (promise R5).
    package static let leadMax: Int64 = 5
    /// The system ends a card after 8 hours (rule N1); ours ends a little before, by itself.
    package static let ageMaxSeconds: Int64 = 8 * 60 * 60 - 5 * 60
    /// How long a card stays on the Lock Screen after its end (rule N5).
    package static let dismissalSeconds: Int64 = 15 * 60

    package let activity: ActivityID
    package private(set) var hero: HeroID
    package private(set) var startedAt: WallTime

    /// The card that must go out next, unless it is in flight already.
    var due: Due?
    /// The call for help that the player has not heard, as long as there is something to do.
    var alert: PendingAlert?
    /// What was authorised and is not answered.
    var inFlight: InFlightPush?
    /// What the phone shows, as far as is known.
    var accepted: Shown?
    var refused: Refusal?
    /// The card's last words, once the adventure is over for this hero.
    var ending: Due?
    var isEnded = false
    var rollOver: RollOver?
    var lastTimestamp: Int64 = 0
    var pausedUntil: WallTime?
    /// The registration time of a token that Apple called dead.
    var deadTokenAt: WallTime?
    var audience: Audience?
    var budget: PushBudget

    package init(activity: ActivityID, hero: HeroID, startedAt: WallTime) {
        self.activity = activity
        self.hero = hero
        self.startedAt = startedAt
        budget = PushBudget(at: startedAt)
    }

    /// What was stored.
    package init(activity: ActivityID, _ snapshot: Snapshot) {
        self.activity = activity
        hero = snapshot.hero
        startedAt = snapshot.startedAt
        due = snapshot.due
        alert = snapshot.alert
        inFlight = snapshot.inFlight
        accepted = snapshot.accepted
        refused = snapshot.refused
        ending = snapshot.ending
        isEnded = snapshot.isEnded
        rollOver = snapshot.rollOver
        lastTimestamp = snapshot.lastTimestamp
        pausedUntil = snapshot.pausedUntil
        deadTokenAt = snapshot.deadTokenAt
        audience = snapshot.audience
        budget = PushBudget(snapshot.budget)
    }
}

extension ActivityOutbox {
    /// Notes that the card was begun by a push, before the app told of it: it has aged since, its
    /// next timestamp must be larger than the start's (rules N1, P1), it shows something already
    /// (rule L13), and an adventure that is over by now has ended it (rule N4).
    package mutating func wasStarted(
        by start: PendingStart, party: Party, version: Int64, now: WallTime
    ) {
        startedAt = min(startedAt, start.dueAt)
        lastTimestamp = max(lastTimestamp, start.timestamp)
        if audience?.language == start.language {
            accepted = Shown(card: start.card, version: version)
            if due?.card == start.card { due = nil }
        }
        guard !party.isOnAdventure, !isEnded, ending == nil else { return }
        let card = Card(of: hero, in: party) ?? Card(health: .full, phrase: Policy.lastWords)
        ending = .ending(card, version: version, since: now)
        due = nil
    }
}

extension ActivityOutbox {
    /// Shows another hero from now on; the next plan makes their card due.
    package mutating func show(_ hero: HeroID) { self.hero = hero }

    /// Ends the card although the story goes on: with what it shows now.
    package mutating func end(in party: Party, version: Int64, now: WallTime) {
        guard !isEnded, ending == nil else { return }
        let card =
            Card(of: hero, in: party) ?? newestCard
            ?? Card(health: .full, phrase: Policy.lastWords)
        ending = .ending(card, version: version, since: due?.since ?? now)
        due = nil
        alert = nil
    }
}

// What the server asks.
extension ActivityOutbox {
    /// The card has had its last words, or they are due: it will show nothing new.
    package var isEnding: Bool { isEnded || ending != nil }

    /// The card has had its end, or is gone from the phone: nothing will ever be pushed again,
    /// and the entry may be removed.
    package var isDone: Bool { isEnded && !isInFlight }

    package var isInFlight: Bool { inFlight != nil }

    /// Something has to go out, now or later.
    package var isDue: Bool {
        guard !isEnded else { return false }
        return due != nil || ending != nil || alert != nil
    }

    /// Nothing to send and nothing to hear.
    package var isQuiet: Bool { !isDue && !isInFlight }
}

extension ActivityOutbox {
    /// The newest card that was noted here.
    var newestCard: Card? {
        ending?.card ?? due?.card ?? inFlight?.content.card ?? accepted?.card ?? refused?.card
    }

    /// What the phone shows once everything in flight has landed.
    var expectedCard: Card? {
        guard let inFlight else { return accepted?.card }
        return inFlight.isOutdated ? nil : inFlight.content.card
    }

    mutating func forgetStaleAlert(at now: WallTime) {
        if alert?.isStale(at: now) == true { alert = nil }
    }

    /// An alert only when the player must act (rule Q9): not for a hero who is up again, nor
    /// after the end, nor long after the fall.
    mutating func forgetMootAlert(in party: Party, at now: WallTime) {
        forgetStaleAlert(at: now)
        if ending != nil || !isDown(in: party) { alert = nil }
    }

    /// Whether the card's hero lies there, and can be helped.
    func isDown(in party: Party) -> Bool {
        party.isOnAdventure && party.member(hero)?.isKnockedDown == true
    }

    /// Nothing is left to say, now or ever.
    mutating func close() {
        isEnded = true
        due = nil
        ending = nil
        alert = nil
    }
}

extension ActivityOutbox.PendingAlert {
    func isStale(at now: WallTime) -> Bool {
        now.milliseconds - at.milliseconds > ActivityOutbox.alertAgeMax
    }
}

extension ActivityOutbox.Due {
    init(card: Card, version: Int64, since: WallTime, rule: Rule) {
        self.init(
            card: card, version: version, since: since, priority: rule.priority,
            relevance: rule.relevance, expirationSeconds: rule.expirationSeconds)
    }

    /// A card that nobody is waiting for: the first one, or one for a new token.
    static func quiet(_ card: Card, version: Int64, since: WallTime) -> Self {
        Self(
            card: card, version: version, since: since, priority: .low,
            relevance: Relevance.ordinary, expirationSeconds: Rule.Expiration.brief)
    }

    /// Takes on the urgency of what it replaces: the newest card, as loud as the loudest.
    func replacing(_ older: Self?) -> Self {
        guard let older else { return self }
        var merged = self
        if older.card == card { merged.version = older.version }
        merged.since = min(older.since, since)
        merged.priority = max(older.priority, priority)
        merged.expirationSeconds = max(older.expirationSeconds, expirationSeconds)
        return merged
    }
}
