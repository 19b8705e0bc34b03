import GameLogic
import Testing

@testable import PushPolicy

@Suite("The outcomes of starts by push")
struct StartOutcomeTests {
    // MARK: Answers

    @Test("A7: an accepted start, or one of unknown fate, stays pending and is not sent again")
    func notAgain() throws {
        for result in [PushOutcome.accepted, .unknown] {
            var scene = try StartStage()
            let pushes = scene.plan().pushes
            let push = try #require(pushes.first)
            #expect(scene.devices[0].starts.settle(push, result) == nil)
            scene.now = StartStage.noon.adding(seconds: 300)
            #expect(scene.planAgain().pushes.isEmpty)
            #expect(scene.plan().dispositions == [.pending])
        }
    }

    @Test("what Apple did not take is sent again with the same name, and counted once")
    func again() throws {
        var scene = try StartStage()
        let pushes = scene.plan().pushes
        let first = try #require(pushes.first)
        let time = StartStage.noon.adding(seconds: 5)
        #expect(scene.devices[0].starts.settle(first, .pause(until: time)) == time)
        #expect(scene.planAgain().pushes.isEmpty)
        scene.now = time
        let ordersAgain = scene.planAgain().pushes
        let second = try #require(ordersAgain.first)
        #expect(second.contentName(in: Stage.partyID) == first.contentName(in: Stage.partyID))
        #expect(second.timestamp == first.timestamp + 5)
        #expect(second.expiration == first.expiration)
        #expect(scene.devices[0].starts.guardian.limit(.init(anHour: 2, aDay: 2), at: time) == nil)
        // The first one's answer, come twice, is nobody's.
        #expect(scene.devices[0].starts.settle(first, .rejected) == nil)
        #expect(scene.devices[0].starts.pending != nil)
    }

    @Test("a start that is not worth it any more is given up, and given back to the guard")
    func notWorthIt() throws {
        let late = StartStage.noon.adding(seconds: PendingStart.worthSeconds + 1)
        for result in [
            PushOutcome.rejected, .tokenIsDead, .pause(until: late), .retry(notBefore: late),
        ] {
            var scene = try StartStage()
            let pushes = scene.plan().pushes
            let push = try #require(pushes.first)
            #expect(scene.devices[0].starts.settle(push, result) == nil)
            #expect(scene.devices[0].starts == DeviceStarts())
        }
    }

    @Test("what has become moot meanwhile is not sent again")
    func moot() throws {
        for reason in 0..<4 {
            var scene = try StartStage()
            let pushes = scene.plan().pushes
            let push = try #require(pushes.first)
            _ = scene.devices[0].starts.settle(push, .pause(until: StartStage.noon))
            switch reason {
            case 0: scene.activities = [StartStage.activity()]
            case 1: _ = try scene.party.apply(.leave(StartStage.panda.id), at: .zero)
            case 2: _ = try scene.party.apply(.end, at: .zero)
            default: scene.devices[0].token = nil
            }
            #expect(scene.planAgain().pushes.isEmpty)
            #expect(scene.devices[0].starts == DeviceStarts())
        }
    }

    @Test("PR12: a clock that was set back does not keep a device waiting")
    func clockSetBack() throws {
        var scene = try StartStage()
        _ = scene.plan()
        scene.now = StartStage.noon.adding(seconds: -3 * 24 * 3600)
        #expect(scene.plan().dispositions == [.pending])
        scene.now = scene.now.adding(seconds: PendingStart.timeoutSeconds)
        #expect(scene.plan().dispositions == [.sent])
    }

    // MARK: The activity that was started

    @Test("N1, P1: an activity that was started by push is as old as its start")
    func age() throws {
        var scene = try StartStage()
        let pushes = scene.plan().pushes
        let push = try #require(pushes.first)
        let later = StartStage.noon.adding(milliseconds: 300)
        let settled = scene.settle(StartStage.activity())
        let start = try #require(settled)
        var outbox = ActivityOutbox(
            activity: ActivityID("a"), hero: StartStage.panda.id, startedAt: later)
        outbox.wasStarted(by: start, party: scene.party, version: 2, now: later)
        #expect(outbox.startedAt == StartStage.noon)
        var activity = StartStage.activity()
        activity.pushToken = PushToken(hex: "bb")
        _ = try scene.party.apply(.raiseStorm, at: .zero)
        let update = outbox.release(CurrentParty(of: scene.party), to: activity, now: later)
        #expect(try #require(update).timestamp > push.timestamp)
    }

    @Test("L13: what the start showed is not sent again, unless in another language")
    func shown() throws {
        for language in Language.allCases {
            var scene = try StartStage()
            _ = scene.plan()
            var activity = StartStage.activity()
            activity.pushToken = PushToken(hex: "bb")
            activity.language = language
            let settled = scene.settle(activity)
            let start = try #require(settled)
            var outbox = ActivityOutbox(
                activity: activity.id, hero: StartStage.panda.id, startedAt: StartStage.noon)
            outbox.refresh(
                for: activity, CurrentParty(of: scene.party), version: 2, now: StartStage.noon)
            outbox.wasStarted(by: start, party: scene.party, version: 2, now: StartStage.noon)
            let later = StartStage.noon.adding(seconds: 1)
            let update = outbox.release(CurrentParty(of: scene.party), to: activity, now: later)
            #expect((update == nil) == (language == .english))
        }
    }

    @Test("N4: an activity that comes after its adventure is ended at once")
    func late() throws {
        var scene = try StartStage()
        _ = scene.plan()
        let settled = scene.settle(StartStage.activity())
        let start = try #require(settled)
        _ = try scene.party.apply(.end, at: .zero)
        var outbox = ActivityOutbox(
            activity: ActivityID("a"), hero: StartStage.panda.id, startedAt: StartStage.noon)
        outbox.wasStarted(by: start, party: scene.party, version: 2, now: StartStage.noon)
        var activity = StartStage.activity()
        activity.pushToken = PushToken(hex: "bb")
        let released = outbox.release(
            CurrentParty(of: scene.party), to: activity, now: StartStage.noon)
        let push = try #require(released)
        guard case .end = push.event else {
            Issue.record("the card got \(push.event)")
            return
        }
    }
}
