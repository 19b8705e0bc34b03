import GameLogic
import PushPolicy
import Testing

/// Q9: an alert only when the player must act.
@Suite("Alerts that would come too late")
struct AlertTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    @Test("Q9: a revival removes the alert that has not left")
    func rescued() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        #expect(stage.tell(.knockedDown(panda)).map(\.carriesAlert) == [true])
        stage.tell(.potionUsed(by: egghead, on: panda), .revived(panda))
        stage.settle(first, .accepted)
        #expect(stage.settleAll().map(\.alert) == [nil])
        #expect(stage.entry.isSettled)
    }

    @Test("Q9: the end forgets the alert that has not left")
    func ended() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        stage.tell(.knockedDown(panda))
        stage.tell(.over(.endedByGameMaster))
        stage.settle(first, .accepted)
        let pushes = stage.settleAll()
        #expect(pushes.map(\.alert) == [nil])
        #expect(pushes.first?.event != .update)
    }

    @Test("Q9: a knock-down that ends the adventure is no alert, and its decision says why")
    func lastFall() throws {
        let stage = try Stage()
        let decisions = stage.tell(
            .knockedDown(panda), .partyDefeated, .over(.partyDefeated))
        #expect(decisions.map(\.carriesAlert) == [false, false, false])
        #expect(
            decisions[0].rule(for: .knockedDown(panda)).hasSuffix(
                "no alert: the activity ends (Q9)"))
        #expect(stage.settleAll().map(\.alert) == [nil])
    }

    @Test("Q9: a knock-down that was healed at once is no alert, and its decision says why")
    func healedAtOnce() throws {
        let stage = try Stage()
        let decisions = stage.tell(.knockedDown(panda), .revived(panda))
        #expect(decisions.map(\.carriesAlert) == [false, false])
        #expect(
            decisions[0].rule(for: .knockedDown(panda)).hasSuffix(
                "no alert: the hero was revived at once (Q9)"))
        #expect(stage.settleAll().map(\.alert) == [nil])
    }

    @Test("Q9: after a revival only the next knock-down alerts")
    func fallenAgain() throws {
        let stage = try Stage()
        let fall = PartyEvent.Kind.knockedDown(panda)
        let decisions = stage.tell(fall, .revived(panda), fall)
        #expect(decisions.map(\.carriesAlert) == [false, false, true])
        #expect(stage.settleAll().map(\.alertSequence) == [decisions[2].sequence])
    }

    @Test("Q9: an alert of unknown fate is not repeated when the hero is up")
    func unknownAndRescued() throws {
        let stage = try Stage()
        stage.tell(.knockedDown(panda))
        let first = try #require(stage.release().first)
        stage.tell(.revived(panda))
        stage.settle(first, .unknown)
        #expect(stage.settleAll().map(\.alert) == [nil])
    }

    @Test("B4: newer states do not merge an alert away while the hero is down")
    func newerStates() throws {
        let stage = try Stage()
        stage.tell(.stormRaised)
        let first = try #require(stage.release().first)
        let fall = stage.tell(.knockedDown(panda))
        stage.tell(.commonLootFound(egghead, .coin))
        stage.tell(.bossAppeared(.dragon))
        stage.settle(first, .accepted)
        let pushes = stage.settleAll()
        #expect(pushes.map(\.alertSequence) == fall.map(\.sequence))
        #expect(pushes.map(\.content) == [stage.content])
    }
}
