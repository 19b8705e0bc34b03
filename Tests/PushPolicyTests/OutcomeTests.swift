@testable import PushPolicy
import GameLogic
import Testing

@Suite("What an answer changes")
struct OutcomeTests {
    private let panda = Samples.panda.tag

    @Test("PR5: one push in flight; what comes meanwhile waits for the answer")
    func oneInFlight() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        #expect(stage.tell(.bossAppeared(.dragon)).map(\.disposition) == [.sent])
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == nil)
        stage.settle(first, .accepted)
        #expect(stage.push()?.content == stage.content)
    }

    @Test("an answer clears only what was sent")
    func lateAnswer() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        stage.restart()
        let second = try #require(stage.release().first)
        stage.settle(first, .accepted)
        #expect(stage.entry.isInFlight)
        stage.settle(second, .accepted)
        #expect(stage.entry.isSettled)
    }

    @Test("P1: timestamps strictly increase, even within one second")
    func timestamps() throws {
        let stage = try Stage()
        var stamps: [Int64] = []
        for index in 0..<5 {
            stage.tell(index % 2 == 0 ? .stormRaised : .bossAppeared(.dragon))
            stamps += stage.settleAll().map(\.timestamp)
        }
        let first = stage.now.seconds
        #expect(stamps == [first, first + 1, first + 2, first + 3, first + 4])
    }

    @Test("PR5: a timestamp leads the clock by 5 s at most; then it waits")
    func lead() throws {
        let stage = try Stage()
        for index in 0..<9 {
            stage.tell(index % 2 == 0 ? .stormRaised : .bossAppeared(.dragon))
            stage.settleAll()
        }
        #expect(stage.entry.lastTimestamp == stage.now.seconds + 5)
        #expect(stage.tell(.partyDefeated).map(\.disposition) == [.deferred])
        #expect(stage.nextReleaseAt == stage.now.adding(seconds: 1))
        stage.wait(seconds: 1)
        #expect(stage.push()?.timestamp == stage.now.seconds + 5)
    }

    @Test("PR12: after the wall clock was set back timestamps go on, one a second")
    func clockBack() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let before = try #require(stage.push()).timestamp
        stage.wallOffset = -3_600_000
        for later in Int64(1)...3 {
            stage.tell(later % 2 == 0 ? .stormRaised : .bossAppeared(.dragon))
            let push = try #require(stage.push())
            #expect(push.timestamp == before + later)
            // A device would take the content for stale.
            #expect(try #require(push.staleDate).seconds > push.timestamp)
            let gift = PartyEvent.Kind.potionsFound(panda, count: Int(later))
            #expect(stage.tell(gift).map(\.disposition) == [.deferred])
            #expect(stage.release().isEmpty)
            stage.wait(seconds: 1)
        }
    }

    @Test("PR12: after the wall clock was set back the lead never grows")
    func leadAfterStep() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.push()
        stage.wallOffset = -7_200_000
        var pushes = 0
        for _ in 0..<600 {
            stage.tell(pushes % 2 == 0 ? .bossAppeared(.dragon) : .stormRaised)
            pushes += stage.settleAll().count
            stage.now = stage.now.adding(milliseconds: 100)
            #expect(stage.entry.lastTimestamp - stage.wall.seconds <= 7200 + 5)
        }
        #expect(pushes == 60)
    }

    @Test("PR12: dates on the wire are those of the wall clock", arguments: [-3600, 0, 172_800])
    func datesOnWire(step: Int64) throws {
        let stage = try Stage()
        stage.wallOffset = step * 1000
        let activity = ActivityID("a new one")
        stage.register(activity, for: Samples.egghead)
        let update = try #require(stage.release().first { $0.activity == activity })
        #expect(update.timestamp == stage.wall.seconds)
        #expect(update.staleDate == stage.wall.adding(seconds: StalePlanner.staleAfterSeconds))
        #expect(update.expiration > stage.wall)
        #expect(update.expiration <= stage.wall.adding(seconds: 3600))
        stage.settle(update, .accepted)
        stage.tell(.over(.partyDefeated))
        let end = try #require(stage.release().first { $0.activity == activity })
        let dismissed = stage.wall.adding(seconds: ActivityOutbox.dismissalSeconds)
        #expect(end.event == .end(dismissalDate: dismissed))
    }

    @Test("L13: what the phone shows is not sent again when the push after it has failed")
    func backToShown() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.settleAll()
        stage.tell(.partyDefeated)
        let failed = try #require(stage.release().first)
        stage.tell(.stormRaised)
        stage.settle(failed, .pause(until: stage.now))
        #expect(stage.settleAll().isEmpty)
        #expect(stage.entry.isSettled)
    }

    @Test("what Apple refuses for good is not sent again, newer content is")
    func rejected() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.push(.rejected)
        #expect(stage.release().isEmpty)
        #expect(stage.tell(.stormRaised).map(\.disposition) == [.dropped])
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.push()?.content == stage.content)
    }

    @Test("during a pause not even newer content leaves")
    func pause() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let end = stage.now.adding(seconds: 10)
        stage.push(.pause(until: end))
        #expect(stage.tell(.bossAppeared(.dragon)).map(\.disposition) == [.deferred])
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == end)
        stage.now = end
        #expect(stage.push()?.content == stage.content)
    }

    @Test("PR8: after Apple's failure the same activity waits, newer content goes at once")
    func retry() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let later = stage.now.adding(seconds: 900)
        let first = try #require(stage.push(.retry(notBefore: later)))
        #expect(stage.release().isEmpty)
        #expect(stage.nextReleaseAt == later)
        stage.now = later
        let again = try #require(stage.push(.retry(notBefore: later.adding(seconds: 900))))
        #expect(again.contentName(in: Stage.partyID) == first.contentName(in: Stage.partyID))
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.push()?.content == stage.content)
    }

    @Test("PR8: not even by way of a newer activity does the same activity go before its time")
    func retryByDetour() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.push(.retry(notBefore: stage.now.adding(seconds: 900)))
        stage.tell(.bossEnraged(.dragon))
        #expect(stage.tell(.stormRaised).map(\.disposition) == [.deferred])
        #expect(stage.release().isEmpty)
    }

    @Test("PR3: after a restart what was in flight goes again, under the same name")
    func restart() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        stage.restart()
        let second = try #require(stage.release().first)
        #expect(second.content == first.content)
        #expect(second.contentName(in: Stage.partyID) == first.contentName(in: Stage.partyID))
        #expect(second.timestamp > first.timestamp)
    }

    @Test("when it is not known what the phone shows, even an old activity is due")
    func unknown() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.settleAll()
        stage.tell(.bossEnraged(.dragon))
        let push = try #require(stage.release().first)
        stage.settle(push, .unknown)
        stage.tell(.stormRaised)
        #expect(stage.push()?.content == stage.content)
    }

    @Test("an alert whose fate is unknown is heard again, once")
    func unknownAlert() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        stage.push(.unknown)
        let pushes = stage.settleAll()
        #expect(pushes.map { $0.alert != nil } == [true])
    }

    @Test("an end that Apple refuses for good leaves nothing to say")
    func rejectedEnd() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        stage.push(.rejected)
        #expect(stage.entry.isDone)
        #expect(stage.nextReleaseAt == nil)
    }

    @Test(
        "T5: what Apple says of an old token's push does not hold back the new token's activity",
        arguments: [PushOutcome.rejected, .retry(notBefore: Stage.start.adding(seconds: 9000))])
    func outdatedRefusal(result: PushOutcome) throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        let push = try #require(stage.release().first)
        stage.registration.tokenRegisteredAt = stage.now
        stage.refresh()
        stage.settle(push, result)
        let again = try #require(stage.push())
        #expect(again.content == stage.content)
        #expect(again.alertSequence == push.alertSequence)
    }

    @Test("T5: an end that was refused for the old token goes to the new one")
    func outdatedEnd() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        let push = try #require(stage.release().first)
        stage.registration.tokenRegisteredAt = stage.now
        stage.refresh()
        stage.settle(push, .rejected)
        #expect(stage.push()?.contentName(in: Stage.partyID) == push.contentName(in: Stage.partyID))
        #expect(stage.entry.isDone)
    }

    @Test("an end of unknown fate is sent again until it is taken")
    func unknownEnd() throws {
        let stage = try Stage()
        stage.tell(.over(.timeLimit))
        stage.push(.unknown)
        #expect(!stage.entry.isDone)
        stage.push()
        #expect(stage.entry.isDone)
    }
}
