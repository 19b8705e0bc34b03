import GameLogic
import Testing

@testable import Playtest

/// The verdict over a party: everything right is no violation, each thing wrong is one.
@Suite("The verdict over a party")
struct GroupTests {
    private func violations(
        of phone: Phone, card: CardState? = Sample.card, faults: Int = 0,
        _ change: (inout Group) -> Void = { _ in }
    ) throws -> [String] {
        var group = try Sample.group()
        change(&group)
        group.judge(phone, of: 0, card: card, faults: faults)
        return group.result.violations
    }

    private func violations(ofLedger rows: [LedgerRow]) throws -> [String] {
        var group = try Sample.group()
        group.judge(ledger: rows)
        return group.result.violations
    }

    private func violations(
        ofStory events: [EventState], _ change: (inout Group) -> Void = { _ in }
    ) throws -> [String] {
        var group = try Sample.group(events)
        change(&group)
        group.judgeStory()
        return group.result.violations
    }

    // MARK: Phones

    @Test("PR3: a phone that saw the whole story violates nothing")
    func rightPhone() throws {
        #expect(try violations(of: Sample.phone()).isEmpty)
    }

    @Test("PR3: another card than the party's is a violation")
    func wrongCard() throws {
        let other = CardState(currentHealthLevel: 0.4, eventDescription: "…")
        #expect(
            try violations(of: Sample.phone(), card: other)
                == ["Panda's phone shows “Power Panda found a coin!” at 0.5, not “…” at 0.4"])
        #expect(try violations(of: Sample.phone(), card: nil).count == 1)
    }

    @Test("PR3: a card without an end is a violation")
    func endless() throws {
        let phone = try Sample.phone([Sample.fell, Sample.began])
        #expect(try violations(of: phone) == ["Panda's phone: the card has not ended"])
    }

    @Test("A8: a spectator's phone shows the leader's card, ends, and never rings")
    func spectator() throws {
        func violations(_ phone: Phone, _ card: CardState? = Sample.card) throws -> [String] {
            var group = try Sample.group()
            group.judge(spectator: phone, card: card, faults: 0)
            return group.result.violations
        }
        let ringing = try violations(Sample.phone())
        #expect(ringing.count == 2)
        #expect(ringing.contains { $0.hasSuffix("rang 1 times") })
        let silent = try Sample.phone([Sample.began])
        #expect(try violations(silent, nil).contains { $0.hasSuffix("the card has not ended") })
        #expect(try violations(silent, nil).contains { $0.hasSuffix("the leader's last card") })
    }

    @Test("PR4: the same end once more is a violation, unless there was a fault")
    func twoEnds() throws {
        let phone = try Sample.phone([Sample.began, Sample.fell, Sample.over, Sample.over])
        #expect(try violations(of: phone) == ["Panda's phone: the end came 2 times"])
        #expect(try violations(of: phone, faults: 1).isEmpty)
    }

    @Test("PR4: a fall that lasts without its alert is a violation, unless there was a fault")
    func noAlert() throws {
        let phone = try Sample.phone([Sample.began, Sample.over])
        #expect(try violations(of: phone) == ["Panda's phone: 1 calls for help, but 0 alerts"])
        #expect(try violations(of: phone, faults: 1).isEmpty)
    }

    @Test(
        "Q9: a fall that is healed or ended within 3 s needs no alert, a longer one does",
        arguments: ["revived", "potionUsed", "adventureOver"], [3000, 3001])
    func shortFall(end: String, milliseconds: Int) throws {
        var group = try Sample.group([
            Sample.event(1, "adventureBegan", hero: nil, at: 0),
            Sample.event(2, "knockedDown", at: 10),
            // A friend's rescue is none.
            Sample.event(3, "revived", hero: "friend", at: 20),
            Sample.event(4, end, at: 10 + milliseconds),
            Sample.event(5, "adventureOver", hero: nil, at: 9000),
        ])
        let phone = try Sample.phone([Sample.began, Sample.over])
        group.judge(phone, of: 0, card: Sample.card, faults: 0)
        #expect(group.result.violations.isEmpty == (milliseconds <= 3000))
    }

    @Test("T5: the end may come once more to a phone whose token has changed")
    func endAfterRotation() throws {
        var phone = try Sample.phone([Sample.began, Sample.fell, Sample.over, Sample.over])
        phone.replace(token: "bb")
        #expect(try violations(of: phone).isEmpty)
    }

    @Test("PR4: a second alert is a violation, unless there was a fault")
    func twoAlerts() throws {
        let phone = try Sample.phone([Sample.began, Sample.fell, Sample.fell, Sample.over])
        #expect(try violations(of: phone) == ["Panda's phone: 1 falls, but 2 alerts"])
        #expect(try violations(of: phone, faults: 1).isEmpty)
        #expect(try violations(of: phone) { $0.isResumed = true }.isEmpty)
    }

    @Test("Q1: priority 10 without a high event is a violation")
    func loud() throws {
        let phone = try Sample.phone([
            Sample.began, Sample.began, Sample.began, Sample.began, Sample.fell, Sample.over,
        ])
        #expect(
            try violations(of: phone) == ["Panda's phone: 5 pushes of priority 10 for 3 events"])
    }

    @Test("a phone's own violations are the party's")
    func inherited() throws {
        var phone = try Sample.phone()
        phone.note(violation: "broken")
        #expect(try violations(of: phone) == ["Panda's phone: broken"])
    }

    @Test("L11: of a dismissed card only what came too late is judged")
    func dismissed() throws {
        var phone = Phone()
        phone.close()
        #expect(try violations(of: phone) { $0.dismissed = [0] }.isEmpty)
        try phone.take(PushDraft())
        #expect(try violations(of: phone) { $0.dismissed = [0] }.count == 1)
    }

    // MARK: Cards that begin by push

    /// A group whose bot slept until `reported`.
    private func asleep(reported: Int?) throws -> Group {
        var group = try Sample.group()
        var dice = SeededRandom(seed: 1)
        group.bots[0].fallAsleep(osVersion: "18.1", &dice)
        group.reportedAfter[0] = reported
        return group
    }

    @Test(
        "A7: a card that was begun by push has decisions from its report on",
        arguments: [
            ([2, 3, 4], 2, true), ([2, 3, 4], 1, true), ([3, 4], 1, false), ([2, 4], 2, false),
            ([], 4, true), ([], 2, false), ([], nil, true), ([1, 2, 3, 4], nil, false),
        ] as [([Int], Int?, Bool)])
    func startedLedger(decided: [Int], reported: Int?, isRight: Bool) throws {
        var group = try asleep(reported: reported)
        group.judge(ledger: Sample.ledger(decided))
        #expect(group.result.violations.isEmpty == isRight)
    }

    @Test("A7: no card by push is a violation, unless there was a fault")
    func noStart() throws {
        let device = StartableDevice(
            name: "Panda's phone", osVersion: "18.1", activity: "a", pushToken: "bb")
        for faults in [0, 1] {
            var group = try asleep(reported: nil)
            group.judge(device, of: 0, faults: faults)
            let expected = faults == 0 ? ["Panda's phone: no card has begun"] : []
            #expect(group.result.violations == expected)
        }
    }

    @Test("A7: a fall from before the report was not for this card")
    func earlyFall() throws {
        let phone = try Sample.phone([Sample.began, Sample.over])
        #expect(try violations(of: phone) { $0.reportedAfter[0] = 1 }.count == 1)
        #expect(try violations(of: phone) { $0.reportedAfter[0] = 2 }.isEmpty)
    }

    // MARK: The ledger

    @Test("one decision for each event violates nothing, and is counted")
    func rightLedger() throws {
        var group = try Sample.group()
        group.judge(ledger: Sample.ledger())
        #expect(group.result.violations.isEmpty)
        #expect(group.result.verdicts == ["sent": 4])
    }

    @Test("an event without a decision is a violation")
    func noDecision() throws {
        #expect(
            try violations(ofLedger: Sample.ledger([1, 2, 4]))
                == ["Panda: 4 events, but 3 decisions"])
    }

    @Test("of a dismissed card decisions may be missing at the end, not in between")
    func dismissedLedger() throws {
        for (events, isRight) in [([1, 2], true), ([1, 3], false)] {
            var group = try Sample.group()
            group.dismissed = [0]
            group.judge(ledger: Sample.ledger(events))
            #expect(group.result.violations.isEmpty == isRight)
        }
    }

    @Test("an event with two decisions is a violation")
    func twoDecisions() throws {
        #expect(
            try violations(ofLedger: Sample.ledger([1, 2, 2, 3, 4]))
                == ["Panda: 4 events, but 5 decisions"])
    }

    @Test("as many decisions as events, but not the same ones, is a violation")
    func otherDecisions() throws {
        #expect(try violations(ofLedger: Sample.ledger([1, 2, 2, 4])).count == 1)
    }

    @Test("decisions from before this run are not this run's")
    func earlierDecisions() throws {
        var group = try Sample.group()
        group.base = 2
        group.judge(ledger: Sample.ledger([3, 4]))
        #expect(group.result.violations.isEmpty)
        #expect(group.result.verdicts == ["sent": 2])
    }

    // MARK: The story

    @Test("PR1: an acknowledged potion that is not in the events is a violation")
    func lostPotion() throws {
        let potion = { (group: inout Group) in group.acknowledged(potion: Sample.party()) }
        #expect(try violations(ofStory: Sample.story, potion).isEmpty)
        let without = [
            Sample.event(1, "adventureBegan"), Sample.event(2, "adventureOver"),
        ]
        #expect(
            try violations(ofStory: without, potion)
                == ["1 potions were acknowledged, 0 are in the events"])
    }

    @Test("PR2: a potion that nobody drank is a violation, unless its fate is unknown")
    func foreignPotion() throws {
        #expect(
            try violations(ofStory: Sample.story)
                == ["0 potions were acknowledged, 1 are in the events"])
        #expect(try violations(ofStory: Sample.story) { $0.potionsOfUnknownFate = 1 }.isEmpty)
    }

    @Test("a story without its end, or with two, is a violation")
    func ends() throws {
        let began = Sample.event(1, "adventureBegan")
        let over = Sample.event(2, "adventureOver")
        #expect(try violations(ofStory: [began, over]).isEmpty)
        #expect(try violations(ofStory: [began]).count == 2)
        #expect(
            try violations(ofStory: [began, over, Sample.event(3, "adventureOver")])
                == ["adventureOver did not come once"])
    }

    // MARK: Looks

    @Test("PR1: a version older than an acknowledged one is a violation")
    func oldVersion() throws {
        var group = try Sample.group()
        group.acknowledged(potion: Sample.party(version: 7))
        _ = group.see(Sample.party(version: 7))
        #expect(group.result.violations.isEmpty)
        _ = group.see(Sample.party(version: 6))
        #expect(group.result.violations == ["version 6 is older than an acknowledged one"])
    }

    @Test("a leader who is not the first hero's player is a violation")
    func leader() throws {
        var group = try Sample.group()
        _ = group.see(Sample.party(heroes: [Sample.member("a")], leader: "somebody"))
        #expect(group.result.violations == ["the leader is not the first hero's player"])
    }

    @Test("a hero's health outside 0…1 is a violation")
    func health() throws {
        var group = try Sample.group()
        _ = group.see(Sample.party(heroes: [Sample.member("a", health: 1.5)]))
        #expect(group.result.violations == ["a's health is 1.5"])
    }
}
