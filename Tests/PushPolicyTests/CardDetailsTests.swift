@testable import GameLogic
@testable import PushPolicy
import Content
import FoundationEssentials
import Testing

@Suite("C2: what a card shows beside Apple's two fields")
struct CardDetailsTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    private func stage(_ version: StateVersion = .second) throws -> Stage {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: "forest-quest")).pack)
        stage.registration.stateVersion = version
        stage.clock = StageClock()
        stage.plan([])
        stage.settleAll()
        return stage
    }

    private func ask(_ kind: Ask.Kind, until end: GameTime? = nil, on stage: Stage) {
        let number = stage.party.adventure?.course.nextAsk ?? 1
        stage.party.adventure?.course.asks.append(Ask(id: number, kind: kind, endsAt: end))
        stage.party.adventure?.course.nextAsk = number + 1
    }

    /// Tells something and returns what the card shows then.
    private func card(_ stage: Stage, _ kinds: PartyEvent.Kind...) throws -> CardDetails {
        stage.wait(seconds: 60)
        for kind in kinds { stage.tell(kind) }
        let push = try #require(stage.settleAll().last)
        return try #require(push.details)
    }

    @Test("an app that knows only the first version gets none")
    func first() throws {
        let stage = try stage(.first)
        stage.wait(seconds: 60)
        stage.tell(.stormRaised)
        let push = try #require(stage.push())
        #expect(push.details == nil)
        #expect(push.content.details == 0)
    }

    @Test("loot for all tells each card of its own hero's find")
    func loot() throws {
        for version in StateVersion.allCases {
            let stage = try stage(version)
            stage.wait(seconds: 60)
            stage.tell(.lootForAll(.crown))
            let text = try #require(stage.settleAll().last).content.text
            #expect(text.key == "crown.found")
            #expect(text.arguments == [.name(panda.name)])
        }
        #expect(
            EventTexts.text(for: .lootForAll(.crown), onActivityOf: egghead)
                == EventTexts.text(for: .rareLootFound(egghead, .crown)))
    }

    @Test("the team's moods, in the order of joining")
    func team() throws {
        let stage = try stage()
        stage.party.members[0].health = Health(thousandths: 201)
        stage.party.members[1].health = Health(thousandths: 200)
        #expect(try card(stage, .stormRaised).team.map(\.mood) == [2, 1])
        #expect(try card(stage, .knockedDown(egghead)).team.map(\.mood) == [2, 0])
        #expect(try card(stage, .connectionLost(panda)).team.map(\.mood) == [3, 0])
        #expect(try card(stage, .stormRaised).team.map(\.avatar) == ["🐼", "🐼"])
    }

    @Test("the boss's health in steps of 5, the way in steps of 10")
    func progress() throws {
        let stage = try stage()
        #expect(try card(stage, .stormRaised).boss == nil)
        #expect(try card(stage, .smallHeal(panda, amount: 1)).way == 0)
        stage.party.adventure?.course.stage = 2
        stage.party.adventure?.steps = 20
        let way = try #require(try card(stage, .stormRaised).way)
        #expect((10...90).contains(way))
        #expect(way.isMultiple(of: 10))
        let here = try card(stage, .bossAppeared(.dragon))
        #expect(here.way == 100)
        let whole = try #require(stage.party.adventure?.pack.bosses[.dragon]?.health)
        for (health, percent) in [(whole, 100), (whole / 2, 50), (whole * 12 / 100, 15), (1, 5)] {
            stage.party.adventure?.phase = .boss(.dragon, health: health)
            #expect(try card(stage, .hurt(egghead, by: .bat, damage: 1)).boss == percent)
        }
    }

    @Test("L13: a change too small for a step is no push")
    func unchanged() throws {
        let stage = try stage()
        stage.tell(.bossAppeared(.dragon))
        let whole = try #require(stage.party.adventure?.pack.bosses[.dragon]?.health)
        stage.party.adventure?.phase = .boss(.dragon, health: whole)
        stage.plan([])
        stage.settleAll()
        stage.wait(seconds: 60)
        stage.party.adventure?.phase = .boss(.dragon, health: whole - 1)
        stage.plan([])
        #expect(stage.settleAll().isEmpty)
        stage.party.adventure?.phase = .boss(.dragon, health: whole * 94 / 100)
        stage.plan([])
        #expect(stage.settleAll().count == 1)
    }

    @Test("one question, the most urgent first; its link says where to answer")
    func questions() throws {
        let stage = try stage()
        let fork = Fork("forest-quest/1.fork")
        ask(.loot(.sword, finder: egghead.id), until: .seconds(100), on: stage)
        var shown = try card(stage, .stormRaised)
        #expect(shown.question?.kind == .loot)
        #expect(shown.link == .party(Stage.partyID, panda.id, .ask(1)))
        ask(.fork(fork), until: .seconds(300), on: stage)
        ask(.guardFriend(egghead.id), on: stage)
        stage.party.adventure?.phase = .boss(.dragon, health: 1000)
        ask(.brace, on: stage)
        for kind in [CardQuestion.Kind.brace, .guard, .fork, .loot] {
            shown = try card(stage, .smallHeal(panda, amount: 1), .stormRaised)
            #expect(shown.question?.kind == kind)
            stage.party.adventure?.course.asks.removeLast()
        }
        stage.party.adventure?.course.asks = []
        #expect(try card(stage, .stormRaised).question == nil)
    }

    @Test("a potion comes before all questions, and a friend in need before the others")
    func potions() throws {
        let stage = try stage()
        stage.party.adventure?.phase = .boss(.dragon, health: 1000)
        ask(.brace, on: stage)
        stage.tell(.knockedDown(egghead))
        stage.party.members[1].outing.fall.asked = [panda.id]
        stage.party.members[0].potions = 1
        let give = try card(stage, .stormRaised)
        #expect(
            give.question
                == CardQuestion(
                    .give, text: AskTexts.needsPotion(egghead), button: AskTexts.give))
        #expect(give.link == .party(Stage.partyID, panda.id, .give(egghead.id)))
        let drink = try card(stage, .knockedDown(panda))
        #expect(drink.question?.kind == .potion)
        #expect(drink.link == .party(Stage.partyID, panda.id, .potion))
        stage.party.members[0].potions = 0
        #expect(
            try card(stage, .bossAppeared(.dragon)).link
                == .party(Stage.partyID, panda.id, .battle))
    }

    @Test("votes: whether mine is one, how many said yes, and how many are asked")
    func votes() throws {
        let stage = try stage()
        ask(.fork(Fork("forest-quest/1.fork")), until: .seconds(300), on: stage)
        var votes = try #require(try card(stage, .stormRaised).question?.votes)
        #expect(votes == CardQuestion.Votes(id: 1, isMine: false, yes: 0, of: 2))
        stage.party.adventure?.course.asks[0].note(egghead.id, true)
        stage.party.adventure?.course.asks[0].note(panda.id, true)
        votes = try #require(try card(stage, .smallHeal(panda, amount: 1)).question?.votes)
        #expect(votes == CardQuestion.Votes(id: 1, isMine: true, yes: 2, of: 2))
    }

    @Test("a question's end is a time of the wall clock, and a shift of the clock is a new state")
    func ends() throws {
        let stage = try stage()
        ask(.fork(Fork("forest-quest/1.fork")), until: .seconds(300), on: stage)
        stage.wallOffset = 5000
        let end = try card(stage, .stormRaised).question?.endsAt
        #expect(end == Stage.start.adding(seconds: 305))
        let shown = stage.entry.accepted?.content
        stage.clock = nil
        stage.wait(seconds: 60)
        stage.plan([])
        #expect(stage.settleAll().count == 1)
        #expect(stage.entry.accepted?.content != shown)
    }

    @Test("the card of an end leads to the result")
    func end() throws {
        let stage = try stage()
        let last = try card(stage, .over(.partyDefeated))
        #expect(last == CardDetails(link: .party(Stage.partyID, panda.id, .result)))
    }

    @Test("an app that learns the second version gets its details, and one that forgets it none")
    func update() throws {
        let stage = try stage(.first)
        for version in [StateVersion.second, .first] {
            stage.wait(seconds: 60)
            stage.registration.stateVersion = version
            stage.plan([])
            #expect(stage.settleAll().map { $0.details != nil } == [version == .second])
        }
    }

    @Test("addresses")
    func addresses() {
        let places: [(CardLink.Place, String)] = [
            (.hero, ""), (.battle, "/battle"), (.potion, "/potion"),
            (.give(HeroID("hero-2")), "/give/hero-2"), (.ask(41), "/ask/41"),
            (.result, "/result"), (.gather, "/gather"),
        ]
        #expect(
            places.map { CardLink.party(PartyID("party-1"), HeroID("hero-1"), $0.0).address }
                == places.map { "game:///party/party-1/hero/hero-1" + $0.1 })
        #expect(CardLink.world(event: 3).address == "game:///world/3")
    }

    @Test("the fingerprint is stored: the same in every version of the program")
    func fingerprint() {
        let party = PartyID("party-1")
        let bare = CardDetails(link: .party(party, HeroID("hero-1"), .hero))
        #expect(bare.fingerprint() == 2_863_224_573)
        let full = CardDetails.longest(
            of: panda, in: party, text: AskTexts.stop, button: AskTexts.drink)
        #expect(full.fingerprint() == 3_970_455_871)
    }

    // MARK: On the wire

    /// Apple's sample, as an old app has it.
    private struct Sample: Codable, Equatable {
        let currentHealthLevel: Double
        let eventDescription: String
    }

    @Test("an old app decodes every new state, a new app every old one")
    func decoding() throws {
        let content = LocalizableContent(health: .full, text: AskTexts.drink)
        let details: [CardDetails?] = [
            nil,
            .longest(
                of: panda, in: Stage.partyID, text: AskTexts.stop, button: AskTexts.give),
            CardDetails(link: .party(Stage.partyID, panda.id, .hero)),
        ]
        for detail in details {
            let state = ContentState(content, detail) { $0.key }
            let json = try JSONEncoder().encode(state)
            let old = try JSONDecoder().decode(Sample.self, from: json)
            #expect(old == Sample(currentHealthLevel: 1, eventDescription: "Use a potion"))
            #expect(try JSONDecoder().decode(ContentState.self, from: json) == state)
        }
        let old = try JSONEncoder().encode(Sample(currentHealthLevel: 0.5, eventDescription: "x"))
        let state = try JSONDecoder().decode(ContentState.self, from: old)
        #expect(state == ContentState(currentHealthLevel: 0.5, eventDescription: "x"))
    }
}
