package import GameLogic

/// What one activity is owed: a part of the party's row, so that it is committed with the events
/// that made it due (architecture decision 2).
///
/// A state machine. It holds no queue, only the newest content that the phone may not have seen,
/// what was accepted last, and the alert that is still to be heard. Pure: it is told what
/// happened, returns what to do, and never reads a clock.
///
/// | state | change | release | accepted | rejected | not taken | refresh | recover | end |
/// | --- | --- | --- | --- | --- | --- | --- | --- | --- |
/// | idle | due | – | – | – | – | due | – | ending |
/// | alerting | due | in flight | – | – | – | due | – | ending |
/// | due | due | in flight | – | – | – | due | – | ending |
/// | in flight | (2) | – | idle (1) | idle (1) | due | (2) | due | ending (3) |
/// | ending | – | end in flight | – | – | – | – | – | – |
/// | ending (3) | – | – | ending | ending | ending | – | ending | – |
/// | end in flight | – | – | ended (4) | ended (4) | ending | – | ending | – |
/// | ended | – | – | – | – | – | – | – | – |
/// | ended (3) | – | – | ended | ended | ended | – | ended | – |
///
/// – nothing changes. "not taken" is a dead token, a pause, Apple's failure, or an unknown
/// outcome. A change to what the phone shows already makes idle of due (rule L13); an activity
/// that is gone from its phone, or past its age limit without a living token, is ended from any
/// state, and a release ends one that has reached that limit with one.
/// (1) Alerting if an alert waits; due if newer content does. (2) In flight, and the newer
/// content is due next. (3) With a push in flight that left before. (4) Ending if it was for an
/// older token or language.
package struct ActivityOutbox: Hashable, Sendable {
    /// An older alert is no call for help any more (promise R4).
    package static let alertAgeMax: Int64 = 30_000
    /// How far a timestamp may lead the clock, in seconds (promise R5).
    package static let leadMax: Int64 = 5
    /// The system ends an activity after 8 hours (rule N1); ours ends a little before, by itself.
    package static let ageMaxSeconds: Int64 = 8 * 60 * 60 - 5 * 60
    /// How long an activity stays on the Lock Screen after its end (rule N5).
    package static let dismissalSeconds: Int64 = 15 * 60

    package let activity: ActivityID
    package private(set) var hero: HeroID
    package private(set) var startedAt: WallTime

    private var delivery: Delivery
    /// What the phone shows, as far as is known.
    private(set) var accepted: Shown?
    private(set) var refused: Refusal?
    private(set) var rollOver: RollOver?
    private(set) var lastTimestamp: Int64
    private(set) var pausedUntil: WallTime?
    /// The registration time of a token that Apple called dead.
    private(set) var deadTokenAt: WallTime?
    private(set) var audience: Audience?
    private(set) var budget: PushBudget

    /// Each outbox lies in its party's array, which is copied before each change: only states that
    /// pass keep their values in a box of their own.
    private enum Delivery: Hashable, Sendable {
        /// The phone shows the newest content, or nothing is known to show.
        case idle
        /// The same, but the alert of what it shows has not been heard.
        indirect case alerting(PendingAlert)
        indirect case due(Due, PendingAlert?)
        /// An alert that is on its way is pending still: it may have to go again.
        indirect case inFlight(InFlightPush, next: Due?, PendingAlert?)
        /// The last content, once the adventure is over for this hero.
        indirect case ending(Due)
        indirect case endingAfter(InFlightPush, Due)
        indirect case endInFlight(InFlightPush)
        /// Nothing is left to say, now or ever.
        case ended
        indirect case endedAfter(InFlightPush)
    }

    package init(activity: ActivityID, hero: HeroID, startedAt: WallTime) {
        self.activity = activity
        self.hero = hero
        self.startedAt = startedAt
        delivery = .idle
        lastTimestamp = 0
        budget = PushBudget(at: startedAt)
    }

    /// What was stored. Of parts that exclude each other the later state's are kept.
    package init(activity: ActivityID, _ snapshot: Snapshot) {
        self.activity = activity
        hero = snapshot.hero
        startedAt = snapshot.startedAt
        delivery = Self.delivery(of: snapshot)
        accepted = snapshot.accepted
        refused = snapshot.refused
        rollOver = snapshot.rollOver
        lastTimestamp = snapshot.lastTimestamp
        pausedUntil = snapshot.pausedUntil
        deadTokenAt = snapshot.deadTokenAt
        audience = snapshot.audience
        budget = PushBudget(snapshot.budget)
    }

    private static func delivery(of snapshot: Snapshot) -> Delivery {
        guard let push = snapshot.inFlight else {
            if snapshot.isEnded { return .ended }
            return snapshot.ending.map { .ending($0) }
                ?? resting(due: snapshot.due, snapshot.alert)
        }
        if snapshot.isEnded { return .endedAfter(push) }
        if push.form == .end { return .endInFlight(push) }
        return snapshot.ending.map { .endingAfter(push, $0) }
            ?? .inFlight(push, next: snapshot.due, snapshot.alert)
    }

    /// With nothing in flight, and no end due.
    private static func resting(due: Due?, _ alert: PendingAlert?) -> Delivery {
        if let due { return .due(due, alert) }
        return alert.map { .alerting($0) } ?? .idle
    }
}

// MARK: What the state holds

extension ActivityOutbox {
    /// What must go out next, besides what is in flight.
    var due: Due? {
        switch delivery {
        case .due(let content, _), .inFlight(_, next: let content?, _): content
        case .idle, .alerting, .inFlight, .ending, .endingAfter, .endInFlight, .ended,
            .endedAfter:
            nil
        }
    }

    /// Whether something must go out next, besides an alert and what is in flight.
    var isContentDue: Bool {
        switch delivery {
        case .due, .inFlight(_, next: .some, _): true
        case .idle, .alerting, .inFlight, .ending, .endingAfter, .endInFlight, .ended,
            .endedAfter:
            false
        }
    }

    /// The alert that the player has not heard, as long as there is something to do.
    var alert: PendingAlert? {
        switch delivery {
        case .alerting(let alert): alert
        case .due(_, let alert), .inFlight(_, next: _, let alert): alert
        case .idle, .ending, .endingAfter, .endInFlight, .ended, .endedAfter: nil
        }
    }

    var inFlight: InFlightPush? {
        switch delivery {
        case .inFlight(let push, next: _, _), .endingAfter(let push, _), .endInFlight(let push),
            .endedAfter(let push):
            push
        case .idle, .alerting, .due, .ending, .ended: nil
        }
    }

    var ending: Due? {
        switch delivery {
        case .ending(let last), .endingAfter(_, let last): last
        case .endInFlight(let push): push.content
        case .idle, .alerting, .due, .inFlight, .ended, .endedAfter: nil
        }
    }

    var isEnded: Bool {
        switch delivery {
        case .ended, .endedAfter: true
        case .idle, .alerting, .due, .inFlight, .ending, .endingAfter, .endInFlight: false
        }
    }

    /// The end is due or has been: nothing new will be shown.
    package var isEnding: Bool {
        switch delivery {
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: true
        case .idle, .alerting, .due, .inFlight: false
        }
    }

    package var isInFlight: Bool {
        switch delivery {
        case .inFlight, .endingAfter, .endInFlight, .endedAfter: true
        case .idle, .alerting, .due, .ending, .ended: false
        }
    }
}

// MARK: What happens

extension ActivityOutbox {
    /// This content must go out, in place of what is due; `nil`: nothing must.
    mutating func owe(_ content: Due?) {
        switch delivery {
        case .idle, .alerting, .due: delivery = Self.resting(due: content, alert)
        case .inFlight(let push, next: _, let alert):
            delivery = .inFlight(push, next: content, alert)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// This alert waits to be heard, and no other; `nil`: none.
    mutating func remember(_ alert: PendingAlert?) {
        switch delivery {
        case .idle, .alerting, .due: delivery = Self.resting(due: due, alert)
        case .inFlight(let push, next: let next, _):
            delivery = .inFlight(push, next: next, alert)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// This is the last content: whatever else was owed is not any more.
    mutating func end(with last: Due) {
        switch delivery {
        case .idle, .alerting, .due: delivery = .ending(last)
        case .inFlight(let push, next: _, _): delivery = .endingAfter(push, last)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// Nothing is left to say, now or ever.
    mutating func close() { delivery = inFlight.map { .endedAfter($0) } ?? .ended }

    /// A push leaves with the next timestamp, which is returned. Nothing may be in flight.
    mutating func launch(
        _ content: Due, as form: Form, with alert: PendingAlert?, tokenRegisteredAt: WallTime,
        now: WallTime
    ) -> Int64 {
        lastTimestamp = max(now.seconds, lastTimestamp + 1)
        pausedUntil = nil
        let push = InFlightPush(
            timestamp: lastTimestamp, content: content, form: form,
            alertSequence: alert?.sequence, tokenRegisteredAt: tokenRegisteredAt)
        switch form {
        case .update: delivery = .inFlight(push, next: nil, self.alert)
        case .end: delivery = .endInFlight(push)
        }
        return lastTimestamp
    }

    /// Takes a push of high priority from the budget; returns whether there was one left.
    mutating func spend(_ size: PushBudget.Size, at now: WallTime) -> Bool {
        budget.spend(size, at: now)
    }

    /// Takes a push of high priority even from an empty budget.
    mutating func overspend(_ size: PushBudget.Size, at now: WallTime) {
        budget.overspend(size, at: now)
    }

    /// Notes for whom content is written. What the phone shows in another language, or under
    /// another token, is not known.
    mutating func address(_ audience: Audience) {
        self.audience = audience
        accepted = nil
        refused = nil
        switch delivery {
        case .inFlight(let push, next: let next, let alert):
            delivery = .inFlight(push.outdated, next: next, alert)
        case .endingAfter(let push, let last): delivery = .endingAfter(push.outdated, last)
        case .endInFlight(let push): delivery = .endInFlight(push.outdated)
        case .idle, .alerting, .due, .ending, .ended, .endedAfter: break
        }
    }

    /// Notes that the phone has the activity since a start by push, and what that showed.
    mutating func adopt(_ start: PendingStart, version: Int64) {
        startedAt = min(startedAt, start.dueAt)
        lastTimestamp = max(lastTimestamp, start.timestamp)
        guard audience?.language == start.language else { return }
        accepted = Shown(card: start.card, version: version)
        if due?.card == start.card { owe(nil) }
    }

    /// Shows another hero from now on; the next plan makes their content due.
    package mutating func show(_ hero: HeroID) { self.hero = hero }

    mutating func note(_ rollOver: RollOver) { self.rollOver = rollOver }
}

// MARK: What became of a push

extension ActivityOutbox {
    /// Notes an outcome. One of a push that is not in flight any more is ignored: it may come late
    /// from before a restart.
    mutating func settle(timestamp: Int64, _ outcome: PushOutcome) {
        guard let push = inFlight, push.timestamp == timestamp else { return }
        land()
        switch outcome {
        case .accepted: accept(push)
        case .tokenIsDead:
            deadTokenAt = push.tokenRegisteredAt
            restore(push.content)
        case .rejected: reject(push)
        case .unknown: lose(push)
        case .pause(let until):
            pausedUntil = max(until, pausedUntil ?? until)
            restore(push.content)
        case .retry(let notBefore):
            refuse(push, until: notBefore)
            restore(push.content)
        }
    }

    /// After a restart nobody knows whether Apple took what was in flight.
    mutating func recover() {
        guard let push = inFlight else { return }
        land()
        lose(push)
    }

    /// Nothing is in flight any more; what else is owed stays.
    private mutating func land() {
        switch delivery {
        case .inFlight(_, next: let next, let alert):
            delivery = Self.resting(due: next, alert)
        case .endingAfter(_, let last): delivery = .ending(last)
        case .endInFlight(let push): delivery = .ending(push.content)
        case .endedAfter: delivery = .ended
        case .idle, .alerting, .due, .ending, .ended: break
        }
    }

    private mutating func accept(_ push: InFlightPush) {
        refused = nil
        forgetAlert(of: push)
        accepted =
            push.isOutdated ? nil : Shown(card: push.content.card, version: push.content.version)
        // The activity of a newer token or language has not had its end.
        if push.form == .end, !push.isOutdated { close() }
    }

    /// Refused for good: the phone keeps what it shows, until there is newer content. A refused
    /// end leaves nothing newer to say. To a newer token or language the same may still go.
    private mutating func reject(_ push: InFlightPush) {
        guard !push.isOutdated else {
            restore(push.content)
            return
        }
        refuse(push, until: nil)
        forgetAlert(of: push)
        if push.form == .end { close() }
    }

    /// An outcome of what was sent to an older token says nothing of the newer one.
    private mutating func refuse(_ push: InFlightPush, until: WallTime?) {
        guard !push.isOutdated else { return }
        refused = Refusal(card: push.content.card, form: push.form, until: until)
    }

    /// The phone shows this content or the one before.
    private mutating func lose(_ push: InFlightPush) {
        accepted = nil
        restore(push.content)
    }

    /// What was sent is due again, unless there is something newer, or the phone shows it.
    private mutating func restore(_ content: Due) {
        let newest = due?.replacing(content) ?? content
        owe(newest.card == accepted?.card ? nil : newest)
    }

    private mutating func forgetAlert(of push: InFlightPush) {
        if let alert, alert.sequence == push.alertSequence { remember(nil) }
    }
}
