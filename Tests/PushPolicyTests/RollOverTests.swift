import GameLogic
import Testing

@testable import PushPolicy

/// The old activity's side of A9; where the new one begins is in `StartPlannerTests`.
@Suite("Cards that get too old hand over")
struct RollOverTests {
    private static let age = Stage.start.adding(seconds: ActivityOutbox.rollOverAgeSeconds)

    /// A stage on which the activity is as old as it may be beside a new one.
    private static func stage(at now: WallTime = age) throws -> Stage {
        let stage = try Stage()
        stage.registration.device = DeviceID("phone")
        stage.now = now
        return stage
    }

    private static func begin(_ stage: Stage) -> Bool {
        stage.entry.beginRollOver(for: stage.registration, now: stage.now)
    }

    @Test("A9: an activity is due before its end, in time to try a start, and once")
    func begins() throws {
        let stage = try Self.stage(at: Self.age.adding(milliseconds: -1))
        #expect(stage.nextReleaseAt == Self.age)
        #expect(!Self.begin(stage))
        stage.now = Self.age
        #expect(Self.begin(stage))
        #expect(!Self.begin(stage))
        let end = Stage.start.adding(seconds: ActivityOutbox.ageMaxSeconds)
        #expect(stage.nextReleaseAt == end)
        #expect(Self.age.adding(seconds: PendingStart.worthSeconds) == end)
    }

    @Test("A9: the old activity goes on until the new one is there, then it leaves at once")
    func handsOver() throws {
        let stage = try Self.stage()
        _ = Self.begin(stage)
        stage.tell(.stormRaised)
        #expect(try #require(stage.push()).event == .update)
        stage.wait(seconds: 60)
        stage.entry.finishRollOver(in: stage.party, version: 9, now: stage.now)
        let push = try #require(stage.push())
        #expect(push.event == .end(dismissalDate: stage.now))
        #expect(push.content == stage.content)
        #expect(stage.entry.isDone)
    }

    @Test("N1, N5: without a new activity the old one ends at its time, and stays a while")
    func alone() throws {
        let stage = try Self.stage()
        _ = Self.begin(stage)
        stage.now = Stage.start.adding(seconds: ActivityOutbox.ageMaxSeconds)
        let push = try #require(stage.push())
        #expect(
            push.event
                == .end(dismissalDate: stage.now.adding(seconds: ActivityOutbox.dismissalSeconds)))
    }

    @Test("A9: an end that was due already leaves at once when the new activity comes before it")
    func lateHandOver() throws {
        let stage = try Self.stage()
        _ = Self.begin(stage)
        stage.now = Stage.start.adding(seconds: ActivityOutbox.ageMaxSeconds)
        stage.push(.pause(until: stage.now.adding(seconds: 60)))
        stage.entry.finishRollOver(in: stage.party, version: 9, now: stage.now)
        stage.wait(seconds: 60)
        #expect(try #require(stage.push()).event == .end(dismissalDate: stage.now))
    }

    @Test("L11, L12: an activity that was swiped away, or has its end, is not followed")
    func gone() throws {
        for state in [ActivityState.dismissed, .ended] {
            let stage = try Self.stage()
            stage.registration.state = state
            #expect(!Self.begin(stage))
        }
        let stage = try Self.stage()
        stage.tell(.over(.partyDefeated))
        #expect(!Self.begin(stage))
        stage.settleAll()
        #expect(!Self.begin(stage))
    }

    @Test("A9: an activity whose token is dead is followed too: the phone may still show it")
    func deadToken() throws {
        let stage = try Self.stage()
        stage.registration.pushToken = nil
        #expect(Self.begin(stage))
    }

    @Test("A9: an activity on an unknown device ends at its time")
    func unknownPlace() throws {
        let stage = try Self.stage()
        stage.registration.device = nil
        #expect(!Self.begin(stage))
        let end = Stage.start.adding(seconds: ActivityOutbox.ageMaxSeconds)
        #expect(stage.nextReleaseAt == end)
        // The app may say so even now.
        stage.registration.device = DeviceID("phone")
        #expect(Self.begin(stage))
    }

    @Test("A8: spectators' activities are on no known device, and are not followed")
    func spectators() throws {
        let stage = try Self.stage()
        let channel = ActivityRegistration.spectators(
            on: ChannelName("AAAA"), in: .sandbox, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: stage.party.id, language: .english, at: Stage.start)
        let begins = stage.entry.beginRollOver(for: channel, now: stage.now)
        #expect(!begins)
    }

    @Test("nothing takes over that has not been begun")
    func notBegun() throws {
        let stage = try Self.stage()
        let before = stage.entry
        stage.entry.finishRollOver(in: stage.party, version: 9, now: stage.now)
        #expect(stage.entry == before)
    }

    @Test("PR3: how far it is survives being written and read")
    func stored() throws {
        let stage = try Self.stage()
        #expect(ActivityOutbox(activity: Stage.activity, stage.entry.snapshot) == stage.entry)
        _ = Self.begin(stage)
        #expect(ActivityOutbox(activity: Stage.activity, stage.entry.snapshot) == stage.entry)
    }
}
