import GameLogic
import Testing

@testable import PushPolicy

@Suite("Starts that no activity has followed")
struct UnfollowedStartsTests {
    /// The app has registered its token a minute before noon.
    private static func scene() throws -> StartStage {
        var device = StartStage.device()
        device.traits.tokenRegisteredAt = StartStage.noon.adding(seconds: -60)
        device.traits.tokenConfirmedAt = StartStage.noon.adding(seconds: -60)
        return try StartStage([device])
    }

    /// Begins another adventure an hour later.
    private func beginAnother(_ scene: inout StartStage, seed: UInt64) throws {
        scene.now = scene.now.adding(seconds: 3600)
        try scene.beginAnother(seed: seed)
    }

    private func count(_ scene: StartStage) -> Int { scene.devices[0].unfollowedStarts }

    // MARK: The same adventure

    @Test("A7: a start that no app has reported prevents a second one of its adventure, for good")
    func sameAdventure() throws {
        var scene = try Self.scene()
        #expect(scene.plan().dispositions == [.sent])
        scene.now = StartStage.noon.adding(seconds: 7 * 3600)
        let plan = scene.plan()
        #expect(plan.dispositions == [.unadopted])
        #expect(plan.pushes.isEmpty)
        #expect(
            plan.decisions.map { $0.rule(for: nil) } == [
                "a start of this adventure went to this device, and its app has not been in "
                    + "contact since (A7)"
            ])
    }

    @Test("A7: another adventure may start one, and the first may not again")
    func otherAdventure() throws {
        var scene = try Self.scene()
        _ = scene.plan()
        try beginAnother(&scene, seed: 2)
        #expect(scene.plan().dispositions == [.sent])
        #expect(count(scene) == 2)
        scene.now = scene.now.adding(seconds: 3600)
        #expect(scene.plan().dispositions == [.unadopted])
    }

    @Test("A7: an app in contact without the activity may get it: the phone did not start it")
    func contact() throws {
        for contact in 0..<3 {
            var scene = try Self.scene()
            _ = scene.plan()
            scene.now = StartStage.noon.adding(seconds: 3600)
            switch contact {
            case 0: scene.devices[0].traits.tokenConfirmedAt = scene.now
            case 1: _ = scene.devices[0].starts.noteContact(at: scene.now)
            default:
                // It shows another hero on this device.
                let other = StartStage.activity(of: StartStage.egghead, on: "phone")
                let started = scene.settle(other)
                #expect(started == nil)
            }
            scene.now = scene.now.adding(seconds: 60)
            #expect(scene.plan().dispositions == [.sent])
        }
    }

    @Test("A7: an app's word changes nothing where no start waits for an activity")
    func idleContact() throws {
        var scene = try Self.scene()
        let hasForgotten = scene.devices[0].starts.noteContact(at: scene.now)
        #expect(!hasForgotten)
        #expect(scene.devices[0].starts == DeviceStarts())
    }

    @Test("A7: an activity that is reported hours later has followed its start, with its age")
    func lateReport() throws {
        var scene = try Self.scene()
        _ = scene.plan()
        try beginAnother(&scene, seed: 2)
        _ = scene.plan()
        scene.now = scene.now.adding(seconds: 5 * 3600)
        let start = scene.settle(StartStage.activity(on: "phone"))
        #expect(start?.dueAt == StartStage.noon.adding(seconds: 3600))
        #expect(count(scene) == 0)
        #expect(scene.devices[0].starts.pending == nil)
    }

    @Test("N1: an activity of this adventure has not followed the start of an earlier one")
    func ageOfAnotherAdventure() throws {
        var scene = try Self.scene()
        _ = scene.plan()
        try beginAnother(&scene, seed: 2)
        let start = scene.settle(StartStage.activity(on: "phone"))
        #expect(start == nil)
    }

    // MARK: Three in a row

    /// Three adventures whose starts nothing followed.
    private func stopped() throws -> StartStage {
        var scene = try Self.scene()
        for seed in 2...4 {
            #expect(scene.plan().dispositions == [.sent])
            try beginAnother(&scene, seed: UInt64(seed))
        }
        return scene
    }

    @Test("A7: three starts in a row that nothing followed stop further ones")
    func threeInARow() throws {
        var scene = try stopped()
        #expect(count(scene) == DeviceStarts.unfollowedMax)
        let plan = scene.plan()
        #expect(plan.dispositions == [.stopped])
        #expect(plan.pushes.isEmpty)
        #expect(
            plan.decisions.map { $0.rule(for: nil) } == [
                "no activity followed the last 3 starts on this device: its app must register its "
                    + "push-to-start token again (A7)"
            ])
    }

    @Test("A7: a device stays stopped for days, whatever its app shows by itself")
    func stays() throws {
        var scene = try stopped()
        _ = scene.devices[0].starts.noteContact(at: scene.now)
        for day in 1...3 {
            scene.now = scene.now.adding(seconds: Int64(day) * 24 * 3600)
            #expect(scene.plan().dispositions == [.stopped])
        }
    }

    @Test("A7: an app that registers its token again gets starts, the same token or another")
    func registeredAgain() throws {
        var scene = try stopped()
        scene.devices[0].traits.tokenConfirmedAt = scene.now
        #expect(count(scene) == 0)
        scene.now = scene.now.adding(seconds: 1)
        #expect(scene.plan().dispositions == [.sent])
        #expect(count(scene) == 1)
        #expect(scene.devices[0].starts.unfollowed.isEmpty)
    }

    @Test("A7: a start that an activity followed begins the row anew")
    func followed() throws {
        var scene = try Self.scene()
        for seed in 2...6 {
            #expect(scene.plan().dispositions == [.sent])
            if seed == 3 {
                let activity = StartStage.activity(on: "phone")
                let start = scene.settle(activity)
                #expect(start != nil)
                #expect(count(scene) == 0)
            }
            try beginAnother(&scene, seed: UInt64(seed))
        }
        #expect(count(scene) == 3)
        #expect(scene.plan().dispositions == [.stopped])
    }

    @Test("A7: a start that APNs did not take is not one that no phone carried out")
    func notSent() throws {
        var scene = try Self.scene()
        for seed in 2...6 {
            let pushes = scene.plan().pushes
            let push = try #require(pushes.first)
            _ = scene.devices[0].starts.settle(push, .pause(until: scene.now.adding(seconds: 5)))
            #expect(count(scene) == 0)
            try beginAnother(&scene, seed: UInt64(seed))
        }
        // The newest one still waits to be given back.
        #expect(scene.devices[0].starts.guardian.times.count == 1)
    }

    @Test("one device with two names remembers the newest starts of both")
    func merged() throws {
        let one = try stopped().devices[0].starts
        let both = one.merged(with: one)
        #expect(both.unfollowed.count == DeviceStarts.unfollowedMax)
        #expect(both.pending == one.pending)
        // The pending start of the other name is remembered too.
        #expect(both.unfollowed.last == one.pending)
    }

    @Test("PR12: after the clock was set back no start lies in the future")
    func clockSetBack() throws {
        var scene = try stopped()
        scene.now = StartStage.noon.adding(seconds: -3600)
        _ = scene.plan()
        let starts = scene.devices[0].starts
        #expect((starts.unfollowed + [starts.pending].compactMap(\.self)).count == 3)
        #expect(!starts.unfollowed.contains { $0.dueAt > scene.now })
    }
}
