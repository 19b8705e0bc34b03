import GameLogic
import Testing

@testable import PushPolicy

@Suite("L12: an activity that the app hands over after the end of an adventure")
struct HandOverTests {
    /// An adventure that ended 60 s ago.
    private func stage() throws -> Stage {
        let stage = try Stage()
        stage.clock = StageClock()
        stage.tell(.over(.partyDefeated))
        stage.settleAll()
        return stage
    }

    private func handOver(on stage: Stage) {
        let late = ActivityID("late")
        stage.register(late, for: Samples.panda)
        PushPlanner.refresh(
            late, party: stage.party, version: stage.version + 1, activities: &stage.activities,
            clock: stage.clock, now: stage.now)
        stage.plan([])
    }

    @Test("just after the end it gets its end")
    func late() throws {
        let stage = try stage()
        stage.activities = []
        handOver(on: stage)
        let pushes = stage.settleAll()
        #expect(pushes.map(\.activity) == [ActivityID("late")])
        guard case .end = pushes.first?.event else {
            Issue.record("\(pushes)")
            return
        }
        #expect(pushes.first?.content == stage.content)
    }

    @Test("a hero who had an activity of that adventure has the new one for the next")
    func again() throws {
        let stage = try stage()
        handOver(on: stage)
        #expect(stage.settleAll().isEmpty)
    }

    @Test("later it waits for the next adventure, and never shows how the last one ended")
    func waiting() throws {
        let stage = try stage()
        stage.wait(seconds: 1)
        handOver(on: stage)
        #expect(stage.settleAll().isEmpty)
        stage.wait(seconds: 600)
        stage.plan([])
        #expect(stage.settleAll().isEmpty)
        stage.tell(.heroJoined(Samples.spouty.tag))
        #expect(
            stage.settleAll().map(\.content.text)
                == [EventTexts.text(for: .heroJoined(Samples.spouty.tag))])
    }
}
