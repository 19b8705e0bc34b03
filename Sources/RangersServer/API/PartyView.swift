internal import GameLogic
internal import JSONWriter
internal import PartyStore
internal import PushPolicy

/// A party as the API shows it.
struct PartyView {
    let stored: StoredParty
    /// Events below this number are no longer kept; `nil`: events were not requested.
    var firstKeptEvent: Int?
    /// Clients get times of the wall clock.
    let wallOffsets: WallOffsets
    let names: NameView
    let words: Words
    let language: Language

    static let cardSchema = JSONSchema.named(
        "Card", .fields(["currentHealthLevel": .fraction, "eventDescription": .text]))

    static let conditionSchema = JSONSchema.choice(["standing", "knockedDown", "lostConnection"])

    static let kindSchema = JSONSchema.choice(EventName.allCases.map(\.rawValue))

    static let eventSchema = JSONSchema.named(
        "Event",
        .fields(
            [
                "sequence": .whole, "kind": kindSchema,
                "at": .time, "gameTimeMilliseconds": .whole, "description": .text,
            ], optional: ["hero": .text]))

    static let schema = JSONSchema.named(
        "Party",
        .fields(
            [
                "id": .text, "version": .whole, "inviteCode": .text,
                "inviteCodeExpiresAt": .time, "leader": .nullable(.text),
                "heroes": .list(
                    HeroView.schema.adding(
                        [
                            "health": .fraction, "potions": .whole,
                            "condition": conditionSchema,
                            "card": .nullable(cardSchema),
                        ], optional: ["score": .whole])),
                "adventure": .nullable(adventureSchema), "events": .list(eventSchema),
            ],
            optional: [
                "readyCheck": ReadyCheckView.schema, "inn": ReadyCheckView.innSchema,
                "firstKeptEvent": .whole,
            ]))

    private static let outcomeSchema = JSONSchema.choice([
        "bossDefeated", "partyDefeated", "timeLimit", "endedByGameMaster", "abandoned", "fled",
        "stopped", "worldBossDefeated",
    ])

    private static let adventureSchema = JSONSchema.named(
        "Adventure",
        .fields(
            [
                "pack": .text, "phase": .choice(["quest", "boss", "over"]),
                "gameTimeMilliseconds": .whole,
                "difficulty": .choice(Difficulty.allCases.map(\.name)),
                "asks": .list(AskView.schema),
            ],
            optional: [
                "boss": .fields(["name": .text, "health": .fraction]), "outcome": outcomeSchema,
                "score": .whole, "pausedUntil": .time, "endsAt": .time,
            ]))

    static let formerSchema = JSONSchema.named(
        "FormerParty",
        .fields([
            "id": .text, "former": .truth,
            "adventure": .nullable(
                .fields(["phase": .choice(["over"]), "outcome": outcomeSchema])),
        ]))

    /// The party with these events, which are JSON already, with commas between them.
    func json(events: ArraySlice<UInt8> = []) -> [UInt8] {
        var heroes = HeroLines()
        return json(events: events, &heroes)
    }

    /// The same with lines of an older version, which are then this version's.
    func json(events: ArraySlice<UInt8>, _ heroes: inout HeroLines) -> [UInt8] {
        var json = jsonBeforeEvents(&heroes)
        json += events
        json += Self.jsonBehindEvents
        return json
    }

    /// What former members see of a party: how its adventure ended, once it has, and
    /// unless it is a later one.
    func jsonForFormerMembers(seesOutcome: Bool = true) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("id", stored.id.rawValue)
        json.field("former", true)
        json.key("adventure")
        if seesOutcome, let outcome = stored.party.adventure?.outcome {
            json.beginObject()
            json.field("phase", "over")
            json.field("outcome", outcome.name)
            json.endObject()
        } else {
            json.null()
        }
        json.endObject()
        return json.bytes
    }

    /// The party up to where its events come; with lines of an older version, which are then this
    /// version's.
    func jsonBeforeEvents(_ heroes: inout HeroLines) -> [UInt8] {
        var json = JSONWriter(reserving: Self.bytesWithoutEvents)
        json.beginObject()
        json.field("id", stored.id.rawValue)
        json.field("version", stored.version)
        json.field("inviteCode", stored.inviteCode)
        json.field("inviteCodeExpiresAt", wallOffsets.wall(at: stored.code.expiresAt))
        json.key("leader")
        if let leader = stored.party.leader { json.value(leader.rawValue) } else { json.null() }
        json.key("heroes")
        json.beginArray()
        // In place: a copy of a member would count the references of all its parts.
        let members = stored.party.members.span
        let cards = cards
        for place in members.indices {
            write(members[place], at: place, saying: cards.text(at: place), &heroes, to: &json)
        }
        json.endArray()
        json.key("adventure")
        if let adventure = stored.party.adventure {
            write(adventure, to: &json)
        } else {
            json.null()
        }
        ReadyCheckView(of: self).write(to: &json)
        if let firstKeptEvent { json.field("firstKeptEvent", firstKeptEvent) }
        json.key("events")
        json.beginArray()
        return json.bytes
    }

    /// What follows the events.
    static let jsonBehindEvents = Array("]}".utf8)

    /// Not inlined, because the caller would then copy the member.
    @inline(never)
    private func write(
        _ member: borrowing Member, at place: Int, saying text: LocalizableText?,
        _ heroes: inout HeroLines, to json: inout JSONWriter
    ) {
        json.beginObject()
        heroes.writeFields(of: member, at: place, as: self, to: &json)
        json.field("health", Double(member.health.thousandths) / 1000)
        json.field("potions", member.potions)
        json.field("condition", member.condition.name)
        if let score = stored.party.score(of: member) { json.field("score", score) }
        json.key("card")
        if let text {
            let description = heroes.description(of: text, at: place, as: self)
            Self.writeCard(member.health, description, to: &json)
        } else {
            json.null()
        }
        json.endObject()
    }

    /// What the heroes' Live Activities say.
    var cards: PartyCards { PartyCards(of: stored.party, stored.activities) }

    /// The content state of a hero's Live Activity that says this, as the field `card`; `null` before
    /// the party's first event.
    func writeCard(
        of member: borrowing Member, saying text: LocalizableText?, to json: inout JSONWriter
    ) {
        json.key("card")
        guard let text else { return json.null() }
        var description = JSONWriter()
        description.value(sentence(of: text))
        Self.writeCard(member.health, description.bytes, to: &json)
    }

    /// The content state; the description is JSON already.
    private static func writeCard(
        _ health: Health, _ description: [UInt8], to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("currentHealthLevel", Double(health.thousandths) / 1000)
        json.key("eventDescription")
        json.raw(description)
        json.endObject()
    }

    /// Returns the text as the caller sees it.
    func sentence(of text: LocalizableText) -> String {
        let hidden = names.replacements(in: stored.party)
        return words.text(
            hidden.isEmpty ? text : text.mapNames { hidden[$0] ?? $0 }, in: language)
    }

    private func write(_ adventure: Adventure, to json: inout JSONWriter) {
        json.beginObject()
        json.field("pack", adventure.pack.reference.id)
        json.field("phase", adventure.phase.name)
        json.field("gameTimeMilliseconds", adventure.advancedTo.milliseconds)
        if case .boss(let boss, let health) = adventure.phase {
            json.object("boss") {
                $0.field("name", String(boss.shortName))
                let whole = adventure.pack.bosses[boss]?.health ?? health
                $0.field("health", Double(health) / Double(whole))
            }
        }
        if case .over(let outcome) = adventure.phase { json.field("outcome", outcome.name) }
        if let score = stored.party.score { json.field("score", score) }
        json.field("difficulty", adventure.course.difficulty.name)
        json.array("asks", adventure.course.asks) { json, ask in
            AskView(ask: ask, stored: stored, wallOffset: wallOffsets.newest)
                .write(button: words.text(AskTexts.button(for: ask.kind), in: language), to: &json)
        }
        if let pause = stored.clock.pause(holding: adventure.advancedTo) {
            let until = wallOffsets.wall(at: pause.until)
            json.field("pausedUntil", until)
            if pause.ending != nil { json.field("endsAt", until) }
        }
        json.endObject()
    }

    /// One event.
    func write(_ logged: LoggedEvent, to json: inout JSONWriter) {
        json.beginObject()
        writeFields(of: logged, to: &json)
        json.endObject()
    }

    func writeFields(of logged: LoggedEvent, to json: inout JSONWriter) {
        json.field("sequence", logged.event.sequence)
        json.field("kind", logged.event.kind.name.rawValue)
        if let hero = logged.event.kind.hero { json.field("hero", hero.id.rawValue) }
        json.field("at", wallOffsets.wall(at: logged.at))
        json.field("gameTimeMilliseconds", logged.event.time.milliseconds)
        let text = EventTexts.text(for: names.kind(logged.event.kind), logged.event.telling)
        json.field("description", words.text(text, in: language))
    }

    /// What a party of four takes, roughly.
    private static let bytesWithoutEvents = 4096
}
