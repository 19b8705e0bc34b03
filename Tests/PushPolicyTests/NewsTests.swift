@testable import GameLogic
@testable import PushPolicy
import Content
import Testing

@Suite("C7: a card tells its own hero's news")
struct NewsTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag
    private let fall = EventTexts.text(for: .knockedDown(Samples.panda.tag))

    private var ownBlow: PartyEvent.Kind { .hurt(panda, by: .bat, damage: 40) }
    private var othersBlow: PartyEvent.Kind { .hurt(egghead, by: .bat, damage: 40) }

    /// What a push that covers these events tells on Power Panda's card.
    private func told(
        _ kinds: [PartyEvent.Kind], prepare: (Stage) -> Void = { _ in }
    ) throws -> LocalizableText? {
        let stage = try Stage()
        prepare(stage)
        for kind in kinds { stage.tell(kind) }
        return stage.push()?.content.text
    }

    private func text(_ kind: PartyEvent.Kind) -> LocalizableText {
        EventTexts.text(for: kind, onActivityOf: panda)
    }

    // MARK: Of the events of one push

    @Test("the order: from the own fall down to the news of others")
    func order() throws {
        let kinds: [PartyEvent.Kind] = [
            .knockedDown(panda), .helpAsked(panda, of: egghead), .lastStand(egghead),
            .inDanger(panda), .messageSent(.sample), .revived(panda), ownBlow,
            .commonLootFound(panda, .coin), .bossAppeared(.dragon), .forkTaken(.sample, bold: true),
            .leaderChanged(panda), othersBlow,
        ]
        let ranks = kinds.map { NewsPolicy.rule(for: $0).rank(on: panda.id) }
        #expect(ranks == ranks.sorted(by: >))
        #expect(Set(ranks).count == ranks.count)
    }

    @Test("the hero's own news is told, whatever comes after it")
    func own() throws {
        let own: [PartyEvent.Kind] = [
            ownBlow, .commonLootFound(panda, .coin), .foeDefeated(.bat, by: panda),
            .potionUsed(by: panda, on: egghead), .connectionLost(panda),
        ]
        for kind in own {
            #expect(try told([kind, othersBlow]) == text(kind))
            #expect(try told([othersBlow, kind, .stormRaised]) == text(kind))
        }
    }

    @Test("of equals the newest is told")
    func newest() throws {
        #expect(try told([othersBlow, .revived(egghead)]) == text(.revived(egghead)))
        #expect(
            try told([ownBlow, .criticallyHit(panda, by: .bat, damage: 1)])
                == text(.criticallyHit(panda, by: .bat, damage: 1)))
    }

    @Test("what is over by the end of the step is not told")
    func over() throws {
        #expect(
            try told([.knockedDown(panda), .revived(panda), othersBlow]) == text(.revived(panda)))
        // Of a danger that has passed only the hero's own card still speaks.
        #expect(try told([.inDanger(panda), ownBlow]) == text(ownBlow))
        #expect(try told([.inDanger(panda), othersBlow]) == text(.inDanger(panda)))
        #expect(
            try told([.inDanger(panda), ownBlow]) { $0.party.members[0].outing.isInDanger = true }
                == text(.inDanger(panda)))
    }

    @Test("a friend's call for help is told as long as the hero can help")
    func call() throws {
        let call = PartyEvent.Kind.helpAsked(egghead, of: panda)
        func prepare(_ stage: Stage) {
            stage.party.members[0].potions = 1
            stage.party.members[1].condition = .knockedDown
            stage.party.members[1].outing.fall.asked = [panda.id]
        }
        #expect(try told([call, ownBlow], prepare: prepare) == text(call))
        #expect(try told([call, .revived(egghead)], prepare: prepare) == text(.revived(egghead)))
    }

    @Test("a beginning makes old what was before it")
    func beginning() throws {
        let begun = PartyEvent.Kind.adventureBegan(.sample)
        #expect(try told([.potionsFound(panda, count: 1), begun]) == text(begun))
        #expect(try told([begun, ownBlow]) == text(ownBlow))
    }

    @Test("a new leader is news on the leader's card only")
    func leader() throws {
        #expect(try told([othersBlow, .leaderChanged(panda)]) == text(.leaderChanged(panda)))
        #expect(try told([othersBlow, .leaderChanged(egghead)]) == text(othersBlow))
    }

    // MARK: Over several steps

    @Test("while a push is owed, the best news of all steps waits")
    func owed() throws {
        let stage = try Stage()
        stage.registration.pushToken = nil
        for kind in [othersBlow, ownBlow, othersBlow, .stormRaised] { stage.tell(kind) }
        stage.registration.pushToken = PushToken(hex: "70a2")
        #expect(stage.push()?.content.text == text(ownBlow))
    }

    @Test("an accepted push is covered: from then on anything is news")
    func accepted() throws {
        let stage = try Stage()
        stage.tell(ownBlow)
        stage.settleAll()
        stage.tell(othersBlow)
        #expect(stage.push()?.content.text == text(othersBlow))
    }

    @Test("what comes while a push is in flight is the next one's")
    func inFlight() throws {
        let stage = try Stage()
        stage.tell(ownBlow)
        let first = try #require(stage.release().first)
        stage.tell(othersBlow)
        stage.settle(first, .accepted)
        #expect(stage.push()?.content.text == text(othersBlow))
    }

    @Test(
        "a push that was not taken leaves its news to the next one",
        arguments: [
            PushOutcome.unknown, .pause(until: Stage.start), .retry(notBefore: Stage.start),
        ])
    func notTaken(outcome: PushOutcome) throws {
        let stage = try Stage()
        stage.tell(ownBlow)
        let first = try #require(stage.release().first)
        stage.tell(othersBlow)
        stage.settle(first, outcome)
        stage.plan([])
        #expect(stage.push()?.content.text == text(ownBlow))
        #expect(stage.entry.untold.isEmpty)
    }

    @Test("news that was not taken and is over gives way")
    func notTakenAndOver() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        let first = try #require(stage.release().first)
        stage.tell(.revived(panda))
        stage.settle(first, .unknown)
        stage.plan([])
        #expect(stage.push()?.content.text == text(.revived(panda)))
    }

    @Test("PR3: a restart keeps the news of the push in flight")
    func restart() throws {
        let stage = try Stage()
        stage.tell(ownBlow)
        stage.release()
        stage.tell(othersBlow)
        stage.restart()
        #expect(ActivityOutbox(activity: Stage.activity, stage.entry.snapshot) == stage.entry)
        stage.plan([])
        #expect(stage.push()?.content.text == text(ownBlow))
    }

    @Test("what waits for the next choice is bounded, however often pushes are not taken")
    func bounded() throws {
        let stage = try Stage()
        for _ in 1...10 {
            stage.tell(ownBlow)
            let push = try #require(stage.release().first)
            stage.tell(.bossAppeared(.dragon), othersBlow)
            stage.settle(push, .unknown)
            stage.wait(seconds: 1)
            #expect(stage.entry.untold.count <= ActivityOutbox.untoldMax)
        }
    }

    @Test("T4: a new token gets the news that the card tells")
    func newToken() throws {
        let stage = try Stage()
        stage.tell(ownBlow, othersBlow)
        stage.settleAll()
        stage.registration.tokenRegisteredAt = stage.now
        stage.refresh()
        #expect(stage.push()?.content.text == text(ownBlow))
    }

    // MARK: A fall lasts

    @Test(
        "the news of others leaves a fall in place, also with a boss and frequent updates",
        arguments: ["titan-rush", "forest-quest"])
    func lasts(pack: String) throws {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: pack)).pack)
        stage.registration.frequentPushesEnabled = true
        let boss = try #require(stage.party.adventure?.pack.bosses.keys.min { $0.name < $1.name })
        stage.tell(.knockedDown(panda))
        stage.settleAll()
        for kind in [
            .bossAppeared(boss), othersBlow, .stormRaised, .bossEnraged(boss), .bossSweeps(boss),
            .knockedDown(egghead), .revived(egghead), .bossDefeated(boss, by: egghead),
        ] as [PartyEvent.Kind] {
            stage.wait(seconds: 60)
            let decisions = stage.tell(kind)
            #expect(stage.settleAll().isEmpty)
            #expect(stage.content?.text == fall)
            #expect(decisions.map(\.tells?.rank) == [.fall])
        }
    }

    @Test("something of the hero's own takes its place, and stays; others' news then does not")
    func replaced() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        stage.settleAll()
        let need = PartyEvent.Kind.helpAsked(panda, of: egghead)
        stage.tell(need)
        #expect(stage.settleAll().map(\.content.text) == [text(need)])
        stage.tell(.stormRaised)
        #expect(stage.settleAll().isEmpty)
    }

    @Test("a game master's word takes its place for a while, in the words in which it was told")
    func word() throws {
        let stage = try Stage()
        let telling = try #require(Telling.samples.last)
        stage.tell(.knockedDown(panda))
        stage.party.members[0].outing.fall.telling = telling
        stage.settleAll()
        stage.tell(.messageSent(.sample))
        #expect(stage.settleAll().map(\.content.text) == [LocalizableText(.sample)])
        stage.plan([])
        #expect(stage.settleAll().isEmpty)
        stage.tell(othersBlow)
        #expect(
            stage.settleAll().map(\.content.text)
                == [EventTexts.text(for: .knockedDown(panda), telling)])
    }

    @Test("a hero who is up again has news again")
    func up() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        stage.settleAll()
        stage.tell(.revived(panda))
        #expect(stage.settleAll().map(\.content.text) == [text(.revived(panda))])
        stage.tell(othersBlow)
        #expect(stage.settleAll().map(\.content.text) == [text(othersBlow)])
    }

    @Test("the story that broke: in Titan Rush one hero is woken, and another storm comes")
    func titanRush() throws {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: "titan-rush")).pack)
        let others = (3...8).map { Samples.hero("hero-\($0)", "Hero \($0)") }
        for hero in others { stage.plan(try stage.party.apply(.join(hero), at: .zero)) }
        for hero in [Samples.egghead] + others {
            stage.register(ActivityID("\(hero.id)'s card"), for: hero)
        }
        for index in stage.activities.indices {
            stage.activities[index].registration.frequentPushesEnabled = true
            stage.activities[index].registration.stateVersion = .second
        }
        stage.plan(try stage.party.apply(.summonBoss, at: .zero))
        for index in stage.party.members.indices.dropFirst() {
            stage.party.members[index].health = Health(thousandths: 1)
            stage.party.members[index].potions = 0
        }
        stage.plan(try stage.party.apply(.raiseStorm, at: .zero))
        stage.settleAll()
        let woken = Arrangement.heal(Samples.egghead.id, amount: 400, .wakes)
        stage.plan(try stage.party.apply(.arrange(woken), at: .zero))
        stage.settleAll()
        stage.plan(try stage.party.apply(.raiseStorm, at: .zero))
        stage.settleAll()
        let fallen = stage.activities.filter { activity in
            stage.party.member(activity.registration.hero)?.isKnockedDown == true
        }
        #expect(fallen.count >= 6)
        for activity in fallen {
            let member = try #require(stage.party.member(activity.registration.hero))
            let fall = EventTexts.text(
                for: .knockedDown(member.hero.tag), member.outing.fall.telling)
            #expect(activity.outbox?.accepted?.content.text == fall)
        }
    }

    // MARK: The ledger

    @Test("B7: the ledger says which event a card shows and which it passes over, and why")
    func ledger() throws {
        let stage = try Stage()
        let decisions = stage.tell(ownBlow, othersBlow)
        let own = try #require(decisions.first).sequence
        #expect(decisions.map(\.tells?.sequence) == [own, own])
        #expect(
            zip(decisions, [ownBlow, othersBlow]).map { $0.rule(for: $1) } == [
                "a hit can wait (Q1), except in a boss rush with frequent updates (Q6); "
                    + "the card tells it: a blow to its hero (C7)",
                "a hit can wait (Q1), except in a boss rush with frequent updates (Q6); "
                    + "the card tells event \(own) instead: a blow to its hero (C7)",
            ])
    }

    @Test("B7: it says so of a fall that lasts, with its event or without")
    func ledgerOfFall() throws {
        let stage = try Stage()
        let event = try #require(stage.tell(.knockedDown(panda)).first).sequence
        stage.settleAll()
        #expect(
            try #require(stage.tell(.stormRaised).first).rule(for: .stormRaised)
                == "a storm can wait (Q1); the card tells event \(event) instead: its hero's fall "
                + "(C7); the content is unchanged (L13)")
        stage.tell(.messageSent(.sample))
        stage.settleAll()
        #expect(
            try #require(stage.tell(.stormRaised).first).rule(for: .stormRaised)
                == "a storm can wait (Q1); the card keeps telling what lasts: its hero's fall (C7)")
    }

    @Test("a push has the number of the event that it tells")
    func number() throws {
        let stage = try Stage()
        let own = try #require(stage.tell(ownBlow, othersBlow).first).sequence
        #expect(stage.push()?.tells == own)
        stage.party.members[0].health = Health(thousandths: 100)
        stage.plan([])
        #expect(stage.push()?.tells == own)
    }

    @Test("PR3: what waits behind a question is written and read")
    func stored() throws {
        let stage = try Stage()
        stage.tell(ownBlow)
        stage.party.adventure?.course.asks = [Ask(id: 1, kind: .stop, endsAt: nil)]
        stage.plan([])
        #expect(!stage.entry.untold.isEmpty)
        #expect(ActivityOutbox(activity: Stage.activity, stage.entry.snapshot) == stage.entry)
    }

    @Test("a name that is erased is erased in what waits")
    func erased() throws {
        let stage = try Stage()
        stage.tell(ownBlow)
        stage.party.adventure?.course.asks = [Ask(id: 1, kind: .stop, endsAt: nil)]
        stage.plan([])
        let outbox = stage.entry.replacing(name: panda.name, by: "👤")
        #expect(outbox.untold.map(\.text.arguments) == [[.name("👤")]])
    }
}
