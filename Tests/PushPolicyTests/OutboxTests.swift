@testable import PushPolicy
import GameLogic
import Testing

@Suite("What one activity is owed")
struct OutboxTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    @Test("L15: an event of any hero of the team goes to the activity")
    func team() throws {
        let stage = try Stage()
        let decisions = stage.tell(.commonLootFound(egghead, .coin))
        #expect(decisions.map(\.disposition) == [.sent])
        let push = try #require(stage.push())
        #expect(push.content.text == LocalizableText("coin.found", .name("Egghead")))
        #expect(push.priority == .low)
        #expect(push.alert == nil)
        #expect(push.event == .update)
    }

    @Test("B4: the newest state wins; what rides along is merged")
    func newest() throws {
        let stage = try Stage()
        let decisions = stage.tell(.commonLootFound(egghead, .coin), .stormRaised)
        #expect(decisions.map(\.disposition) == [.sent, .merged])
        #expect(stage.tell(.bossEnraged(.dragon)).map(\.disposition) == [.merged])
        let pushes = stage.settleAll()
        #expect(pushes.map(\.content) == [stage.content])
    }

    @Test("a push is as loud as the loudest event that it carries")
    func loudest() throws {
        let stage = try Stage()
        stage.tell(.bossAppeared(.dragon), .commonLootFound(egghead, .coin))
        #expect(stage.push()?.priority == .high)
    }

    @Test("L13: an event that does not change the content sends nothing")
    func unchanged() throws {
        let stage = try Stage()
        stage.tell(.commonLootFound(egghead, .coin))
        stage.settleAll()
        let decisions = stage.tell(.commonLootFound(egghead, .coin))
        #expect(decisions.map(\.disposition) == [.dropped])
        #expect(stage.release().isEmpty)
        #expect(!stage.entry.isDue)
    }

    @Test("L13: content that is again what the device shows is not sent")
    func backAndForth() throws {
        let stage = try Stage()
        stage.tell(.commonLootFound(egghead, .coin))
        stage.settleAll()
        stage.tell(.commonLootFound(egghead, .rope))
        stage.tell(.commonLootFound(egghead, .coin))
        #expect(stage.release().isEmpty)
    }

    @Test("T2: without a token events are deferred, and the content goes with the first token")
    func noToken() throws {
        let stage = try Stage()
        stage.registration.pushToken = nil
        #expect(stage.tell(.stormRaised).map(\.disposition) == [.deferred])
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == Stage.ageLimit)
        stage.registration.pushToken = PushToken(hex: "70a2")
        #expect(stage.nextReleaseAt == stage.now)
        #expect(stage.push()?.content == stage.content)
    }

    @Test("A6: after a dead token nothing goes until the registration has another")
    func deadToken() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.push(.tokenIsDead)
        #expect(stage.tell(.bossEnraged(.dragon)).map(\.disposition) == [.deferred])
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == Stage.ageLimit)
        stage.registration.pushToken = PushToken(hex: "70a2")
        stage.registration.tokenRegisteredAt = stage.now
        #expect(stage.push()?.content == stage.content)
    }

    @Test("A6: a token that was put again while the push was on its way lives")
    func deadTokenPutAgain() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        stage.registration.confirmToken(of: stage.registration, at: stage.now)
        stage.refresh()
        stage.settle(first, .tokenIsDead)
        #expect(stage.nextReleaseAt == stage.now)
        #expect(
            stage.push(.tokenIsDead)?.contentName(in: Stage.partyID)
                == first.contentName(in: Stage.partyID))
        // That push has left after the token was put.
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == Stage.ageLimit)
    }

    @Test("A6: a retired token that is put again gets the content")
    func deadTokenPutLater() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.push(.tokenIsDead)
        stage.registration.confirmToken(of: stage.registration, at: stage.now)
        stage.refresh()
        #expect(stage.push()?.content == stage.content)
    }

    @Test(
        "L11: a dismissed or ended activity hears nothing",
        arguments: [
            ActivityState.ended, .dismissed,
        ])
    func gone(state: ActivityState) throws {
        let stage = try Stage()
        stage.registration.state = state
        #expect(stage.tell(.stormRaised).map(\.disposition) == [.dropped])
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == nil)
    }

    @Test("an activity that comes in the middle of an adventure gets the content")
    func latecomer() throws {
        let stage = try Stage()
        stage.register(ActivityID("egghead's card"), for: Samples.egghead)
        let pushes = stage.settleAll()
        #expect(pushes.map(\.activity) == [ActivityID("egghead's card")])
        #expect(
            pushes.map(\.content) == [LocalizableContent(of: Samples.egghead.id, in: stage.party)])
    }

    @Test("T4: another token or language makes the content due again, the same ones do not")
    func refresh() throws {
        let stage = try Stage()
        stage.refresh()
        stage.settleAll()
        stage.refresh()
        #expect(stage.release().isEmpty)
        stage.registration.language = .japanese
        stage.refresh()
        #expect(stage.push()?.content == stage.content)
    }

    @Test("T5: a push in flight to the old token does not settle the content for the new one")
    func rotationInFlight() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let push = try #require(stage.release().first)
        stage.registration.tokenRegisteredAt = stage.now
        stage.refresh()
        stage.settle(push, .accepted)
        #expect(stage.push()?.content == stage.content)
    }

    @Test("T5: a rotation while the end is in flight ends the activity of the new token too")
    func rotationWhileEnding() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        let first = try #require(stage.release().first)
        stage.registration.tokenRegisteredAt = stage.now
        stage.refresh()
        stage.settle(first, .accepted)
        #expect(!stage.entry.isDone)
        let second = try #require(stage.push())
        #expect(second.contentName(in: Stage.partyID) == first.contentName(in: Stage.partyID))
        #expect(second.timestamp > first.timestamp)
        #expect(stage.entry.isDone)
    }

    @Test("L11: a dismissed activity is owed nothing, and is done once its last push is answered")
    func dismissedIsQuiet() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let push = try #require(stage.release().first)
        stage.tell(.knockedDown(panda))
        stage.registration.state = .dismissed
        stage.tell()
        #expect(!stage.entry.isDone)
        stage.settle(push, .unknown)
        #expect(stage.entry.isSettled && stage.entry.isDone)
    }

    @Test("N1: an activity of almost eight hours ends by itself")
    func tooOld() throws {
        let stage = try Stage()
        let limit = Stage.ageLimit
        #expect(stage.nextReleaseAt == limit)
        stage.now = limit
        let push = try #require(stage.push())
        #expect(push.event == .end(dismissalDate: limit.adding(seconds: 900)))
        #expect(stage.entry.isDone)
        #expect(stage.nextReleaseAt == nil)
    }

    @Test("N1: an activity ends shortly before the system's eight hours are over")
    func ageLimit() {
        let left = 8 * 60 * 60 - ActivityOutbox.ageMaxSeconds
        #expect((60...15 * 60).contains(left))
    }

    @Test("PR3: the outbox survives being written and read")
    func stored() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        stage.release()
        stage.tell(.over(.partyDefeated))
        #expect(ActivityOutbox(activity: Stage.activity, stage.entry.snapshot) == stage.entry)
    }
}
