package import GameLogic

/// What one activity is owed: a part of the party's row, so that it is committed with the events
/// that made it due (architecture decision 2).
///
/// A state machine. It holds no queue, only the newest content that the device may lack, the last
/// accepted content, and the pending alert. Pure: it receives what happened, returns what to do,
/// and never reads a clock.
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
/// – nothing changes. "not taken" is a dead token, a pause, Apple's failure, or an unknown outcome.
/// A change to what the device already shows turns due into idle (rule L13). An activity that is
/// gone from its device, or past its age limit without a living token, is ended from any state; a
/// release ends one that has reached that limit with a living token.
///
/// (1) Alerting if an alert is pending; due if newer content is. (2) In flight, and the newer
/// content is due next. (3) With an earlier push still in flight. (4) Ending if it was for an
/// older token or language.
package struct ActivityOutbox: Hashable, Sendable {
    /// The age from which an alert is no longer useful, in milliseconds (promise PR4).
    package static let alertAgeMax: Int64 = 30_000
    /// How far a timestamp may lead the clock, in seconds (promise PR5).
    package static let leadMax: Int64 = 5
    /// The age at which we end an activity, a little before the system does after 8 hours (rule
    /// N1).
    package static let ageMaxSeconds: Int64 = 8 * 60 * 60 - 5 * 60
    /// How long an activity stays on the Lock Screen after its end (rule N5).
    package static let dismissalSeconds: Int64 = 15 * 60

    package let activity: ActivityID
    package private(set) var hero: HeroID
    package private(set) var startedAt: WallTime

    private var delivery: Delivery
    /// What the device shows, as far as is known.
    private(set) var accepted: Shown?
    private(set) var refused: Refusal?
    private(set) var rollOver: RollOver?
    private(set) var lastTimestamp: Int64
    private(set) var pausedUntil: WallTime?
    /// The registration time of a token that Apple reports as dead.
    private(set) var deadTokenAt: WallTime?
    private(set) var audience: Audience?
    private(set) var budget: PushBudget

    /// Each outbox lies in its party's array, which is copied before each change: only transient
    /// states keep their values in a box of their own.
    private enum Delivery: Hashable, Sendable {
        /// The device shows the newest content, or none is known.
        case idle
        /// The same, but the alert of that content is pending.
        indirect case alerting(PendingAlert)
        indirect case due(Due, PendingAlert?)
        /// An alert in flight stays pending, because it may have to go again.
        indirect case inFlight(InFlightPush, next: Due?, PendingAlert?)
        /// The last content, once the adventure is over for this hero.
        indirect case ending(Due)
        indirect case endingAfter(InFlightPush, Due)
        indirect case endInFlight(InFlightPush)
        /// Nothing remains to be sent, now or ever.
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

    /// Restores a snapshot. Of parts that exclude each other, keeps those of the later state.
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

    /// Returns the state with nothing in flight and no end due.
    private static func resting(due: Due?, _ alert: PendingAlert?) -> Delivery {
        if let due { return .due(due, alert) }
        return alert.map { .alerting($0) } ?? .idle
    }
}

// MARK: The state

extension ActivityOutbox {
    /// The content to send next, besides what is in flight.
    var due: Due? {
        switch delivery {
        case .due(let content, _), .inFlight(_, next: let content?, _): content
        case .idle, .alerting, .inFlight, .ending, .endingAfter, .endInFlight, .ended,
            .endedAfter:
            nil
        }
    }

    /// Whether content is to be sent next, besides an alert and what is in flight.
    var isContentDue: Bool {
        switch delivery {
        case .due, .inFlight(_, next: .some, _): true
        case .idle, .alerting, .inFlight, .ending, .endingAfter, .endInFlight, .ended,
            .endedAfter:
            false
        }
    }

    /// The pending alert, until it is delivered or no longer applies.
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

    /// Whether the end is due or was sent: nothing new will be shown.
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

// MARK: Changes

extension ActivityOutbox {
    /// Makes this content due in place of any other; `nil`: none.
    mutating func owe(_ content: Due?) {
        switch delivery {
        case .idle, .alerting, .due: delivery = Self.resting(due: content, alert)
        case .inFlight(let push, next: _, let alert):
            delivery = .inFlight(push, next: content, alert)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// Keeps this alert pending in place of any other; `nil`: none.
    mutating func remember(_ alert: PendingAlert?) {
        switch delivery {
        case .idle, .alerting, .due: delivery = Self.resting(due: due, alert)
        case .inFlight(let push, next: let next, _):
            delivery = .inFlight(push, next: next, alert)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// Makes the last content due, and drops everything else.
    mutating func end(with last: Due) {
        switch delivery {
        case .idle, .alerting, .due: delivery = .ending(last)
        case .inFlight(let push, next: _, _): delivery = .endingAfter(push, last)
        case .ending, .endingAfter, .endInFlight, .ended, .endedAfter: break
        }
    }

    /// Ends the outbox: nothing remains to be sent, now or ever.
    mutating func close() { delivery = inFlight.map { .endedAfter($0) } ?? .ended }

    /// Puts a push in flight and returns its timestamp. No other may be in flight.
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

    /// Takes a high-priority push from the budget. Returns whether one was left.
    mutating func spend(_ size: PushBudget.Size, at now: WallTime) -> Bool {
        budget.spend(size, at: now)
    }

    /// Takes a high-priority push even from an empty budget.
    mutating func overspend(_ size: PushBudget.Size, at now: WallTime) {
        budget.overspend(size, at: now)
    }

    /// Notes whom content is written for. What the device shows in another language, or under
    /// another token, is unknown.
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

    /// Notes that a start by push has created the activity, and the content that it shows.
    mutating func adopt(_ start: PendingStart, version: Int64) {
        startedAt = min(startedAt, start.dueAt)
        lastTimestamp = max(lastTimestamp, start.timestamp)
        guard audience?.language == start.language else { return }
        accepted = Shown(card: start.card, version: version)
        if due?.card == start.card { owe(nil) }
    }

    /// Shows another hero from now on; the next plan makes that hero's content due.
    package mutating func show(_ hero: HeroID) { self.hero = hero }

    mutating func note(_ rollOver: RollOver) { self.rollOver = rollOver }
}

// MARK: Outcomes of pushes

extension ActivityOutbox {
    /// Notes an outcome. Ignores one whose push is no longer in flight: it may be a late one from
    /// before a restart.
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

    /// Handles a restart: the outcome of a push in flight is unknown.
    mutating func recover() {
        guard let push = inFlight else { return }
        land()
        lose(push)
    }

    /// Leaves nothing in flight, and keeps everything else that is owed.
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
        // The activity of a newer token or language has not received its end.
        if push.form == .end, !push.isOutdated { close() }
    }

    /// Handles a final refusal: the device keeps what it shows until there is newer content. After
    /// a refused end nothing remains to be sent. A newer token or language may still get the same.
    private mutating func reject(_ push: InFlightPush) {
        guard !push.isOutdated else {
            restore(push.content)
            return
        }
        refuse(push, until: nil)
        forgetAlert(of: push)
        if push.form == .end { close() }
    }

    /// Notes a refusal. One of an older token means nothing for the newer one.
    private mutating func refuse(_ push: InFlightPush, until: WallTime?) {
        guard !push.isOutdated else { return }
        refused = Refusal(card: push.content.card, form: push.form, until: until)
    }

    /// Handles a lost outcome: the device shows this content or the previous one.
    private mutating func lose(_ push: InFlightPush) {
        accepted = nil
        restore(push.content)
    }

    /// Makes the sent content due again, unless there is newer content or the device shows it.
    private mutating func restore(_ content: Due) {
        let newest = due?.replacing(content) ?? content
        owe(newest.card == accepted?.card ? nil : newest)
    }

    private mutating func forgetAlert(of push: InFlightPush) {
        if let alert, alert.sequence == push.alertSequence { remember(nil) }
    }
}
