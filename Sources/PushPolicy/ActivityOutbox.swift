package import GameLogic

/// What one activity is owed: a part of the party's row, so that it is committed with the events
/// that made it due (docs/internals/pushes.md).
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
/// At a bound of refusals (`OwnRefusals`) the token counts as dead, whatever the outcome.
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
    /// How far a timestamp may lead the wall clock, in seconds (promise PR5). It may lead by more
    /// only after the wall clock was set back (PR12).
    package static let leadMax: Int64 = 5
    /// How long a push waits at most for the wall clock to follow its timestamp, in milliseconds:
    /// of two pushes in a row the second one waits for no more than a second, unless the wall clock
    /// was set back in between, and waiting for the rest of the step would silence the activity.
    static let leadWaitMax: Int64 = 1000
    /// The age at which we end an activity, a little before the system does after 8 hours (rule
    /// N1).
    package static let ageMaxSeconds: Int64 = 8 * 60 * 60 - 5 * 60
    /// The most news that waits for the next choice.
    package static let untoldMax = 2
    /// How long an activity stays on the Lock Screen after its end (rule N5).
    package static let dismissalSeconds: Int64 = 15 * 60
    /// The same, after a victory.
    package static let victoryDismissalSeconds: Int64 = 30 * 60
    /// How long after the end of an adventure the app may hand over an activity of it.
    static let lateSecondsMax: Int64 = 60
    /// The age at which a new activity is started: as long before the limit as APNs may try to
    /// deliver a start.
    package static let rollOverAgeSeconds = ageMaxSeconds - PendingStart.worthSeconds

    package let activity: ActivityID
    package private(set) var hero: HeroID
    package private(set) var startedAt: WallTime

    private(set) var state: OutboxState
    private(set) var rollOver: RollOver?
    /// What the device shows, as far as is known.
    private(set) var accepted: Shown?
    /// What the card may tell beside what is owed: the news of a push that was not taken, and that
    /// behind a question of version 1. At most `untoldMax`; the next plan chooses.
    private(set) var untold: [News]
    /// The newest timestamp on the wire, in seconds of the wall clock.
    private(set) var lastTimestamp: Int64
    private(set) var addressee: Addressee?
    var budget: PushBudget
    private var setbacksApart = Apart<Setbacks>()
    var restraintApart = Apart<Restraint>()

    package init(
        activity: ActivityID, hero: HeroID, startedAt: WallTime, lastTimestamp: Int64 = 0,
        pausedUntil: WallTime? = nil
    ) {
        self.activity = activity
        self.hero = hero
        self.startedAt = startedAt
        state = OutboxState()
        untold = []
        self.lastTimestamp = lastTimestamp
        setbacksApart = Apart(Setbacks(pausedUntil: pausedUntil))
        budget = PushBudget(at: startedAt)
    }

    /// Restores a snapshot.
    package init(activity: ActivityID, _ snapshot: OutboxSnapshot) {
        self.activity = activity
        hero = snapshot.hero
        startedAt = snapshot.startedAt
        state = OutboxState(snapshot)
        accepted = snapshot.accepted
        untold = snapshot.untold
        rollOver = snapshot.rollOver
        lastTimestamp = snapshot.lastTimestamp
        addressee = snapshot.addressee
        budget = PushBudget(snapshot.budget)
        setbacksApart = Apart(
            Setbacks(
                refused: snapshot.refused, pausedUntil: snapshot.pausedUntil,
                deadTokenAt: snapshot.deadTokenAt, refusals: snapshot.refusals))
        restraintApart = Apart(snapshot.restraint)
    }

    package var snapshot: OutboxSnapshot {
        OutboxSnapshot(
            hero: hero, startedAt: startedAt, due: state.due, alert: state.alert,
            inFlight: state.inFlight, accepted: accepted, refused: setbacks.refused,
            ending: state.ending, untold: untold, isEnded: state.isEnded, rollOver: rollOver,
            lastTimestamp: lastTimestamp, pausedUntil: setbacks.pausedUntil,
            deadTokenAt: setbacks.deadTokenAt, refusals: setbacks.refusals,
            addressee: addressee, budget: budget.snapshot, restraint: restraint)
    }
}

// MARK: Queries

extension ActivityOutbox {
    private(set) var setbacks: Setbacks {
        get { setbacksApart.value }
        set { if newValue != setbacks { setbacksApart = Apart(newValue) } }
    }

    /// Whether the end is due or was sent: nothing new will be shown.
    package var isEnding: Bool { state.isEnding }

    package var isInFlight: Bool { state.isInFlight }

    /// Whether the push with this timestamp is in flight.
    package func awaitsOutcome(ofPushAt timestamp: Int64) -> Bool {
        state.inFlight?.timestamp == timestamp
    }

    /// Whether the activity has ended or is gone from the device: nothing will be pushed again, and
    /// the outbox may be removed.
    package var isDone: Bool { state.isEnded && !isInFlight }

    /// Whether APNs has accepted a push to the token, as far as is known.
    package var hasAcceptedPush: Bool { accepted != nil }

    /// Whether something must be sent, now or later.
    package var isDue: Bool {
        state.isContentDue || state.alert != nil || (isEnding && !state.isEnded)
    }

    /// Returns whether what is to be sent has high priority.
    func owesHighPriority(at now: WallTime) -> Bool {
        if state.alert?.isStale(at: now) == false { return true }
        return (state.ending ?? state.due)?.priority == .high
    }

    /// Whether nothing is to be sent and no outcome is awaited.
    package var isSettled: Bool { !isDue && !isInFlight }

    /// The newest content noted here.
    var newestContent: LocalizableContent? {
        let owed = state.ending ?? state.due ?? state.inFlight?.due
        return owed?.content ?? accepted?.content ?? setbacks.refused?.content
    }

    /// Returns when the next timestamp no longer leads the wall clock by more than the limit;
    /// `nil`: it does not. After the wall clock was set back it may lead, but a push still waits for
    /// a second, so that the lead never grows.
    func clockAllowsAt(_ now: WallTime, wallOffset: Int64) -> WallTime? {
        let allowed = (lastTimestamp + 1 - Self.leadMax) * 1000
        let wait = allowed - now.adding(milliseconds: wallOffset).milliseconds
        return wait > 0 ? now.adding(milliseconds: min(wait, Self.leadWaitMax)) : nil
    }

    /// What keeps the activity quiet.
    var restraint: Restraint { restraintApart.value }

    /// Returns whether the budget has a high-priority push left.
    func hasBudget(for registration: ActivityRegistration, at now: WallTime) -> Bool {
        budgetLeft(for: registration, at: now) > 0
    }

    /// Returns the whole high-priority pushes left.
    package func budgetLeft(for registration: ActivityRegistration, at now: WallTime) -> Int {
        Int(budget.left(budgetSize(for: registration), at: now))
    }

    /// Returns when its part of the phone's budget is full again; `nil`: it is full.
    package func budgetFullAt(
        for registration: ActivityRegistration, at now: WallTime
    ) -> WallTime? {
        budget.fullAt(budgetSize(for: registration), at: now)
    }

    /// Returns the size of the activity's part of the phone's budget.
    package func budgetSize(for registration: ActivityRegistration) -> PushBudget.Size {
        PushBudget.Size.of(registration).part(restraint.share)
    }
}

// MARK: Changes

extension ActivityOutbox {
    /// Makes this content due in place of any other; `nil`: none.
    mutating func owe(_ content: DueContent?) { state.owe(content) }

    /// Keeps this news for the next choice, in place of any other.
    mutating func keep(untold news: [News]) { if news != untold { untold = news } }

    /// Notes that the activity's player has acted in the party.
    package mutating func noteAction(at now: WallTime) { restraintApart.value.noteAction(at: now) }

    /// Notes an alert that is sent.
    mutating func noteAlert(at now: WallTime) { restraintApart.value.noteAlert(at: now) }

    /// Lets no push of low priority go before this time; `nil`: at any time.
    mutating func keepGap(until time: WallTime?) {
        if restraint.gapEndsAt != time { restraintApart.value.gapEndsAt = time }
    }

    /// Notes that an adventure begins: its first alerts are heard.
    mutating func noteAdventure() {
        if restraint.ignored > 0 { restraintApart.value.ignored = 0 }
    }

    /// Keeps this alert pending in place of any other; `nil`: none.
    mutating func remember(_ alert: PendingAlert?) { state.remember(alert) }

    /// Makes the last content due, and drops everything else.
    mutating func end(with last: DueContent) {
        untold = []
        state.end(with: last)
    }

    /// The last content, if it is all that is owed.
    var last: LastContent? { state.last }

    /// Keeps the last content in another form.
    mutating func keep(_ last: LastContent) { state.keep(last) }

    /// Ends the outbox: nothing remains to be sent, now or ever.
    mutating func close() {
        untold = []
        state.close()
    }

    /// Puts a push in flight and returns its timestamp. No other may be in flight. `wallOffset` is
    /// the wall clock minus `now`, in milliseconds.
    mutating func launch(
        _ due: DueContent, as form: InFlightPush.Form, with alert: PendingAlert?,
        tokenConfirmedAt: WallTime, now: WallTime, wallOffset: Int64
    ) -> Int64 {
        let wall = now.adding(milliseconds: wallOffset)
        lastTimestamp = max(wall.seconds, lastTimestamp + 1)
        setbacks.pausedUntil = clockAllowsAt(now, wallOffset: wallOffset)
        state.launch(
            InFlightPush(
                timestamp: lastTimestamp, due: due, form: form,
                alertSequence: alert?.sequence, tokenConfirmedAt: tokenConfirmedAt))
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
    mutating func address(_ addressee: Addressee) {
        self.addressee = addressee
        accepted = nil
        setbacks.refused = nil
        keepGap(until: nil)
        state.outdatePush()
    }

    /// Notes that a start by push has created the activity, and the content that it shows.
    mutating func adopt(_ start: PendingStart, version: Int64) {
        startedAt = min(startedAt, start.dueAt)
        lastTimestamp = max(lastTimestamp, start.timestamp)
        guard addressee?.language == start.language else { return }
        accepted = Shown(content: start.content, telling: start.news.told, version: version)
    }

    /// Shows another hero from now on; the next plan makes that hero's content due.
    package mutating func show(_ hero: HeroID) { self.hero = hero }

    mutating func note(_ rollOver: RollOver) { self.rollOver = rollOver }
}

// MARK: Outcomes of pushes

extension ActivityOutbox {
    /// Notes an outcome. Ignores one whose push is no longer in flight: it may be a late one from
    /// before a restart. `refusal`: APNs refused this push for itself.
    mutating func settle(
        timestamp: Int64, _ outcome: PushOutcome, _ refusal: OwnRefusal?,
        for registration: ActivityRegistration
    ) {
        guard let push = state.inFlight, push.timestamp == timestamp else { return }
        state.land()
        switch outcome {
        case .accepted: accept(push)
        case .tokenIsDead:
            setbacks.deadTokenAt = push.tokenConfirmedAt
            restore(push.due)
        case .rejected: reject(push)
        case .unknown: lose(push)
        case .pause(let until):
            setbacks.pausedUntil = max(until, setbacks.pausedUntil ?? until)
            restore(push.due)
        case .retry(let notBefore):
            refuse(push, until: notBefore)
            restore(push.due)
        }
        guard refusal != nil || !setbacks.refusals.isEmpty else { return }
        count(refusal, outcome, of: push, for: registration)
    }

    /// Counts a refusal, and sends nothing more to its target at a bound.
    private mutating func count(
        _ refusal: OwnRefusal?, _ outcome: PushOutcome, of push: InFlightPush,
        for registration: ActivityRegistration
    ) {
        let mark = push.isOutdated ? nil : push.due.content.mark(for: registration)
        if let refusal {
            let givesUp = setbacks.refusals.note(refusal, of: mark)
            if givesUp { setbacks.deadTokenAt = push.tokenConfirmedAt }
        } else if outcome == .accepted, let mark {
            setbacks.refusals.forgive(mark)
        }
    }

    /// Handles a restart: the outcome of a push in flight is unknown.
    mutating func recover() {
        guard let push = state.inFlight else { return }
        state.land()
        lose(push)
    }

    private mutating func accept(_ push: InFlightPush) {
        setbacks.refused = nil
        forgetAlert(of: push)
        accepted =
            push.isOutdated
            ? nil
            : Shown(
                content: push.due.content, telling: push.due.news.told, version: push.due.version)
        // The activity of a newer token or language has not received its end.
        if push.form == .end, !push.isOutdated { close() }
    }

    /// Handles a final refusal: the device keeps what it shows until there is newer content. After
    /// a refused end nothing remains to be sent. A newer token or language may still get the same.
    private mutating func reject(_ push: InFlightPush) {
        guard !push.isOutdated else {
            restore(push.due)
            return
        }
        refuse(push, until: nil)
        forgetAlert(of: push)
        if push.form == .end { close() }
    }

    /// Notes a refusal. One of an older token means nothing for the newer one.
    private mutating func refuse(_ push: InFlightPush, until: WallTime?) {
        guard !push.isOutdated else { return }
        setbacks.refused = Refusal(content: push.due.content, form: push.form, until: until)
    }

    /// Handles a lost outcome: the device shows this content or the previous one.
    private mutating func lose(_ push: InFlightPush) {
        accepted = nil
        restore(push.due)
    }

    /// Makes the sent content due again, unless there is newer content or the device shows it. What
    /// it tells is not told.
    private mutating func restore(_ content: DueContent) {
        if state.due != nil, content.news.isOpen, let news = News(content.content, content.news) {
            untold = Array((untold + [news]).suffix(Self.untoldMax))
        }
        let newest = state.due?.replacing(content) ?? content
        owe(newest.content == accepted?.content ? nil : newest)
    }

    private mutating func forgetAlert(of push: InFlightPush) {
        if let alert = state.alert, alert.sequence == push.alertSequence { remember(nil) }
    }
}
