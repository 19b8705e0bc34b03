@testable import GameLogic
@testable import PushPolicy
import Content
import Testing

@Suite("Q9: the limits of alerts, and quiet hours")
struct RestraintTests {
    private let panda = Samples.panda.tag
    private let egghead = Samples.egghead.tag

    /// Power Panda falls and is up again. Returns the pushes with an alert, and the notes on the
    /// fall.
    private func fall(on stage: Stage) -> (alerts: Int, notes: Decision.Notes) {
        let fall = stage.tell(.knockedDown(panda))
        var alerts = stage.settleAll().count { $0.alert != nil }
        stage.tell(.revived(panda))
        alerts += stage.settleAll().count { $0.alert != nil }
        return (alerts, fall.reduce(into: []) { $0.formUnion($1.notes) })
    }

    private func act(on stage: Stage) {
        PushPlanner.noteAction(
            of: Samples.panda.owner, activities: &stage.activities, now: stage.now)
    }

    @Test("two alerts in ten minutes, the third one is state only; ten minutes later it alerts")
    func tenMinutes() throws {
        let stage = try Stage()
        for number in 1...3 {
            let (alerts, notes) = fall(on: stage)
            #expect(alerts == (number <= Restraint.alertsInTenMinutes ? 1 : 0))
            #expect(notes.contains(.mutedByAlertLimit) == (number == 3))
            act(on: stage)
            stage.wait(seconds: 1)
        }
        stage.wait(seconds: 600 - 4)
        #expect(fall(on: stage).alerts == 0)
        stage.wait(seconds: 2)
        #expect(fall(on: stage).alerts == 1)
    }

    @Test("six alerts in an hour")
    func hour() throws {
        let stage = try Stage()
        var alerts = 0
        for _ in 0..<11 {
            alerts += fall(on: stage).alerts
            act(on: stage)
            stage.wait(seconds: 301)
        }
        #expect(alerts == Restraint.alertsInHour)
        stage.wait(seconds: 301)
        #expect(fall(on: stage).alerts == 1)
    }

    @Test("after two ignored alerts there are no more until the player acts")
    func ignored() throws {
        let stage = try Stage()
        for number in 1...4 {
            let (alerts, notes) = fall(on: stage)
            #expect(alerts == (number <= Restraint.ignoredMax ? 1 : 0))
            #expect(notes.contains(.mutedAsIgnored) == (number > Restraint.ignoredMax))
            stage.wait(seconds: 900)
        }
        PushPlanner.noteAction(
            of: Samples.egghead.owner, activities: &stage.activities, now: stage.now)
        #expect(fall(on: stage).alerts == 0)
        act(on: stage)
        stage.wait(seconds: 900)
        #expect(fall(on: stage).alerts == 1)
    }

    @Test("a last stand alerts once more, but not twice")
    func lastStand() throws {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: "forest-quest")).pack)
        for _ in 0..<Restraint.ignoredMax {
            #expect(fall(on: stage).alerts == 1)
            stage.wait(seconds: 900)
        }
        #expect(fall(on: stage).alerts == 0)
        for expected in [1, 0] {
            stage.wait(seconds: 900)
            stage.tell(.knockedDown(panda))
            let told = stage.tell(.lastStand(panda))
            #expect(stage.settleAll().count { $0.alert != nil } == expected)
            #expect(told.map { $0.notes.contains(.mutedAsIgnored) } == [expected == 0])
            stage.tell(.revived(panda))
            stage.settleAll()
        }
    }

    @Test("a new adventure forgets that nobody acted")
    func newAdventure() throws {
        let stage = try Stage()
        for _ in 0..<Restraint.ignoredMax {
            _ = fall(on: stage)
            stage.wait(seconds: 900)
        }
        #expect(fall(on: stage).alerts == 0)
        stage.wait(seconds: 900)
        stage.tell(.adventureBegan(.sample))
        stage.settleAll()
        #expect(fall(on: stage).alerts == 1)
    }

    @Test(
        "the night is by the phone's time zone, whatever the offset of the server's clock",
        arguments: [
            // Monday, 5 June 2023, 08:01 UTC.
            (0, 23, 7, false), (-120, 23, 7, true), (-60, 23, 7, false), (-61, 23, 7, false),
            (-62, 23, 7, true),
            (14 * 60, 23, 7, false), (14 * 60, 22, 7, true), (-12 * 60, 20, 21, true),
            (0, 8, 9, true), (0, 8, 8, false), (-9 * 60, 23, 7, true),
        ])
    func night(offset: Int, from: Int, to: Int, isQuiet: Bool) throws {
        for wallOffset in [0, -7_200_000] as [Int64] {
            let stage = try Stage()
            stage.wallOffset = wallOffset
            stage.now = WallTime(milliseconds: 1_685_952_060_000 - wallOffset)
            let hours = QuietHours(utcOffsetMinutes: offset, from: from, to: to)
            stage.registration.quietHours = hours
            #expect(stage.registration.quietHours != nil)
            let (alerts, notes) = fall(on: stage)
            #expect((alerts == 0) == isQuiet)
            #expect(notes.contains(.mutedInQuietHours) == isQuiet)
        }
    }

    @Test("who has just done something hears alerts at night too")
    func awake() throws {
        let stage = try Stage()
        stage.registration.quietHours = QuietHours(utcOffsetMinutes: 0, from: 0, to: 23)
        #expect(fall(on: stage).alerts == 0)
        act(on: stage)
        stage.wait(seconds: Restraint.awakeSeconds - 1)
        #expect(fall(on: stage).alerts == 1)
        stage.wait(seconds: 1)
        #expect(fall(on: stage).alerts == 0)
    }

    @Test("hours and offsets outside their ranges are refused")
    func bounds() {
        for (offset, from, to) in [(-721, 0, 0), (841, 0, 0), (0, 24, 0), (0, 0, -1)] {
            #expect(QuietHours(utcOffsetMinutes: offset, from: from, to: to) == nil)
        }
    }

    // MARK: The gap between cards

    /// A stage in a pack with a gap of 30 s.
    private func gapped() throws -> Stage {
        let stage = try Stage(in: try #require(EmbeddedPacks.document(named: "forest-quest")).pack)
        stage.wait(seconds: 60)
        return stage
    }

    @Test("low-priority pushes keep the pack's gap, and the newest content goes at its end")
    func gap() throws {
        let stage = try gapped()
        stage.tell(.smallHeal(egghead, amount: 1))
        #expect(stage.push()?.priority == .low)
        stage.wait(seconds: 1)
        stage.tell(.stormRaised)
        stage.wait(seconds: 1)
        stage.tell(.smallHeal(panda, amount: 1))
        #expect(stage.release().isEmpty)
        let due = stage.now.adding(seconds: 28)
        #expect(stage.nextReleaseAt == due)
        stage.wait(seconds: 28)
        let push = try #require(stage.push())
        #expect(push.content == stage.content)
        #expect(stage.release().isEmpty)
    }

    @Test("high priority, alerts and ends do not wait, and start no gap")
    func urgent() throws {
        let stage = try gapped()
        stage.tell(.smallHeal(egghead, amount: 1))
        stage.settleAll()
        stage.tell(.bossAppeared(.dragon))
        #expect(stage.settleAll().map(\.priority) == [.high])
        stage.tell(.knockedDown(panda))
        #expect(stage.settleAll().map { $0.alert != nil } == [true])
        stage.wait(seconds: 30)
        stage.tell(.revived(panda), .bossAppeared(.kraken))
        stage.settleAll()
        stage.tell(.stormRaised)
        #expect(stage.settleAll().map(\.priority) == [.low])
        stage.tell(.over(.partyDefeated))
        #expect(stage.settleAll().map(\.event.isEnd) == [true])
    }

    @Test("the gap is one of the adventure's time; a new token waits for none")
    func gapOfSpeed() throws {
        let stage = try gapped()
        stage.clock = StageClock(speed: 60)
        stage.tell(.smallHeal(egghead, amount: 1))
        stage.settleAll()
        stage.tell(.stormRaised)
        #expect(stage.nextReleaseAt == stage.now.adding(milliseconds: 500))
        stage.registration.pushToken = PushToken(hex: "70a2")
        stage.registration.tokenRegisteredAt = stage.now
        stage.refresh()
        #expect(stage.settleAll().count == 1)
    }

    @Test("without a gap of the pack nothing waits")
    func noGap() throws {
        let stage = try Stage()
        for kind in [
            PartyEvent.Kind.smallHeal(panda, amount: 1), .stormRaised, .taleTold(Tale("x")),
        ] {
            stage.tell(kind)
            #expect(stage.settleAll().count == 1)
        }
    }

    @Test("a restart keeps the gap and the limits")
    func restart() throws {
        let stage = try gapped()
        stage.tell(.knockedDown(panda))
        stage.settleAll()
        stage.tell(.smallHeal(egghead, amount: 1))
        let before = stage.entry.snapshot
        stage.entry = ActivityOutbox(activity: Stage.activity, before)
        #expect(stage.entry.snapshot == before)
        #expect(before.restraint.ignored == 1)
        #expect(before.restraint.alertsAt == [stage.now])
    }

    @Test("N5: the card of a victory stays longer")
    func dismissal() throws {
        for (outcome, seconds) in [
            (Outcome.bossDefeated(.dragon, by: panda), ActivityOutbox.victoryDismissalSeconds),
            (.partyDefeated, ActivityOutbox.dismissalSeconds),
            (.timeLimit, ActivityOutbox.dismissalSeconds),
            (.endedByGameMaster, ActivityOutbox.dismissalSeconds),
        ] {
            let stage = try Stage()
            stage.tell(.over(outcome))
            let push = try #require(stage.push())
            #expect(push.event == .end(dismissalDate: stage.now.adding(seconds: seconds)))
        }
    }
}

extension PlannedPush.Event {
    fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
