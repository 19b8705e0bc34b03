import GameLogic
import PushPolicy
import Testing

@Suite("The table")
struct PolicyTests {
    /// The events that cannot wait (rules Q1, Q5).
    private static let high: Set<EventName> = [
        .adventureBegan, .knockedDown, .bossAppeared, .bossDefeated, .partyDefeated,
        .timeLimitReached, .adventureOver, .bossGathers, .inDanger, .helpAsked, .lastStand,
        .fleeAsked, .stopAsked, .worldBossDefeated, .readyAsked,
    ]

    /// The events that somebody can do something about.
    private static let alerting: Set<EventName> = [.knockedDown, .inDanger, .helpAsked, .lastStand]

    @Test("Q1, Q5: a turning point is high priority, everything else low", arguments: Samples.kinds)
    func priority(of kind: PartyEvent.Kind) {
        let isHigh = Self.high.contains(kind.name)
        #expect(Policy.rule(for: kind).priority == (isHigh ? .high : .low))
    }

    @Test("B5: only what a potion can mend alerts", arguments: Samples.kinds)
    func alerts(of kind: PartyEvent.Kind) {
        let alert = Policy.rule(for: kind).alert
        #expect((alert != nil) == Self.alerting.contains(kind.name))
    }

    @Test("Q10, Q11: the player of a knocked-down hero gets an alert that the device localises")
    func fall() {
        let rule = Policy.rule(for: .knockedDown(Samples.panda.tag))
        let alert = Alert(
            titleKey: "%@ is knocked down!", titleArguments: ["Power Panda"],
            bodyKey: "Use a potion to heal %@!", bodyArguments: ["Power Panda"],
            sound: "HeroDown.mp4")
        #expect(rule.alert(onActivityOf: Samples.panda.id) == alert)
        #expect(rule.alert(onActivityOf: Samples.egghead.id) == nil)
    }

    @Test("every push is worth delivering for a while, and no longer than an activity lasts")
    func expiration() {
        for kind in Samples.kinds {
            #expect((60...14_400).contains(Policy.rule(for: kind).expirationSeconds))
        }
    }
}

@Suite("The texts of content states")
struct PhraseTests {
    private let panda = Samples.panda.tag

    @Test("L6: the first activity says that the adventure has begun")
    func beginning() {
        let text = EventTexts.text(for: .adventureBegan(.sample))
        #expect(text == LocalizableText("stolen-pie/2.begins"))
    }

    @Test("a find has the key of its thing, and its hero's name")
    func loot() {
        #expect(
            EventTexts.text(for: .commonLootFound(panda, .sword))
                == LocalizableText("sword.found", .name("Power Panda")))
    }

    @Test(
        "L12: an ending is the pack's, and the card's own hero's, as it came out of the adventure",
        arguments: [
            (.bossDefeated(.dragon, by: Samples.egghead.tag), .standing, "ends.won"),
            (.worldBossDefeated, .knockedDown, "ends.won.down"),
            (.timeLimit, .lostConnection(until: .zero), "ends.night.away"),
            (.fled(.dragon), .knockedDown, "ends.fled.down"),
            (.stopped, .standing, "ends.stopped"), (.partyDefeated, .knockedDown, "ends.lost"),
            (.endedByGameMaster, .knockedDown, "ends.ended"), (.abandoned, .standing, "ends.ended"),
        ] as [(Outcome, Member.Condition, String)])
    func ending(outcome: Outcome, condition: Member.Condition, key: String) {
        let text = EventTexts.text(for: .over(outcome), onActivityOf: panda, condition)
        #expect(text == LocalizableText("stolen-pie/2.\(key)", .name("Power Panda")))
        #expect(EventTexts.text(for: .over(outcome)) == LocalizableText("stolen-pie/2.ends.party"))
    }

    @Test("a text has the telling of its event")
    func telling() throws {
        let telling = try #require(Telling.samples.last)
        let event = PartyEvent(sequence: 1, time: .zero, kind: .stormRaised, telling: telling)
        #expect(EventTexts.text(for: event).telling == telling)
        #expect(EventTexts.text(for: event, onActivityOf: panda).telling == telling)
        let renamed = EventTexts.text(for: .heroJoined(panda), telling).mapNames { _ in "Foxy" }
        #expect(
            renamed
                == LocalizableText(
                    key: "hero.joins", arguments: [.name("Foxy")], telling: telling))
    }

    @Test("a potion for oneself and one for a friend have different sentences")
    func potions() {
        let friend = Samples.egghead.tag
        #expect(
            EventTexts.text(for: .potionUsed(by: panda, on: panda))
                == LocalizableText("hero.drinks", .name("Power Panda")))
        #expect(
            EventTexts.text(for: .potionUsed(by: friend, on: panda))
                == LocalizableText("hero.gives", .name("Egghead"), .name("Power Panda")))
    }

    @Test("L7: health is a fraction, and the caller puts in the words")
    func contentState() {
        let content = LocalizableContent(
            health: Health(thousandths: 941), text: LocalizableText("storm.comes"))
        let state = ContentState(content) { "<\($0.key)>" }
        #expect(state.currentHealthLevel == 0.941)
        #expect(state.eventDescription == "<storm.comes>")
    }
}
