@testable import GameLogic
@testable import PushPolicy
import Content
import Foundation
import Testing

@Suite("C7: a question keeps its words, and its button goes on time")
struct CardQuestionTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag
    private let fork = Fork("forest-quest/1.fork")
    private var ownBlow: PartyEvent.Kind { .hurt(panda, by: .bat, damage: 40) }

    /// A phone of Power Panda, and an adventure whose clock began with the stage.
    private func stage(_ version: StateVersion = .second) throws -> Stage {
        let stage = try Stage()
        stage.registration.stateVersion = version
        stage.clock = StageClock()
        stage.plan([])
        stage.settleAll()
        return stage
    }

    private func ask(_ kind: Ask.Kind, until end: Int64? = nil, on stage: Stage) {
        let number = stage.party.adventure?.course.nextAsk ?? 1
        stage.party.adventure?.course.asks.append(
            Ask(id: number, kind: kind, endsAt: end.map { .seconds($0) }))
        stage.party.adventure?.course.nextAsk = number + 1
    }

    private func close(on stage: Stage) {
        stage.party.adventure?.course.asks = []
        stage.plan([])
    }

    /// Tells something, and returns the newest push.
    private func push(_ stage: Stage, _ kinds: PartyEvent.Kind...) throws -> PlannedPush {
        for kind in kinds { stage.tell(kind) }
        stage.plan([])
        return try #require(stage.settleAll().last)
    }

    private func text(_ kind: PartyEvent.Kind) -> LocalizableText {
        EventTexts.text(for: kind, onActivityOf: panda)
    }

    // MARK: The sentence that asks

    @Test("each question has its own sentence, with whom it is about")
    func sentences() throws {
        let questions: [(Ask.Kind, LocalizableText)] = [
            (.flee, LocalizableText("ask.flee")), (.stop, LocalizableText("ask.stop")),
            (.brace, LocalizableText("dragon.gathers")),
            (.guardFriend(egghead.id), LocalizableText("ask.guard", .name("Egghead"))),
            (.fork(fork), LocalizableText("forest-quest/1.fork.ask")),
            (.loot(.crown, finder: egghead.id), LocalizableText("ask.loot", .name("Egghead"))),
        ]
        for (kind, sentence) in questions {
            let stage = try stage()
            stage.party.adventure?.phase = .boss(.dragon, health: 1000)
            ask(kind, on: stage)
            #expect(try push(stage).details?.question?.text == sentence)
        }
    }

    @Test("a boss's warning asks in the words of its event")
    func warning() throws {
        let stage = try stage()
        let telling = try #require(Telling.samples.last)
        stage.party.adventure?.phase = .boss(.dragon, health: 1000)
        stage.party.adventure?.course.asks = [
            Ask(id: 1, kind: .brace, endsAt: nil, telling: telling)
        ]
        #expect(
            try push(stage, .stormRaised).details?.question?.text
                == EventTexts.text(for: .bossGathers(.dragon), telling))
    }

    @Test("a potion asks too: of who is down, in danger, or has a friend who is down")
    func potions() throws {
        let stage = try stage()
        stage.party.members[0].potions = 1
        stage.party.members[1].condition = .knockedDown
        stage.party.members[1].outing.fall.asked = [panda.id]
        let give = try push(stage, .helpAsked(egghead, of: panda))
        #expect(give.details?.question?.text == LocalizableText("ask.give", .name("Egghead")))
        stage.party.members[0].outing.isInDanger = true
        let danger = try push(stage, .inDanger(panda))
        #expect(
            danger.details?.question?.text
                == LocalizableText("ask.endangered", .name("Power Panda")))
        let down = try push(stage, .knockedDown(panda))
        #expect(down.details?.question?.text == LocalizableText("ask.drink", .name("Power Panda")))
    }

    @Test("while the question is open, its words stay, and the news goes below")
    func keeps() throws {
        let stage = try stage()
        stage.tell(ownBlow)
        ask(.fork(fork), until: 300, on: stage)
        let asked = try push(stage, .forkAsked(fork))
        #expect(asked.details?.question?.text.key == "forest-quest/1.fork.ask")
        #expect(asked.content.text == text(ownBlow))
        for kind in [PartyEvent.Kind.hurt(egghead, by: .bat, damage: 1), .stormRaised] {
            let next = try push(stage, kind)
            #expect(next.details?.question?.text == asked.details?.question?.text)
            #expect(next.content.text == text(kind))
        }
    }

    @Test("an event that asks is told as news where it asks others")
    func others() throws {
        let stage = try stage(.first)
        ask(.guardFriend(panda.id), on: stage)
        let weak = PartyEvent.Kind.guardAsked(panda)
        #expect(try push(stage, weak).content.text == text(weak))
    }

    @Test(
        "a card that comes with a question tells how it began, also when the question is over",
        arguments: StateVersion.allCases)
    func late(version: StateVersion) throws {
        let stage = try stage(version)
        ask(.flee, until: 300, on: stage)
        stage.tell(.fleeAsked)
        stage.activities = []
        stage.register(Stage.activity, for: Samples.panda)
        stage.registration.stateVersion = version
        stage.refresh()
        let began = text(.adventureBegan(EmbeddedPacks.classic.reference))
        let first = try push(stage)
        #expect(first.content.text == (version == .first ? AskTexts.flee : began))
        close(on: stage)
        #expect(try push(stage).content.text == began)
        #expect(PartyCards(of: stage.party, []).text(at: 0) == began)
    }

    @Test("Q14: a card with a question stays on top as long as the question is open")
    func relevance() throws {
        let stage = try stage()
        ask(.fork(fork), until: 300, on: stage)
        #expect(try push(stage, .forkAsked(fork)).relevanceScore == Relevance.asking)
        #expect(try push(stage, ownBlow).relevanceScore == Relevance.asking)
        close(on: stage)
        #expect(try push(stage, .stormRaised).relevanceScore == Relevance.ordinary)
    }

    @Test("the fingerprint covers the sentence and its names")
    func fingerprint() {
        func mark(_ text: LocalizableText) -> UInt32 {
            CardDetails(
                link: .world(event: 1),
                question: CardQuestion(.potion, text: text, button: AskTexts.drink)
            ).fingerprint()
        }
        let texts = [
            AskTexts.isDown(panda), AskTexts.isInDanger(panda), AskTexts.isDown(egghead),
        ]
        #expect(Set(texts.map(mark)).count == texts.count)
    }

    // MARK: Version 1

    @Test("version 1 says the question in eventDescription, and tells afterwards what it hid")
    func first() throws {
        let stage = try stage(.first)
        ask(.flee, until: 300, on: stage)
        #expect(try push(stage, .fleeAsked).content.text == AskTexts.flee)
        stage.tell(ownBlow)
        #expect(try push(stage).content.text == AskTexts.flee)
        stage.tell(.hurt(egghead, by: .bat, damage: 1))
        #expect(stage.settleAll().isEmpty)
        close(on: stage)
        #expect(try push(stage).content.text == text(ownBlow))
    }

    @Test("version 1 tells again what it told before a question that nothing followed")
    func firstWithoutNews() throws {
        let stage = try stage(.first)
        #expect(try push(stage, ownBlow).content.text == text(ownBlow))
        ask(.flee, until: 300, on: stage)
        #expect(try push(stage, .fleeAsked).content.text == AskTexts.flee)
        close(on: stage)
        #expect(try push(stage).content.text == text(ownBlow))
    }

    @Test("version 1 tells a hero who is down so, and asks nothing about potions")
    func firstDown() throws {
        let stage = try stage(.first)
        ask(.fork(fork), until: 300, on: stage)
        let fall = PartyEvent.Kind.knockedDown(panda)
        #expect(try push(stage, .forkAsked(fork), fall).content.text == text(fall))
    }

    @Test("B7: the ledger says that the card asks meanwhile")
    func ledger() throws {
        let stage = try stage(.first)
        ask(.flee, until: 300, on: stage)
        let decision = try #require(stage.tell(ownBlow).first)
        #expect(decision.notes.contains(.asksInstead))
        #expect(
            decision.rule(for: ownBlow).hasSuffix(
                "the card tells it: a blow to its hero (C7); an open question stands in its "
                    + "place (C7)"))
    }

    @Test("spectators are asked nothing: an event that asks is a part of their story")
    func spectators() throws {
        let stage = try stage()
        stage.registration = ActivityRegistration.spectators(
            on: ChannelName("AAAA"), in: .sandbox, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: Stage.partyID, language: .english, at: Stage.start)
        ask(.flee, until: 300, on: stage)
        let push = try push(stage, .fleeAsked)
        #expect(push.content.text == AskTexts.flee && push.details?.question == nil)
        #expect(push.staleDate == stage.now.adding(seconds: 900))
    }

    // MARK: The stale date

    @Test(
        "Q15: a push with a question is stale at its end, or as usual if that is earlier",
        arguments: StateVersion.allCases)
    func stale(version: StateVersion) throws {
        let stage = try stage(version)
        // The clock began a minute before.
        ask(.flee, until: 360, on: stage)
        #expect(try push(stage, .fleeAsked).staleDate == stage.now.adding(seconds: 300))
        stage.party.adventure?.course.asks = []
        ask(.fork(fork), until: 6000, on: stage)
        #expect(try push(stage, .forkAsked(fork)).staleDate == stage.now.adding(seconds: 900))
    }

    @Test(
        "Q15: with two questions the earlier end counts, whichever the card shows",
        arguments: StateVersion.allCases)
    func twoQuestions(version: StateVersion) throws {
        let stage = try stage(version)
        ask(.fork(fork), until: 360, on: stage)
        ask(.loot(.crown, finder: egghead.id), until: 160, on: stage)
        #expect(try push(stage, .stormRaised).staleDate == stage.now.adding(seconds: 100))
    }

    @Test(
        "Q15: at the end of a question a push restores the usual date",
        arguments: StateVersion.allCases)
    func restores(version: StateVersion) throws {
        let stage = try stage(version)
        ask(.fork(fork), until: 360, on: stage)
        ask(.loot(.crown, finder: egghead.id), until: 160, on: stage)
        stage.plan([])
        stage.settleAll()
        stage.wait(seconds: 100)
        stage.party.adventure?.course.asks.removeLast()
        #expect(try push(stage).staleDate == stage.now.adding(seconds: 200))
        stage.wait(seconds: 200)
        close(on: stage)
        let last = try push(stage)
        #expect(last.staleDate == stage.now.adding(seconds: 900))
        #expect(last.details?.question == nil)
    }

    @Test("Q15: a question to others, and one without an end, leave the usual date")
    func usual() throws {
        let stage = try stage()
        stage.party.adventure?.phase = .boss(.dragon, health: 1000)
        stage.party.members[0].condition = .knockedDown
        ask(.flee, until: 100, on: stage)
        #expect(try push(stage, .fleeAsked).staleDate == stage.now.adding(seconds: 900))
        stage.party.members[0].condition = .standing
        stage.party.adventure?.course.asks = []
        ask(.guardFriend(egghead.id), on: stage)
        #expect(try push(stage).staleDate == stage.now.adding(seconds: 900))
    }

    @Test("Q15: a boss's warning ends with the boss's next blow")
    func blow() throws {
        let stage = try stage()
        stage.party.adventure?.phase = .boss(.dragon, health: 1000)
        stage.party.adventure?.nextStepAt = .seconds(75)
        ask(.brace, on: stage)
        let blow = Stage.start.adding(seconds: 75)
        let asked = try push(stage, .bossGathers(.dragon))
        #expect(asked.details?.question?.endsAt == blow && asked.staleDate == blow)
    }

    @Test("Q15: a ready check makes cards stale at its end, by the wall clock")
    func readyCheck() throws {
        let stage = try stage()
        stage.party.adventure = nil
        stage.wallOffset = 7000
        let end = stage.now.adding(seconds: 120)
        let plan = ReadyCheck.Plan(
            seed: 1, EmbeddedPacks.classic, .normal, endsAt: end.milliseconds, quorum: .anybody)
        stage.plan(try stage.party.apply(.checkReadiness(plan), at: .zero))
        let push = try push(stage)
        #expect(push.details?.question?.text == AskTexts.isReady)
        #expect(push.staleDate == end.adding(seconds: 7))
        #expect(push.details?.question?.endsAt == end.adding(seconds: 7))
        #expect(push.details?.link == .party(Stage.partyID, panda.id, .gather))
        stage.plan([try stage.party.cancelReadyCheck()])
        let last = try #require(stage.settleAll().last)
        #expect(last.staleDate == nil)
    }

    // MARK: Deadlines

    @Test("a second wind, the woods and the last stand are times in the state")
    func deadlines() throws {
        let stage = try stage()
        let at = Stage.start.adding(seconds: 500)
        #expect(try push(stage, .stormRaised).details?.deadline == nil)
        stage.tell(.knockedDown(panda))
        stage.party.members[0].outing.fall.secondWindAt = .seconds(500)
        #expect(try push(stage).details?.deadline == CardDeadline(.secondWind, at: at))
        stage.party.adventure?.course.lastStandUntil = .seconds(500)
        #expect(try push(stage).details?.deadline == CardDeadline(.lastStand, at: at))
        stage.party.adventure?.course.lastStandUntil = nil
        stage.party.members[0].condition = .lostConnection(until: .seconds(500))
        #expect(try push(stage).details?.deadline == CardDeadline(.woods, at: at))
    }

    /// A content state of an app, with dates.
    private struct AppState: Decodable {
        struct Ask: Decodable {
            let text: String
            let endsAt: Date?
        }
        struct Deadline: Decodable {
            let kind: String
            let at: Date
        }
        let ask: Ask?
        let deadline: Deadline?
    }

    @Test("a default JSONDecoder reads the times as dates")
    func dates() throws {
        let end = WallTime(milliseconds: 1_685_952_000_999)
        let details = CardDetails(
            link: .world(event: 1),
            question: CardQuestion(
                .flee, text: AskTexts.flee, button: AskTexts.drink, endsAt: end),
            deadline: CardDeadline(.secondWind, at: end))
        let state = ContentState(
            LocalizableContent(health: .full, text: AskTexts.drink), details, words: { $0.key })
        let read = try JSONDecoder().decode(AppState.self, from: JSONEncoder().encode(state))
        let date = Date(timeIntervalSince1970: 1_685_952_000)
        #expect(read.ask?.endsAt == date && read.ask?.text == "ask.flee")
        #expect(read.deadline?.at == date && read.deadline?.kind == "secondWind")
    }
}
