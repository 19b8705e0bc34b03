@testable import GameLogic
@testable import PushPolicy
import Content
import Testing

@Suite("What a push carries")
struct PlannedPushTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    @Test("Q10: the player of a knocked-down hero is alerted, above all other activities")
    func fall() throws {
        let stage = try Stage()
        let decisions = stage.tell(.knockedDown(panda))
        #expect(decisions.map(\.carriesAlert) == [true])
        let push = try #require(stage.push())
        #expect(push.alert?.titleArguments == ["Power Panda"])
        #expect(push.priority == .high)
        #expect(push.relevanceScore == 100)
        #expect(push.content.health == .none)
    }

    @Test("B5: a friend's knock-down is high priority without a sound")
    func friendFalls() throws {
        let stage = try Stage()
        let decisions = stage.tell(.knockedDown(egghead))
        #expect(decisions.map(\.carriesAlert) == [false])
        let push = try #require(stage.push())
        #expect(push.alert == nil)
        #expect(push.priority == .high)
    }

    @Test("Q5: a friend without a potion sees a knock-down later, and one who is down does not")
    func helplessFriend() throws {
        for isDown in [false, true] {
            let stage = try Stage()
            if isDown {
                stage.tell(.knockedDown(panda))
                stage.settleAll()
            } else {
                stage.party.members[0].potions = 0
            }
            let decisions = stage.tell(.knockedDown(egghead))
            #expect(decisions.map(\.priority) == [.low])
            // The card of a hero who is down keeps telling its own fall.
            #expect(stage.push()?.priority == (isDown ? nil : .low))
        }
    }

    @Test("B4: two knock-downs are two alerts")
    func twoFalls() throws {
        let stage = try Stage()
        let fall = PartyEvent.Kind.knockedDown(panda)
        let first = stage.tell(fall)
        var pushes = stage.settleAll()
        let second = stage.tell(.revived(panda), fall)
        pushes += stage.settleAll()
        let loud = (first + second).filter(\.carriesAlert)
        #expect(pushes.map(\.alertSequence) == loud.map(\.sequence))
        #expect(Set(pushes.map { $0.contentName(in: Stage.partyID) }).count == 2)
    }

    @Test("PR4: an alert that could not leave for 30 s goes as content without a sound")
    func staleAlert() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        stage.push(.pause(until: stage.now.adding(seconds: 31)))
        stage.wait(seconds: 31)
        let push = try #require(stage.push())
        #expect(push.alert == nil)
        #expect(push.content == stage.content)
        #expect(stage.release().isEmpty)
    }

    @Test("L12, N5: the adventure's end ends the activity, which is dismissed 15 minutes later")
    func end() throws {
        let stage = try Stage()
        stage.tell(.bossDefeated(.dragon, by: egghead), .over(.partyDefeated))
        let push = try #require(stage.push())
        #expect(push.event == .end(dismissalDate: stage.now.adding(seconds: 900)))
        #expect(push.priority == .high)
        #expect(push.staleDate == nil)
        #expect(push.content == stage.content)
        #expect(stage.entry.isDone && stage.entry.isSettled)
    }

    @Test("nothing is ever pushed after the end, not even a new adventure")
    func afterEnd() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        stage.settleAll()
        let events = try stage.party.apply(.start(seed: 8, EmbeddedPacks.classic), at: .zero)
        #expect(stage.plan(events).map(\.disposition) == [.dropped])
        #expect(stage.release().isEmpty)
    }

    @Test("an activity whose end could not leave still shows its own adventure")
    func endWaits() throws {
        let stage = try Stage()
        stage.registration.pushToken = nil
        stage.tell(.over(.timeLimit))
        let last = stage.content
        stage.plan(try stage.party.apply(.start(seed: 8, EmbeddedPacks.classic), at: .zero))
        stage.registration.pushToken = PushToken(hex: "70a2")
        let push = try #require(stage.push())
        #expect(push.content == last)
    }

    @Test("a hero who leaves ends their own activity, not the others'")
    func leaving() throws {
        let stage = try Stage()
        stage.register(ActivityID("egghead's card"), for: Samples.egghead)
        stage.settleAll()
        stage.tell(.heroLeft(egghead))
        let pushes = stage.settleAll()
        #expect(pushes[0].event == .update)
        #expect(pushes[1].event == .end(dismissalDate: stage.now.adding(seconds: 900)))
        #expect(
            pushes[1].content.text == LocalizableText("hero.leaves", .name("Egghead")))
    }

    @Test("Q15: each push moves the stale date on; a lost hero's activity is stale sooner")
    func staleDates() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        #expect(stage.push()?.staleDate == stage.now.adding(seconds: 900))
        stage.wait(seconds: 100)
        stage.tell(.connectionLost(panda))
        #expect(stage.push()?.staleDate == stage.now.adding(seconds: 60))
        stage.wait(seconds: 100)
        stage.tell(.connectionReturned(panda))
        #expect(stage.push()?.staleDate == stage.now.adding(seconds: 900))
    }

    @Test("Q14: a knocked-down hero or a boss makes the activity more relevant")
    func relevance() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        #expect(stage.push()?.relevanceScore == 50)
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.push()?.relevanceScore == 75)
        stage.tell(.commonLootFound(egghead, .coin))
        #expect(stage.push()?.relevanceScore == 75)
    }

    @Test("Q14: no two activities tie: of one score the newest is on top, and keeps its place")
    func ties() throws {
        let stage = try Stage()
        for number in 1...3 {
            stage.now = stage.now.adding(milliseconds: 1)
            stage.register(ActivityID("card \(number)"), for: Samples.panda)
        }
        for kind in [PartyEvent.Kind.stormRaised, .bossAppeared(.dragon)] {
            stage.tell(kind)
            stage.wait(seconds: 60)
            let scores = stage.settleAll().map {
                Relevance.score($0.relevanceScore, precedence: $0.precedence)
            }
            #expect(scores.count == 4)
            #expect(scores == scores.sorted())
            #expect(Set(scores).count == 4)
            #expect(Set(scores.map { $0.rounded(.down) }).count == 1)
        }
    }

    @Test("Q14: activities that are registered in the same millisecond do not tie either")
    func sameMillisecond() throws {
        let stage = try Stage()
        for number in 1...3 { stage.register(ActivityID("card \(number)"), for: Samples.panda) }
        stage.tell(.stormRaised)
        let scores = stage.settleAll().map {
            Relevance.score($0.relevanceScore, precedence: $0.precedence)
        }
        #expect(scores.count == 4 && Set(scores).count == 4)
    }

    @Test("Q14: what one only follows is below every hero of one's own")
    func following() throws {
        let stage = try Stage()
        stage.registration = ActivityRegistration.spectators(
            on: ChannelName("c"), in: .sandbox, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: Stage.partyID, language: .english, at: stage.now)
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.push()?.relevanceScore == Relevance.following)
        #expect(Relevance.score(Relevance.following, precedence: .max) < Double(Relevance.idle))
    }

    @Test("Q4: when the budget is spent, turning points go at low, knock-downs at high")
    func budget() throws {
        let stage = try Stage()
        // The first activity has cost one of ten.
        var priorities: [PushPriority] = []
        for index in 0..<20 {
            stage.tell(index % 2 == 0 ? .bossAppeared(.dragon) : .partyDefeated)
            priorities += stage.settleAll().map(\.priority)
            stage.wait(seconds: 1)
        }
        #expect(priorities.filter { $0 == .high }.count == 9)
        #expect(priorities.last == .low)
        #expect(stage.tell(.bossAppeared(.kraken)).map(\.priority) == [.low])
        stage.tell(.knockedDown(panda))
        #expect(stage.push()?.priority == .high)
        stage.tell(.over(.partyDefeated))
        #expect(stage.push()?.priority == .high)
    }

    @Test("Q8: frequent updates allow more high pushes from the first one on")
    func frequent() throws {
        let stage = try Stage()
        stage.registration.frequentPushesEnabled = true
        var priorities: [PushPriority] = []
        for index in 0..<30 {
            stage.tell(index % 2 == 0 ? .bossAppeared(.dragon) : .partyDefeated)
            priorities += stage.settleAll().map(\.priority)
            stage.wait(seconds: 1)
        }
        #expect(!priorities.isEmpty && priorities.allSatisfy { $0 == .high })
    }

    @Test("Q4: an alert costs the budget like any other high push")
    func alertsCost() throws {
        let stage = try Stage()
        // The first activity has cost one of ten.
        for _ in 0..<4 {
            stage.tell(.knockedDown(panda))
            #expect(stage.settleAll().map(\.priority) == [.high])
            stage.tell(.revived(panda))
            stage.settleAll()
            stage.wait(seconds: 2)
        }
        var priorities: [PushPriority] = []
        for index in 0..<8 {
            stage.tell(index % 2 == 0 ? .bossAppeared(.dragon) : .partyDefeated)
            priorities += stage.settleAll().map(\.priority)
            stage.wait(seconds: 1)
        }
        #expect(priorities.count { $0 == .high } == 5)
    }

    @Test("a push expires some time after it leaves: the more important its event, the later")
    func expirations() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        #expect(stage.push()?.expiration == stage.now.adding(seconds: 15 * 60))
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.push()?.expiration == stage.now.adding(seconds: 60 * 60))
        stage.tell(.over(.timeLimit))
        #expect(stage.push()?.expiration == stage.now.adding(seconds: 4 * 60 * 60))
    }

    @Test("Q14: as long as a hero is down, whatever happens is relevant to their activity")
    func relevanceOfTheFallen() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        #expect(stage.push()?.relevanceScore == 100)
        stage.tell(.commonLootFound(panda, .coin))
        #expect(stage.push()?.relevanceScore == 75)
        stage.tell(.revived(panda))
        #expect(stage.push()?.relevanceScore == 50)
    }
}
