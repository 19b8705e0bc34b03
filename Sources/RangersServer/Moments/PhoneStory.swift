internal import GameLogic
internal import PartyStore
internal import PushPolicy

/// A push of the past, with what it showed and what became of it.
struct MadePush: Sendable {
    /// Made again; `nil`: nothing is known of its phone any more.
    let push: PlannedPush?
    let logged: JournalPush
    /// When it was committed, just before it was sent.
    let at: WallTime
    /// The events that it carries and no accepted push had carried.
    let events: [Int]
    /// The newest event when it was sent.
    let newestEvent: Int
    /// Whether the version that created its content is known, and with it its `apns-id`.
    let hasKnownName: Bool
    var response: PushResponse?
}

/// What one phone was sent and showed: what the journal has of its pushes, change by change.
///
/// Pure: a small outbox that decides nothing, because each decision is in the journal already.
struct PhoneStory: Sendable {
    private struct Due: Sendable {
        let content: LocalizableContent
        let version: Int64
        let hasKnownVersion: Bool
    }

    /// The most open events that are kept; older ones still wait with them.
    private static let openMax = 200

    let id: ActivityID
    /// What the app has registered; `nil`: it is not known any more.
    private(set) var card: ActivityRegistration?
    /// The newest pushes, in their order.
    private(set) var sent: [MadePush] = []
    /// The newest push that Apple accepted.
    private(set) var shown: MadePush?
    private(set) var endedAt: WallTime?
    /// Whether the app has said that the activity is gone.
    private(set) var isGone = false
    /// The newest decision.
    private(set) var decision: Decision?
    /// The newest push with a budget, for what is left of it.
    private(set) var paid: MadePush?
    private var open: [Int] = []
    private var openSince: WallTime?
    private var ending: Due?
    private var alert: (sequence: Int, alert: Alert)?
    private var due: Due?
    /// What the outbox took for shown.
    private var believed: LocalizableContent?
    /// The number of the event that the card tells; 0: none is known.
    private var telling = 0
    private let kept: PartyMoments.Kept

    init(_ id: ActivityID, _ card: ActivityRegistration?, keeping kept: PartyMoments.Kept) {
        self.id = id
        self.card = card
        self.kept = kept
    }

    /// Whether an event waits that no accepted push has carried.
    var isBehind: Bool { endedAt == nil && (!open.isEmpty || ending != nil) }

    /// The push whose response is not known.
    var inFlight: MadePush? { sent.last.flatMap { $0.response == nil ? $0 : nil } }

    mutating func show(_ hero: HeroID) { card = card?.seen(through: hero) }

    /// Notes what the app has registered since.
    mutating func learn(_ card: ActivityRegistration) { self.card = card }

    /// Takes over what a start by push has shown.
    mutating func adopt(_ start: PhoneStory) {
        guard shown == nil, let first = start.shown else { return }
        shown = first
        believed = first.push?.content
        telling = first.logged.tells
    }

    /// What the card tells by now.
    private var told: PushAgain.Told { told(telling) }

    /// Finds the sentence of an event that the journal may not have any more.
    private func told(_ sequence: Int) -> PushAgain.Told {
        let made = sent.last { $0.logged.tells == sequence } ?? shown
        return PushAgain.Told(sequence, made?.push?.content.text)
    }

    /// Notes a response to one of the kept pushes.
    mutating func note(_ record: JournalResponse) {
        guard let place = sent.lastIndex(where: { $0.logged.timestamp == record.timestamp })
        else { return }
        sent[place].response = record.response
        let made = sent[place]
        guard record.response.isAccepted else {
            if record.response.reason == PushResponse.Silence.unknown.rawValue { believed = nil }
            restore(made)
            return
        }
        shown = made
        believed = made.push?.content
        open.removeAll { made.events.contains($0) }
        if open.isEmpty { openSince = nil }
        guard made.logged.form == .end else { return }
        endedAt = record.response.at
    }

    private mutating func restore(_ made: MadePush) {
        guard made.logged.form == .update, due == nil, let push = made.push else { return }
        due = Due(
            content: push.content, version: push.contentVersion,
            hasKnownVersion: made.hasKnownName)
    }

    /// Notes a decision of a change; `event` is the one that it is on.
    mutating func note(
        _ decision: Decision, on event: PartyEvent?, in change: LoggedChange, _ again: PushAgain
    ) {
        self.decision = decision
        if decision.notes.contains(.isGone) { isGone = true }
        if decision.disposition == .dropped {
            open.removeAll { $0 == decision.sequence }
            return
        }
        if let mark = decision.tells { telling = mark.sequence }
        openSince = openSince ?? change.at
        if open.last != decision.sequence { open.append(decision.sequence) }
        if open.count > Self.openMax { open.removeFirst() }
        if decision.carriesAlert, let event,
            let occasion = Policy.rule(for: event.kind).alert
        {
            alert = (decision.sequence, occasion.alert)
        }
        guard decision.notes.contains(.ends), ending == nil, let card else { return }
        ending = Due(
            content: again.lastContent(
                for: card, endedBy: event, telling: told,
                newest: due?.content ?? shown?.push?.content),
            version: change.version, hasKnownVersion: true)
    }

    /// Notes what the phone should show after a change.
    mutating func follow(_ change: LoggedChange, _ again: PushAgain) {
        guard let card, ending == nil, let content = again.content(for: card, telling: told)
        else { return }
        let expected = inFlight.map { $0.push?.content } ?? believed
        if content == expected {
            due = nil
        } else if due?.content != content {
            due = Due(
                content: content, version: change.version,
                hasKnownVersion: !change.events.isEmpty)
        }
    }

    /// Notes a push of a change, and makes its content again.
    mutating func note(_ logged: JournalPush, in change: LoggedChange, _ again: PushAgain) {
        // The server was restarted, or the response is lost: the outbox knows nothing any more.
        if inFlight != nil { believed = nil }
        // Behind a question the card keeps what it would tell.
        let isExpected = logged.tells == 0 || logged.tells == telling
        let made = MadePush(
            push: card.map { make(logged, for: $0, in: change, again) }, logged: logged,
            at: change.at, events: open, newestEvent: again.newestEvent,
            hasKnownName: isExpected
                && (logged.form == .end ? ending : due)?.hasKnownVersion ?? false)
        sent.append(made)
        if logged.payment != nil { paid = made }
        due = nil
        trim()
    }

    private mutating func make(
        _ logged: JournalPush, for card: ActivityRegistration, in change: LoggedChange,
        _ again: PushAgain
    ) -> PlannedPush {
        let isEnd = logged.form == .end
        if isEnd, ending == nil {
            let newest = due?.content ?? shown?.push?.content
            ending = Due(
                content: again.lastContent(
                    for: card, endedBy: nil, telling: told, newest: newest),
                version: change.version, hasKnownVersion: false)
        }
        let alert = logged.carriesAlert ? alert : nil
        let update = isEnd ? ending?.content : content(of: logged, for: card, again)
        let content =
            update ?? due?.content
            ?? again.lastContent(
                for: card, endedBy: nil, telling: told, newest: shown?.push?.content)
        return again.push(
            isEnd ? .end : .update,
            PushAgain.Sent(
                timestamp: logged.timestamp, tells: logged.tells, priority: logged.priority,
                alert: alert?.alert,
                alertSequence: alert?.sequence,
                contentVersion: (isEnd ? ending : due)?.version ?? change.version,
                times: times(of: logged), payment: logged.payment),
            to: card, showing: content)
    }

    /// Returns what an update showed. A push that was not taken may leave its news to the next one.
    private mutating func content(
        of logged: JournalPush, for card: ActivityRegistration, _ again: PushAgain
    ) -> LocalizableContent? {
        let content = again.content(for: card, telling: told(logged.tells))
        if logged.tells > 0 { telling = logged.tells }
        return content
    }

    /// What a new token makes due again has no open event.
    private func times(of logged: JournalPush) -> PlannedPush.Times {
        PlannedPush.Times(
            dueSince: min(openSince ?? logged.readyAt, logged.readyAt), readyAt: logged.readyAt)
    }

    /// Forgets what is not asked for. The newest two stay, whose responses are not known yet.
    private mutating func trim() {
        switch kept {
        case .newest(let count):
            if sent.count > 2 * max(2, count) { sent.removeFirst(sent.count - max(2, count)) }
        case .after(let timestamp):
            while sent.count > 2, sent[0].logged.timestamp <= timestamp { sent.removeFirst() }
        }
    }

    /// Notes a start by push, already made again.
    mutating func note(start push: PlannedPush?, _ logged: JournalPush, in change: LoggedChange) {
        sent.append(
            MadePush(
                push: push, logged: logged, at: change.at, events: open, newestEvent: 0,
                hasKnownName: push != nil))
    }

    /// Returns that the newest push was accepted, if the party's row knows that; the time is that of
    /// the push.
    func acceptance(by stored: StoredParty) -> JournalResponse? {
        guard let made = inFlight,
            let activity = stored.activities.first(where: { $0.id == id })
        else { return nil }
        let outbox = activity.outbox?.snapshot
        let isAccepted =
            made.logged.form == .end
            ? outbox?.isEnded ?? true
            : outbox?.inFlight == nil && outbox?.accepted?.content == made.push?.content
        guard isAccepted else { return nil }
        return JournalResponse(
            activity: id, timestamp: made.logged.timestamp,
            response: PushResponse(status: 200, reason: "", at: made.at))
    }

    /// Returns what the phone should show instead of what it shows; `nil`: it shows it.
    func owed(_ again: PushAgain) -> PlannedPush? {
        guard let card, endedAt == nil, !isGone,
            isBehind || (shown == nil && again.isOnAdventure)
        else { return nil }
        let newest = ending?.content ?? again.content(for: card, telling: told)
        guard let newest, newest != shown?.push?.content else { return nil }
        return again.push(
            ending == nil ? .update : .end,
            PushAgain.Sent(
                timestamp: 0, priority: decision?.priority ?? .low, alert: nil, alertSequence: nil,
                contentVersion: 0, times: PlannedPush.Times(at: openSince ?? card.createdAt),
                payment: nil),
            to: card, showing: newest)
    }
}
