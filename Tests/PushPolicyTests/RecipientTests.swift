import GameLogic
import Testing

@testable import PushPolicy

@Suite("A8: what spectators hear")
struct RecipientTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    /// The stage whose phone is a crowd's.
    private func crowd() throws -> Stage {
        let stage = try Stage()
        // Under the name that the stage's outbox has.
        stage.registration = ActivityRegistration(
            id: Stage.activity, player: Samples.panda.owner, hero: Samples.panda.id,
            party: PartyID("party"), pushToken: nil, tokenRegisteredAt: Stage.start,
            environment: .sandbox, frequentPushesEnabled: false, language: .english,
            osVersion: "", state: .active, channel: ChannelName("AAAA"), createdAt: Stage.start)
        return stage
    }

    @Test("every event is low priority for a spectator, and none alerts", arguments: Samples.kinds)
    func table(kind: PartyEvent.Kind) {
        let rule = Policy.rule(for: kind, on: .spectator)
        #expect(rule.priority == .low)
        #expect(rule.alert == nil)
        #expect(rule.expirationSeconds == Policy.rule(for: kind).expirationSeconds)
    }

    @Test("to a player the table is the table", arguments: Samples.kinds)
    func players(kind: PartyEvent.Kind) {
        #expect(Policy.rule(for: kind, on: .player) == Policy.rule(for: kind))
    }

    @Test("spectators see the leader's knock-down without a sound")
    func fall() throws {
        let stage = try crowd()
        let decisions = stage.tell(.knockedDown(panda))
        #expect(decisions.map(\.priority) == [.low])
        #expect(decisions.map(\.carriesAlert) == [false])
        let push = try #require(stage.push())
        #expect(push.alert == nil)
        #expect(push.priority == .low)
        #expect(push.content == stage.content)
    }

    @Test("the end is sent once, at low priority too")
    func end() throws {
        let stage = try crowd()
        let decisions = stage.tell(.over(.endedByGameMaster))
        #expect(decisions.map(\.disposition) == [.sent])
        #expect(decisions.map(\.priority) == [.low])
        let push = try #require(stage.push())
        #expect(push.event != .update)
        #expect(push.priority == .low)
        #expect(stage.entry.isDone)
        #expect(stage.release().isEmpty)
    }

    @Test("a crowd costs no high pushes: nothing is ever degraded")
    func budget() throws {
        let stage = try crowd()
        var pushes: [PlannedPush] = []
        for _ in 0..<30 {
            stage.tell(.bossAppeared(.dragon), .commonLootFound(egghead, .coin))
            pushes += stage.settleAll()
            stage.wait(seconds: 2)
        }
        #expect(!pushes.isEmpty && pushes.allSatisfy { $0.priority == .low })
        #expect(!stage.decisions.isEmpty)
        #expect(!stage.decisions.contains { $0.notes.contains(.overBudget) })
        let budget = PushBudget(stage.entry.snapshot.budget)
        #expect(budget.left(.regular, at: stage.now) >= PushBudget.Size.regular.burst - 1)
    }

    @Test("an activity can end before its adventure, and keeps its content")
    func ended() throws {
        let stage = try crowd()
        stage.tell(.commonLootFound(egghead, .coin))
        stage.entry.end(in: stage.party, version: stage.version + 1, now: stage.now)
        #expect(stage.entry.isEnding)
        let push = try #require(stage.push())
        #expect(push.event != .update)
        #expect(push.content == stage.content)
        #expect(stage.tell(.stormRaised).map(\.disposition) == [.dropped])
        #expect(stage.release().isEmpty)
    }

    @Test("the crowd's activity has a name that no client can choose")
    func name() throws {
        let crowd = ActivityRegistration.spectators(
            on: ChannelName("AA+/"), in: .production, openedBy: Samples.panda.owner,
            through: Samples.panda.id, of: PartyID("party"), language: .japanese, at: Stage.start)
        #expect(crowd.id == ActivityID("channel/AA+/"))
        #expect(crowd.target == .channel(ChannelName("AA+/")))
        #expect(crowd.recipient == .spectator)
    }
}
