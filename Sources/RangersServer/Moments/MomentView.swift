internal import APNsClient
internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// Pushes of the past and what phones showed, as the API shows them: written by the code that
/// encodes pushes, with the names that are hidden now.
struct MomentView {
    private let game: Game
    private let hidden: NamesInPushes?
    private let encoding: PushEncoding
    private let party: PartyID

    /// - Parameters:
    ///   - stored: The party as it was, whose names may be hidden.
    ///   - game: What the endpoints work with.
    init(of stored: StoredParty, in game: Game) {
        self.game = game
        party = stored.id
        hidden = game.names.inForce.flatMap { NamesInPushes($0, in: stored) }
        encoding = PushEncoding(bundleID: game.settings.bundleID, words: game.words)
    }

    static let alertSchema = JSONSchema.fields(["title": .text, "body": .text])
    /// The content state, whose fields depend on the version that the app has named.
    static let contentSchema = JSONSchema.named(
        "ContentState",
        .fields(
            ["currentHealthLevel": .fraction, "eventDescription": .text],
            optional: [
                "link": .text,
                "ask": .fields(
                    ["kind": .text, "text": .text, "button": .text],
                    optional: [
                        "endsAt": .whole, "id": .whole, "mine": .boolean, "yes": .whole,
                        "of": .whole,
                    ]),
                "deadline": .fields(["kind": .text, "at": .whole]),
                "team": .list(.fields(["avatar": .text, "mood": .whole])), "boss": .whole,
                "way": .whole,
            ]))

    static let pushSchema = JSONSchema.named(
        "PastPush",
        .fields([
            "activity": .text, "timestamp": .whole, "events": .list(.whole),
            "tells": .nullable(.whole), "form": .choice(JournalPush.Form.allCases.map(\.rawValue)),
            "priority": .integer(5...10), "alert": .boolean,
            "contentState": .nullable(contentSchema), "bytes": .nullable(.whole),
            "dueSince": .nullable(.time), "readyAt": .time, "sentAt": .time,
            "answeredAt": .nullable(.time),
            "status": .nullable(.whole), "reason": .nullable(.text), "apnsID": .nullable(.text),
        ]))

    // MARK: Pushes

    func write(_ made: MadePush, to json: inout JSONWriter) {
        let push = made.push.map(shown)
        let response = made.response
        json.beginObject()
        json.field("activity", made.logged.activity.rawValue)
        json.field("timestamp", made.logged.timestamp)
        json.array("events", made.events) { $0.value($1) }
        writeTold(of: made, to: &json)
        json.field("form", made.logged.form.rawValue)
        json.field("priority", made.logged.priority.rawValue)
        json.field("alert", made.logged.carriesAlert)
        writeContent(of: push, to: &json)
        json.key("bytes")
        if let bytes = push.flatMap(bytes) { json.value(bytes) } else { json.null() }
        json.field("dueSince", game.wall(at: push?.times.dueSince))
        json.field("readyAt", game.wall(at: made.logged.readyAt))
        json.field("sentAt", game.wall(at: made.at))
        json.field("answeredAt", game.wall(at: response?.at))
        json.key("status")
        if let response, response.status > 0 { json.value(response.status) } else { json.null() }
        json.field("reason", response.flatMap { $0.reason.isEmpty ? nil : $0.reason })
        json.field(
            "apnsID",
            made.hasKnownName
                ? made.push.map { "\(PushID.derived(from: $0.contentName(in: party)))" } : nil)
        json.endObject()
    }

    /// The push as its phone should see it.
    private func shown(_ push: PlannedPush) -> PlannedPush { hidden?.applied(to: push) ?? push }

    /// Returns how many bytes the payload has; `nil`: it cannot be written.
    private func bytes(of push: PlannedPush) -> Int? {
        var texts = TextCache()
        switch try? encoding.encode(push, of: party, texts: &texts) {
        case .push(let request): return request.payload.count
        case .broadcast(let request): return request.payload.count
        case .page(let push): return push.payload.count
        case nil: return nil
        }
    }

    private func writeContent(of push: PlannedPush?, to json: inout JSONWriter) {
        json.key("contentState")
        let state = push.map { push in
            ContentState(push.content, push.details) { game.words.text($0, in: push.language) }
        }
        if let bytes = try? state?.encoded() { json.raw(bytes) } else { json.null() }
    }

    /// The event that the card tells; `null`: a state that lasts, a question, or the end.
    private func writeTold(of made: MadePush, to json: inout JSONWriter) {
        json.field("tells", made.logged.tells > 0 ? made.logged.tells : nil)
    }

    // MARK: Cards

    static let cardSchema = JSONSchema.named(
        "PhoneCard",
        .fields([
            "activity": .text, "hero": .nullable(.text),
            "kind": .choice(["device", "channel", "page"]),
            "language": .nullable(.choice(Language.allCases.map(\.rawValue))),
            "osVersion": .nullable(.text),
            "state": .nullable(.choice(ActivityState.allCases.map(\.rawValue))),
            "token": .nullable(.text), "frequentPushes": .nullable(.boolean),
            "shown": .nullable(
                .fields([
                    "contentState": .nullable(contentSchema), "event": .whole,
                    "tells": .nullable(.whole), "timestamp": .whole,
                    "form": .choice(JournalPush.Form.allCases.map(\.rawValue)),
                    "acceptedAt": .nullable(.time), "staleAt": .nullable(.time),
                    "relevance": .nullable(.number(nil)), "alert": .nullable(alertSchema),
                ])),
            "owed": .nullable(.fields(["contentState": .nullable(contentSchema)])),
            "waits": .nullable(.text), "endedAt": .nullable(.time),
            "budget": .nullable(
                .fields([
                    "left": .whole, "burst": .whole, "hourly": .whole, "nextAt": .nullable(.time),
                ])),
        ]))

    /// Writes the fields of what a phone showed; `activity` is what the party has of it now, if that
    /// was now.
    func writeFields(
        _ told: MomentReader.Card, _ activity: LiveActivity?, after event: Int?, at time: WallTime,
        to json: inout JSONWriter
    ) {
        let (phone, card) = (told.phone, told.phone.card)
        let state = state(of: phone, activity, after: event, at: time)
        let owed = state?.isFinal == true ? nil : told.owed
        json.field("activity", phone.id.rawValue)
        json.field("hero", card?.hero.rawValue)
        json.field("kind", card.map(kind) ?? "device")
        json.field("language", card?.language.rawValue)
        json.field("osVersion", card.flatMap { $0.osVersion.isEmpty ? nil : $0.osVersion })
        json.field("state", state?.rawValue)
        json.field("token", card.flatMap { tail(of: $0, at: time) })
        json.key("frequentPushes")
        if let card { json.value(card.frequentPushesEnabled) } else { json.null() }
        write(phone.shown, to: &json)
        json.key("owed")
        if let owed {
            json.beginObject()
            writeContent(of: shown(owed), to: &json)
            json.endObject()
        } else {
            json.null()
        }
        json.field("waits", owed == nil ? nil : phone.reasonToWait(activity, at: time))
        json.field("endedAt", game.wall(at: phone.endedAt))
        writeBudget(of: phone, activity, at: time, to: &json)
    }

    private func kind(of card: ActivityRegistration) -> String {
        guard card.channel == nil else { return "channel" }
        switch card.screen {
        case .device: return "device"
        case .page: return "page"
        }
    }

    private func write(_ made: MadePush?, to json: inout JSONWriter) {
        json.key("shown")
        guard let made else { return json.null() }
        let push = made.push.map(shown)
        json.beginObject()
        writeContent(of: push, to: &json)
        json.field("event", made.events.last ?? made.newestEvent)
        writeTold(of: made, to: &json)
        json.field("timestamp", made.logged.timestamp)
        json.field("form", made.logged.form.rawValue)
        json.field("acceptedAt", game.wall(at: made.response?.at))
        json.field("staleAt", push?.staleDate)
        json.key("relevance")
        if let push { json.value(push.relevanceScore) } else { json.null() }
        json.key("alert")
        if let alert = push?.alert, let language = push?.language {
            let words = game.words.alert(alert, in: language)
            json.beginObject()
            json.field("title", words.title)
            json.field("body", words.body)
            json.endObject()
        } else {
            json.null()
        }
        json.endObject()
    }

    /// What the app had said of its activity by then; `nil`: nothing.
    private func state(
        of phone: PhoneStory, _ activity: LiveActivity?, after event: Int?, at time: WallTime
    ) -> ActivityState? {
        if let activity { return activity.registration.state }
        if phone.endedAt != nil { return .ended }
        if phone.isGone { return phone.card?.state == .ended ? .ended : .dismissed }
        // Nothing is decided for a card that is gone.
        if let card = phone.card, card.state.isFinal, let event,
            phone.decision?.sequence ?? 0 < event
        {
            return card.state
        }
        guard let card = phone.card else { return phone.decision == nil ? nil : .active }
        return card.createdAt <= time ? .active : nil
    }

    /// The last four digits of the token, if the phone had that one then.
    private func tail(of card: ActivityRegistration, at time: WallTime) -> String? {
        guard let token = card.pushToken, card.tokenRegisteredAt <= time else { return nil }
        return String(token.hex.suffix(4))
    }

    private func writeBudget(
        of phone: PhoneStory, _ activity: LiveActivity?, at time: WallTime,
        to json: inout JSONWriter
    ) {
        json.key("budget")
        guard let card = phone.card, card.recipient == .player,
            let left = phone.budget(activity, card, at: time)
        else { return json.null() }
        json.beginObject()
        json.field("left", left.budget.left(left.size, at: time))
        json.field("burst", left.size.burst)
        json.field("hourly", left.size.hourly)
        json.field("nextAt", game.wall(at: left.budget.nextAt(left.size, at: time)))
        json.endObject()
    }
}

extension PhoneStory {
    /// Returns why the phone does not have the newest card, in words; `nil`: that is on its way.
    fileprivate func reasonToWait(_ activity: LiveActivity?, at now: WallTime) -> String? {
        if let activity, !activity.registration.hasTarget {
            return Decision.Notes.waitsForToken.reasonToWait
        }
        if inFlight != nil { return nil }
        guard let response = sent.last?.response, !response.isAccepted else {
            guard let activity else { return decision?.notes.reasonToWait }
            return activity.outbox?.reasonToWait(for: activity.registration, at: now)
        }
        return response.status > 0
            ? "APNs refused the newest push with \(response.status) \(response.reason)"
            : "the newest push did not reach APNs: \(response.reason)"
    }

    /// Returns the budget of the phone's high-priority pushes, as far as it is known.
    fileprivate func budget(
        _ activity: LiveActivity?, _ card: ActivityRegistration, at time: WallTime
    ) -> (budget: PushBudget, size: PushBudget.Size)? {
        if let outbox = activity?.outbox {
            return (PushBudget(outbox.snapshot.budget), outbox.budgetSize(for: card))
        }
        guard activity == nil, let paid, let payment = paid.logged.payment else { return nil }
        let size = PushBudget.Size.of(card)
        return (.with(payment.after, of: size, at: paid.at), size)
    }
}
