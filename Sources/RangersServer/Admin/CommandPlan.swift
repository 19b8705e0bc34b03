internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// What a command does to one party: its events, the policy's decisions and the pushes that leave
/// with it.
///
/// It comes from a copy of the party, with the same dice and the same policy as the command itself:
/// at the same moment of the same version both give the same. Before an end comes a pause: the plan
/// has what both do.
struct CommandPlan: Sendable {
    /// The party's version before the command.
    let version: Int64
    let events: [PartyEvent]
    private let before: StoredParty
    private let after: StoredParty
    private let pushes: [PlannedPush]
    private let decisions: [Decision]
    private let now: WallTime
    /// At most one: what the end will do that comes after the pause.
    private let ends: [CommandPlan]

    init(_ command: Command, on change: PartyChange) throws {
        var copy = change
        try copy.apply(command)
        let finished = copy.finish()
        version = change.stored.version
        before = change.stored
        after = finished?.commit.stored ?? change.stored
        events = finished?.commit.events ?? []
        decisions = finished?.commit.decisions ?? []
        pushes = finished?.pushes ?? []
        now = change.now
        if case .arrange(.pause(_, then: .some(let ending))) = command {
            ends = [try CommandPlan(.arrange(.end(ending)), on: change)]
        } else {
            ends = []
        }
    }

    /// The schema of the fields that `write` writes.
    static let schema = JSONSchema.fields(plain, optional: ["end": .fields(plain)])

    private static let plain: KeyValuePairs<String, JSONSchema> = [
        "events": .list(
            .fields([
                "sequence": .whole, "kind": .text, "hero": .nullable(.text), "description": .text,
            ])),
        "pushes": .list(.named("PlannedPush", pushSchema)),
        "decisions": .list(
            .fields([
                "event": .whole, "activity": .text, "verdict": .text, "priority": .whole,
                "alert": .boolean, "rule": .text,
            ])),
        "sum": sumSchema,
    ]

    static let sumSchema = JSONSchema.fields([
        "pushes": .whole, "highPriority": .whole, "alerts": .whole, "phones": .whole,
        "belowReserve": .whole,
    ])

    private static let pushSchema = JSONSchema.fields([
        "activity": .text, "player": .nullable(.text), "hero": .nullable(.text), "event": .text,
        "priority": .whole, "language": .text,
        "alert": .nullable(.fields(["title": .text, "body": .text])),
        "card": .fields(["currentHealthLevel": .fraction, "eventDescription": .text]),
        "highPriorityLeft": .fields(["before": .whole, "after": .whole]),
    ])

    /// What a command sends, in numbers.
    struct Sum: Sendable {
        var pushes = 0
        var highPriority = 0
        var alerts = 0
        /// Players' Live Activities that are alive.
        var phones = 0
        /// Those whose budget falls below its reserve by the command.
        var belowReserve = 0

        static func += (sum: inout Sum, other: Sum) {
            sum.pushes += other.pushes
            sum.highPriority += other.highPriority
            sum.alerts += other.alerts
            sum.phones += other.phones
            sum.belowReserve += other.belowReserve
        }

        func write(to json: inout JSONWriter) {
            json.object("sum") { json in
                json.field("pushes", pushes)
                json.field("highPriority", highPriority)
                json.field("alerts", alerts)
                json.field("phones", phones)
                json.field("belowReserve", belowReserve)
            }
        }
    }

    var sum: Sum {
        let phones = before.activities.filter {
            $0.registration.recipient == .player && $0.registration.state.isLiving
        }
        return Sum(
            pushes: pushes.count, highPriority: pushes.count { $0.priority == .high },
            alerts: pushes.count { $0.alert != nil }, phones: phones.count,
            belowReserve: phones.count { phone in
                let reserve = PushBudget.Size.of(phone.registration).reserve
                return left(of: phone.id, in: before) >= reserve
                    && left(of: phone.id, in: after) < reserve
            })
    }

    /// Writes the fields of the plan: events in this language, cards in those of the activities.
    func write(
        in language: Language, words: Words, names: NamesInForce?, to json: inout JSONWriter
    ) {
        json.array("events", events) { json, event in
            json.beginObject()
            json.field("sequence", event.sequence)
            json.field("kind", event.kind.name.rawValue)
            json.field("hero", event.kind.hero?.id.rawValue)
            json.field(
                "description", words.text(EventTexts.text(for: event), in: language))
            json.endObject()
        }
        let hidden = names.flatMap { NamesInPushes($0, in: after) }
        json.array("pushes", pushes) { json, push in
            write(hidden?.applied(to: push) ?? push, words, to: &json)
        }
        json.array("decisions", decisions) { json, decision in write(decision, to: &json) }
        sum.write(to: &json)
        for end in ends {
            json.object("end") { end.write(in: language, words: words, names: names, to: &$0) }
        }
    }

    private func write(_ push: PlannedPush, _ words: Words, to json: inout JSONWriter) {
        let id = activity(of: push)
        let registration = after.activities.first { $0.id == id }?.registration
        json.beginObject()
        json.field("activity", push.recipient.description)
        json.field("player", registration?.player.rawValue)
        json.field("hero", registration?.hero.rawValue)
        json.field("event", push.event.name)
        json.field("priority", push.priority.rawValue)
        json.field("language", push.language.rawValue)
        json.key("alert")
        if let alert = push.alert {
            json.beginObject()
            json.field(
                "title", Self.text(alert.titleKey, alert.titleArguments, push.language, words))
            json.field(
                "body", Self.text(alert.bodyKey, alert.bodyArguments, push.language, words))
            json.endObject()
        } else {
            json.null()
        }
        let state = ContentState(push.content, push.details) { words.text($0, in: push.language) }
        json.object("card") { json in
            json.field("currentHealthLevel", state.currentHealthLevel)
            json.field("eventDescription", state.eventDescription)
        }
        json.object("highPriorityLeft") { json in
            json.field("before", left(of: id, in: before))
            json.field("after", left(of: id, in: after))
        }
        json.endObject()
    }

    private func write(_ decision: Decision, to json: inout JSONWriter) {
        let event = events.first { $0.sequence == decision.sequence }
        json.beginObject()
        json.field("event", decision.sequence)
        json.field("activity", decision.activity.rawValue)
        json.field("verdict", decision.disposition.rawValue)
        json.field("priority", decision.priority.rawValue)
        json.field("alert", decision.carriesAlert)
        json.field("rule", NamedRule.explaining(decision.rule(for: event?.kind)))
        json.endObject()
    }

    private func activity(of push: PlannedPush) -> ActivityID? {
        switch push.recipient {
        case .activity(let id): id
        case .device: nil
        }
    }

    /// Returns how many high-priority pushes an activity's budget has left; 0 without an outbox.
    private func left(of activity: ActivityID?, in stored: StoredParty) -> Int64 {
        guard let found = stored.activities.first(where: { $0.id == activity }),
            let outbox = found.outbox
        else { return 0 }
        return Int64(outbox.budgetLeft(for: found.registration, at: now))
    }

    private static func text(
        _ key: String, _ arguments: [String], _ language: Language, _ words: Words
    ) -> String {
        words.text(
            LocalizableText(key: key, arguments: arguments.map { .name($0) }), in: language)
    }
}

extension PlannedPush.Event {
    /// Apple's name of the event.
    fileprivate var name: String {
        switch self {
        case .update: "update"
        case .end: "end"
        case .start: "start"
        }
    }
}
