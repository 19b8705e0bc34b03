import GameLogic
import Testing

@testable import PushPolicy

@Suite("Where activities start by push")
struct StartPlannerTests {
    // MARK: Who gets one

    @Test("A7: the beginning of an adventure starts an activity on each device of each member")
    func beginning() throws {
        var scene = try StartStage([
            StartStage.device(), StartStage.device("tablet"), StartStage.device(of: "player-2"),
            StartStage.device(of: "stranger"),
        ])
        let plan = scene.plan()
        #expect(plan.pushes.map(\.start?.hero.name) == ["panda", "panda", "egghead"])
        #expect(plan.pushes.map(\.device?.device.rawValue) == ["phone", "tablet", "phone"])
        #expect(plan.dispositions == [.sent, .sent, .sent])
        #expect(Set(plan.pushes.map { $0.contentName(in: scene.party.id) }).count == 3)
    }

    @Test("A7: a hero who joins a running adventure gets an activity, and nobody else")
    func joining() throws {
        var scene = try StartStage([StartStage.device(), StartStage.device(of: "player-3")])
        scene.events = try scene.party.apply(
            .join(StartStage.hero("spouty", of: "player-3")), at: .zero)
        #expect(scene.plan().pushes.map(\.start?.hero.name) == ["spouty"])
    }

    @Test("what happens on the way starts nothing, nor does a party that rests")
    func otherEvents() throws {
        var scene = try StartStage()
        scene.events = try scene.party.apply(.raiseStorm, at: .zero)
        #expect(scene.plan().pushes.isEmpty)
        scene.events = try scene.party.apply(.end, at: .zero)
        #expect(scene.plan().pushes.isEmpty)
        scene.events = try scene.party.apply(
            .join(StartStage.hero("spouty", of: "player-1")), at: .zero)
        #expect(scene.plan().pushes.isEmpty)
    }

    @Test("a device without a token gets nothing, and no decision")
    func noToken() throws {
        var device = StartStage.device()
        device.token = nil
        var scene = try StartStage([device])
        #expect(scene.plan().decisions.isEmpty)
    }

    @Test(
        "A7: no second activity: not where the hero's activity lives, nor where it was swiped away",
        arguments: [
            (nil, ActivityState.active, false), ("phone", .active, false),
            ("phone", .pending, false), ("phone", .stale, false), ("phone", .dismissed, false),
            ("phone", .ended, true), ("tablet", .active, true),
        ] as [(String?, ActivityState, Bool)])
    func covered(device: String?, state: ActivityState, starts: Bool) throws {
        var scene = try StartStage()
        scene.activities = [StartStage.activity(on: device, state: state)]
        let plan = scene.plan()
        #expect(plan.pushes.isEmpty == !starts)
        #expect(plan.decisions.isEmpty == !starts)
    }

    @Test("A9: an activity that is about to end is followed by a new one, without a sound")
    func rollOver() throws {
        var scene = try StartStage([
            StartStage.device(), StartStage.device("tablet"), StartStage.device(of: "player-2"),
        ])
        let old = StartStage.activity(on: "phone")
        scene.activities = [old]
        scene.rollingOver = [old.id]
        let occasion = try #require(
            StartPlanner.occasion(rollingOver: old, party: scene.party))
        let plan = scene.planner.plan([occasion], devices: &scene.devices)
        #expect(plan.pushes.map(\.device?.device.rawValue) == ["phone"])
        #expect(plan.pushes.map(\.device?.player) == [StartStage.panda.owner])
        let alert = try #require(plan.pushes.first?.alert)
        #expect(alert.titleKey == "%@'s adventure goes on!")
        #expect(alert.sound == nil)
        #expect(plan.decisions.map(\.sequence) == [scene.events.map(\.sequence).max()])
        #expect(plan.decisions.first?.rule(for: nil).hasSuffix("(A9)") == true)
        // What Apple did not take says the same when it goes again.
        let push = try #require(plan.pushes.first)
        _ = scene.devices[0].starts.settle(push, .pause(until: scene.now))
        #expect(scene.planAgain().pushes.map(\.alert) == [alert])
    }

    @Test("A9: nothing follows an activity on no known device, of a hero who left, or at rest")
    func noRollOver() throws {
        var scene = try StartStage()
        let old = StartStage.activity(on: "phone")
        #expect(StartPlanner.occasion(rollingOver: old, party: scene.party) != nil)
        let somewhere = StartStage.activity()
        #expect(StartPlanner.occasion(rollingOver: somewhere, party: scene.party) == nil)
        let left = StartStage.activity(of: StartStage.hero("spouty", of: "player-1"), on: "phone")
        #expect(StartPlanner.occasion(rollingOver: left, party: scene.party) == nil)
        _ = try scene.party.apply(.end, at: .zero)
        #expect(StartPlanner.occasion(rollingOver: old, party: scene.party) == nil)
    }

    @Test("A9: an adventure that begins beside an activity about to end gets its own activity")
    func beginningBesideOldActivity() throws {
        var scene = try StartStage()
        scene.activities = [StartStage.activity(on: "phone")]
        scene.rollingOver = [ActivityID("a")]
        #expect(scene.plan().pushes.map(\.alert?.sound) == ["default"])
    }

    @Test("another hero's activity is no reason")
    func anotherHero() throws {
        var scene = try StartStage()
        scene.activities = [StartStage.activity(of: StartStage.egghead, on: "phone")]
        #expect(scene.plan().pushes.count == 1)
    }

    // MARK: What is in it

    @Test("A7: a start has an alert, a stale date and the device's expiration")
    func push() throws {
        var scene = try StartStage()
        let pushes = scene.plan().pushes
        let push = try #require(pushes.first)
        #expect(push.alert?.titleKey == "%@ sets out on an adventure!")
        #expect(push.alert?.titleArguments == ["panda"])
        #expect(push.timestamp == StartStage.noon.seconds)
        #expect(try #require(push.staleDate) > StartStage.noon)
        #expect(push.expiration == StartStage.noon.adding(seconds: PendingStart.worthSeconds))
        #expect(push.content.text.key == "classic/1.begins")
        #expect(push.relevanceScore == 100)
    }

    @Test(
        "input-push-token is for iOS 18 and later only",
        arguments: [
            ("17.2", false), ("17.6.1", false), ("18", true), ("18.0", true), ("26.1", true),
            ("180", true), ("x", false), ("", false), (".18", false),
        ])
    func inputPushToken(osVersion: String, asks: Bool) {
        #expect(StartStage.device(osVersion: osVersion).traits.asksForPushToken == asks)
    }

    // MARK: One at a time

    @Test("A7: one start at a time: the next is held until it is given up")
    func pending() throws {
        var scene = try StartStage()
        _ = scene.plan()
        scene.now = StartStage.noon.adding(seconds: PendingStart.timeoutSeconds - 1)
        let held = scene.plan()
        #expect(held.dispositions == [.pending])
        #expect(held.pushes.isEmpty)
        #expect(held.decisions.map(\.disposition) == [.dropped])
        scene.now = StartStage.noon.adding(seconds: PendingStart.timeoutSeconds)
        try scene.beginAnother(seed: 2)
        #expect(scene.plan().dispositions == [.sent])
    }

    @Test("A7: the fourth start in an hour is held by the guard, and the ledger says so")
    func held() throws {
        var scene = try StartStage()
        for number in 0..<4 {
            scene.now = StartStage.noon.adding(seconds: Int64(number) * 16 * 60)
            let plan = scene.plan()
            #expect(plan.dispositions == [number < 3 ? .sent : .held(.anHour(3))])
            let decision = try #require(plan.decisions.first)
            #expect(decision.rule(for: nil).contains("held: the guard allows") == (number == 3))
            #expect(decision.activity.rawValue == "push-to-start/panda/phone")
            _ = scene.settle(StartStage.activity(on: "phone"))
        }
    }

    @Test("an app that reports the activity settles the start, another hero's does not")
    func reported() throws {
        var scene = try StartStage()
        _ = scene.plan()
        let other = StartStage.activity(of: StartStage.egghead)
        var started = scene.settle(other)
        #expect(started == nil)
        let elsewhere = StartStage.activity(on: "tablet")
        started = scene.settle(elsewhere)
        #expect(started == nil)
        started = scene.settle(StartStage.activity())
        #expect(started != nil)
        #expect(scene.devices[0].starts.pending == nil)
    }

    @Test("of two devices the one that is named is answered, else the one that has waited longest")
    func whichDevice() throws {
        for (name, left) in [("tablet", ["phone"]), (nil, ["tablet"])] as [(String?, [String])] {
            var scene = try StartStage()
            _ = scene.plan()
            scene.now = StartStage.noon.adding(seconds: 1)
            scene.devices.append(StartStage.device("tablet"))
            _ = scene.plan()
            _ = scene.settle(StartStage.activity(on: name))
            let waiting = scene.devices.filter { $0.starts.pending != nil }
            #expect(waiting.map(\.key.device.rawValue) == left)
        }
    }
}
