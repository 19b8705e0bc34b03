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

    @Test("P10: the sentence about loot is that of Apple's sample")
    func loot() {
        #expect(
            EventTexts.text(for: .commonLootFound(panda, .sword))
                == LocalizableText("%@ found a sword!", .name("Power Panda")))
    }

    @Test("L12: a victory ends the activity with the hero who won it")
    func victory() {
        let over = PartyEvent.Kind.adventureOver(.bossDefeated(.dragon, by: panda))
        #expect(
            EventTexts.text(for: over, onActivityOf: Samples.egghead.tag)
                == LocalizableText(
                    "Adventure over! %@ has defeated the boss! Congrats!", .name("Power Panda")))
    }

    @Test(
        "P10: after any other end the activity's own hero takes a nap",
        arguments: [Outcome.partyDefeated, .timeLimit, .endedByGameMaster, .abandoned])
    func nap(outcome: Outcome) {
        #expect(
            EventTexts.text(for: .adventureOver(outcome), onActivityOf: panda)
                == LocalizableText("Adventure over! %@ is taking a nap.", .name("Power Panda")))
    }

    @Test("a potion for oneself and one for a friend have different sentences")
    func potions() {
        let friend = Samples.egghead.tag
        #expect(
            EventTexts.text(for: .potionUsed(by: panda, on: panda))
                == LocalizableText("%@ drank a potion.", .name("Power Panda")))
        #expect(
            EventTexts.text(for: .potionUsed(by: friend, on: panda))
                == LocalizableText("%@ gave %@ a potion.", .name("Egghead"), .name("Power Panda")))
    }

    @Test("L7: health is a fraction, and the caller puts in the words")
    func contentState() {
        let content = LocalizableContent(
            health: Health(thousandths: 941), text: LocalizableText("A storm is raging!"))
        let state = ContentState(content) { "<\($0.key)>" }
        #expect(state.currentHealthLevel == 0.941)
        #expect(state.eventDescription == "<A storm is raging!>")
    }
}
