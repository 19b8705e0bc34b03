import GameLogic
import Testing

@testable import PushPolicy

/// What may leave while a host takes nothing, and what should leave first afterwards.
@Suite("What leaves when not all may") struct ReleaseLimitTests {
    /// Two activities are owed the same.
    private func owing(_ kind: PartyEvent.Kind) throws -> Stage {
        let stage = try Stage()
        stage.register(ActivityID("egghead's card"), for: Samples.egghead)
        stage.settleAll()
        stage.tell(kind)
        return stage
    }

    private func released(
        by stage: Stage, only environment: PushEnvironment? = nil, limit: Int = .max
    ) -> Int {
        PushPlanner.release(
            party: stage.party, activities: &stage.activities, only: environment, limit: limit,
            now: stage.now
        ).count
    }

    @Test("PR6: a probe is one push, whatever its party owes")
    func one() throws {
        let stage = try owing(.commonLootFound(Samples.panda.tag, .coin))
        #expect(released(by: stage, limit: 1) == 1)
        #expect(released(by: stage) == 1)
    }

    @Test("PR6: what one environment's host does not take does not hold back the other's")
    func environments() throws {
        let stage = try owing(.commonLootFound(Samples.panda.tag, .coin))
        stage.registration.environment = .production
        #expect(released(by: stage, only: .production) == 1)
        #expect(
            PushPlanner.nextReleaseAt(
                activities: stage.activities, only: .sandbox, now: stage.now) == stage.now)
        #expect(released(by: stage, only: .sandbox) == 1)
        #expect(released(by: stage) == 0)
    }

    @Test("PR6: a knock-down is of high priority, loot is not")
    func priority() throws {
        let loot = try owing(.commonLootFound(Samples.panda.tag, .coin))
        #expect(!PushPlanner.owesHighPriority(activities: loot.activities, now: loot.now))
        let fall = try owing(.knockedDown(Samples.panda.tag))
        #expect(PushPlanner.owesHighPriority(activities: fall.activities, now: fall.now))
        fall.registration.environment = .production
        #expect(
            PushPlanner.owesHighPriority(
                activities: fall.activities, only: .production, now: fall.now))
    }
}
