import Content
import GameLogic
import Testing

@testable import PushPolicy

/// What counts as a push's latency, and what as a wait that is meant.
@Suite("A push is late from when it may leave")
struct PushTimesTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    /// A stage in a pack with a gap of 30 s, which a push of low priority has just begun.
    private func gapped() throws -> Stage {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: "forest-quest")).pack)
        stage.wait(seconds: 60)
        stage.tell(.smallHeal(egghead, amount: 1))
        try #require(stage.settleAll().map(\.priority) == [.low])
        return stage
    }

    /// The push's times in seconds after `start`: due, ready, knocked down.
    private func times(_ push: PlannedPush?, after start: WallTime) throws -> [Int64?] {
        let times = try #require(push).times
        return [times.dueSince, times.readyAt, times.knockedDownAt].map { time in
            time.map { ($0.milliseconds - start.milliseconds) / 1000 }
        }
    }

    @Test("nothing else keeps a push that waits for no gap: it is ready when it is due")
    func atOnce() throws {
        let stage = try Stage()
        let start = stage.now
        stage.tell(.stormRaised)
        stage.wait(seconds: 3)
        stage.tell(.bossAppeared(.dragon))
        stage.wait(seconds: 2)
        #expect(try times(stage.push(), after: start) == [0, 0, nil])
    }

    @Test("content of low priority is ready at the end of the gap")
    func gap() throws {
        let stage = try gapped()
        let start = stage.now
        stage.wait(seconds: 2)
        stage.tell(.stormRaised)
        stage.wait(seconds: 30)
        #expect(try times(stage.push(), after: start) == [2, 30, nil])
    }

    @Test("what ends the wait for a gap is ready at once, whatever has waited with it")
    func cutsTheGap() throws {
        for (kind, knockedDownAt) in [
            (PartyEvent.Kind.bossAppeared(.dragon), nil), (.knockedDown(panda), 9),
            (.knockedDown(egghead), nil), (.over(.partyDefeated), nil),
        ] as [(PartyEvent.Kind, Int64?)] {
            let stage = try gapped()
            let start = stage.now
            stage.wait(seconds: 2)
            stage.tell(.stormRaised)
            stage.wait(seconds: 7)
            stage.tell(kind)
            stage.wait(seconds: 1)
            #expect(try times(stage.push(), after: start) == [2, 9, knockedDownAt], "\(kind)")
        }
    }

    @Test("content that is late after the gap stays late when something urgent joins it")
    func lateAfterGap() throws {
        let stage = try gapped()
        let start = stage.now
        stage.tell(.stormRaised)
        stage.wait(seconds: 40)
        stage.tell(.bossAppeared(.dragon))
        #expect(try times(stage.push(), after: start) == [0, 30, nil])
    }

    @Test("a pause that APNs asks for is no latency, but a knock-down is late in it")
    func pause() throws {
        let stage = try Stage()
        let start = stage.now
        stage.tell(.knockedDown(panda))
        let first = stage.push(.pause(until: stage.now.adding(seconds: 20)))
        #expect(try times(first, after: start) == [0, 0, 0])
        stage.wait(seconds: 21)
        #expect(try times(stage.push(), after: start) == [0, 20, 0])
    }

    @Test("the same content is ready when it may go again after Apple's failure")
    func retry() throws {
        let stage = try Stage()
        let start = stage.now
        stage.tell(.stormRaised)
        stage.push(.retry(notBefore: start.adding(seconds: 900)))
        stage.wait(seconds: 901)
        #expect(try times(stage.push(), after: start) == [0, 900, nil])
    }

    @Test("nothing is late before the app's token is known")
    func token() throws {
        let stage = try Stage()
        let start = stage.now
        stage.registration.pushToken = nil
        stage.tell(.knockedDown(panda))
        stage.wait(seconds: 5)
        let tokenless = stage.registration
        stage.registration.pushToken = PushToken(hex: "70a2")
        stage.registration.confirmToken(of: tokenless, at: stage.now)
        stage.refresh()
        stage.wait(seconds: 1)
        #expect(try times(stage.push(), after: start) == [0, 5, 5])
    }

    @Test("nothing is late before a dead token has been put again")
    func deadToken() throws {
        let stage = try Stage()
        let start = stage.now
        stage.tell(.stormRaised)
        stage.push(.tokenIsDead)
        stage.wait(seconds: 100)
        let dead = stage.registration
        stage.registration.confirmToken(of: dead, at: stage.now)
        stage.wait(seconds: 1)
        #expect(try times(stage.push(), after: start) == [0, 100, nil])
    }

    @Test("a new token after a dead one is known since it was registered, however often it is put")
    func newTokenAfterDead() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        stage.push(.tokenIsDead)
        stage.wait(seconds: 100)
        let dead = stage.registration
        stage.registration.pushToken = PushToken(hex: "70a2")
        stage.registration.confirmToken(of: dead, at: stage.now)
        stage.refresh()
        let first = try #require(stage.release().first)
        let start = stage.now
        stage.tell(.knockedDown(panda))
        stage.wait(seconds: 3)
        let known = stage.registration
        stage.registration.confirmToken(of: known, at: stage.now)
        stage.settle(first, .accepted)
        #expect(try times(stage.push(), after: start) == [0, 0, 0])
    }

    @Test("nothing is late while an owner has paused all pushes")
    func ownersPause() throws {
        let stage = try Stage()
        let start = stage.now
        stage.tell(.knockedDown(panda))
        stage.wait(seconds: 8)
        stage.sendingSince = stage.now
        stage.wait(seconds: 1)
        #expect(try times(stage.push(), after: start) == [0, 8, 8])
    }

    @Test("a push is late that waits for the response to the one before")
    func inFlight() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let slow = try #require(stage.release().first)
        stage.wait(seconds: 4)
        let start = stage.now
        stage.tell(.knockedDown(panda))
        stage.wait(seconds: 3)
        stage.settle(slow, .accepted)
        #expect(try times(stage.push(), after: start) == [0, 0, 0])
    }

    @Test("an alert for content that the phone already shows is as old as the alert")
    func shown() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        let first = try #require(stage.release().first)
        stage.wait(seconds: 2)
        let start = stage.now
        stage.tell(.revived(panda), .knockedDown(panda))
        stage.settle(first, .accepted)
        stage.wait(seconds: 1)
        #expect(try times(stage.push(), after: start) == [0, 0, 0])
    }

    @Test("only the first push of a knock-down tells players of it, with or without an alert")
    func firstOfKnockdown() throws {
        let stage = try Stage()
        stage.registration.quietHours = QuietHours(utcOffsetMinutes: 0, from: 0, to: 23)
        stage.tell(.knockedDown(panda))
        let first = try #require(stage.push())
        #expect(first.alert == nil)
        #expect(first.times.knockedDownAt == stage.now)
        stage.tell(.messageSent(.sample))
        let second = try #require(stage.push())
        #expect(second.content.health == Health.none)
        #expect(second.times.knockedDownAt == nil)
    }

    @Test("a broadcast tells nobody that their hero is knocked down")
    func spectators() throws {
        let stage = try Stage()
        stage.registration = ActivityRegistration.spectators(
            on: ChannelName("c"), in: .sandbox, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: Stage.partyID, language: .english, at: stage.now)
        stage.tell(.knockedDown(panda))
        #expect(try #require(stage.push()).times.knockedDownAt == nil)
    }

    @Test("a start that goes again is ready when it may")
    func start() throws {
        var scene = try StartStage()
        let pushes = scene.plan().pushes
        let first = try #require(pushes.first)
        #expect(first.times == PlannedPush.Times(at: StartStage.noon))
        let time = StartStage.noon.adding(seconds: 30)
        _ = scene.devices[0].starts.settle(first, .pause(until: time))
        scene.now = time.adding(seconds: 2)
        let retried = scene.planAgain().pushes
        let again = try #require(retried.first)
        #expect(again.times == PlannedPush.Times(dueSince: StartStage.noon, readyAt: time))
    }

    @Test("a row keeps since when what is due cannot wait")
    func restored() throws {
        let stage = try gapped()
        let start = stage.now
        stage.tell(.stormRaised)
        stage.wait(seconds: 3)
        stage.tell(.bossAppeared(.dragon))
        stage.entry = ActivityOutbox(activity: Stage.activity, stage.entry.snapshot)
        #expect(try times(stage.push(), after: start) == [0, 3, nil])
    }
}
