import GameLogic
import Testing

@testable import Playtest

/// Everything right is no violation, each thing wrong is one.
@Suite("The checks of a party")
struct FinalCheckTests {
    private func violations(
        of phone: Phone, content: CardState? = Sample.card, faults: Int = 0,
        _ change: (inout BotParty) -> Void = { _ in }
    ) throws -> [String] {
        var party = try Sample.botParty()
        change(&party)
        var checks = FinalCheck(of: party)
        checks.check(phone, of: 0, content: content, faults: faults)
        return checks.party.result.violations
    }

    private func violations(ofLedger rows: [LedgerRow]) throws -> [String] {
        var checks = try FinalCheck(of: Sample.botParty())
        checks.check(ledger: rows)
        return checks.party.result.violations
    }

    private func violations(
        ofEvents events: [EventState], _ change: (inout BotParty) -> Void = { _ in }
    ) throws -> [String] {
        var party = try Sample.botParty(events)
        change(&party)
        var checks = FinalCheck(of: party)
        checks.checkEvents()
        return checks.party.result.violations
    }

    // MARK: Phones

    @Test("PR3: a phone that saw all events violates nothing")
    func rightPhone() throws {
        #expect(try violations(of: Sample.phone()).isEmpty)
    }

    @Test("PR3: other content than the party's is a violation")
    func wrongCard() throws {
        let other = CardState(currentHealthLevel: 0.4, eventDescription: "…")
        #expect(
            try violations(of: Sample.phone(), content: other)
                == ["Panda's phone shows “Power Panda found a coin!” at 0.5, not “…” at 0.4"])
        #expect(try violations(of: Sample.phone(), content: nil).count == 1)
    }

    @Test("PR3: an activity without an end is a violation")
    func endless() throws {
        let phone = try Sample.phone([Sample.knockedDown, Sample.began])
        #expect(try violations(of: phone) == ["Panda's phone: the activity has not ended"])
    }

    @Test("A8: a spectator's phone shows the leader's content, ends, and receives no alert")
    func spectator() throws {
        func violations(_ phone: Phone, _ content: CardState? = Sample.card) throws -> [String] {
            let party = try Sample.botParty()
            var checks = FinalCheck(of: party)
            checks.check(spectator: phone, content: content, faults: 0)
            return checks.party.result.violations
        }
        let ringing = try violations(Sample.phone())
        #expect(ringing.count == 2)
        #expect(ringing.contains { $0.hasSuffix("received 1 alerts") })
        let silent = try Sample.phone([Sample.began])
        #expect(try violations(silent, nil).contains { $0.hasSuffix("the activity has not ended") })
        #expect(try violations(silent, nil).contains { $0.hasSuffix("the leader's last content") })
    }

    @Test("PR4: the same end once more is a violation, unless there was a fault")
    func twoEnds() throws {
        let phone = try Sample.phone([Sample.began, Sample.knockedDown, Sample.over, Sample.over])
        let found = try violations(of: phone)
        #expect(found == ["Panda's phone: the end came \(phone.ends)"])
        #expect(phone.ends.hasPrefix("2 times, at "))
        #expect(try violations(of: phone, faults: 1).isEmpty)
    }

    @Test("PR4: a knock-down that lasts without its alert is a violation, unless there was a fault")
    func noAlert() throws {
        let phone = try Sample.phone([Sample.began, Sample.over])
        #expect(try violations(of: phone) == ["Panda's phone: 1 mandatory alerts, but 0 received"])
        #expect(try violations(of: phone, faults: 1).isEmpty)
    }

    @Test(
        "Q9: a knock-down that is healed or ended within 3 s needs no alert, a longer one does",
        arguments: ["revived", "potionUsed", "adventureOver"], [3000, 3001])
    func shortKnockDown(end: String, milliseconds: Int) throws {
        let party = try Sample.botParty([
            Sample.event(1, "adventureBegan", hero: nil, at: 0),
            Sample.event(2, "knockedDown", at: 10),
            // A friend's revival does not count.
            Sample.event(3, "revived", hero: "friend", at: 20),
            Sample.event(4, end, at: 10 + milliseconds),
            Sample.event(5, "adventureOver", hero: nil, at: 9000),
        ])
        let phone = try Sample.phone([Sample.began, Sample.over])
        var checks = FinalCheck(of: party)
        checks.check(phone, of: 0, content: Sample.card, faults: 0)
        #expect(checks.party.result.violations.isEmpty == (milliseconds <= 3000))
    }

    @Test("T5: the end may come once more to a phone whose token has changed")
    func endAfterRotation() throws {
        var phone = try Sample.phone([Sample.began, Sample.knockedDown, Sample.over, Sample.over])
        phone.replace(token: "bb")
        #expect(try violations(of: phone).isEmpty)
    }

    @Test("PR4: a second alert is a violation, unless there was a fault")
    func twoAlerts() throws {
        let phone = try Sample.phone([
            Sample.began, Sample.knockedDown, Sample.knockedDown, Sample.over,
        ])
        #expect(try violations(of: phone) == ["Panda's phone: 1 calls for help, but 2 alerts"])
        #expect(try violations(of: phone, faults: 1).isEmpty)
        #expect(try violations(of: phone) { $0.isResumed = true }.isEmpty)
    }

    @Test("Q1: priority 10 without a high event is a violation")
    func highPriority() throws {
        let phone = try Sample.phone([
            Sample.began, Sample.began, Sample.began, Sample.began, Sample.knockedDown, Sample.over,
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

    @Test("L11: of a dismissed activity only what came too late is judged")
    func dismissed() throws {
        var phone = Phone()
        phone.close()
        #expect(try violations(of: phone) { $0.dismissed = [0] }.isEmpty)
        try phone.take(PushDraft())
        #expect(try violations(of: phone) { $0.dismissed = [0] }.count == 1)
    }

    // MARK: Heroes who stay at the inn

    @Test(
        "a hero stays at the inn only if no yes to the check was acknowledged",
        arguments: [(nil, true), (1, true), (2, false)] as [(Int?, Bool)])
    func atInn(acknowledged: Int?, isRight: Bool) throws {
        var party = BotParty(id: "party", bots: [try Sample.bot()])
        if let acknowledged { party.acknowledged(yes: acknowledged, of: 0) }
        _ = party.see(
            Sample.party(events: [
                Sample.event(1, "readyAsked", hero: nil), Sample.event(2, "readyAsked", hero: nil),
                Sample.event(3, "heroStayed"), Sample.event(4, "adventureBegan", hero: nil),
                Sample.event(5, "adventureOver", hero: nil),
            ]))
        var checks = FinalCheck(of: party)
        checks.check(ledger: Sample.ledger([4]))
        checks.check(
            try Sample.phone([Sample.began, Sample.over]), of: 0,
            content: CardState(currentHealthLevel: 1, eventDescription: "Over!"), faults: 0)
        #expect(
            checks.party.result.violations
                == (isRight ? [] : ["Panda was ready, and stays at the inn"]))
    }

    // MARK: Activities started by push

    /// A party whose bot was asleep until `reported`.
    private func asleep(reported: Int?) throws -> BotParty {
        var party = try Sample.botParty()
        var dice = SeededRandom(seed: 1)
        party.bots[0].fallAsleep(osVersion: "18.1", &dice)
        party.reportedAfter[0] = reported
        return party
    }

    @Test(
        "A7: an activity started by push has decisions from its registration on",
        arguments: [
            ([2, 3, 4], 2, true), ([2, 3, 4], 1, true), ([3, 4], 1, false), ([2, 4], 2, false),
            ([], 4, true), ([], 2, false), ([], nil, true), ([1, 2, 3, 4], nil, false),
        ] as [([Int], Int?, Bool)])
    func startedLedger(decided: [Int], reported: Int?, isRight: Bool) throws {
        var checks = try FinalCheck(of: asleep(reported: reported))
        checks.check(ledger: Sample.ledger(decided))
        #expect(checks.party.result.violations.isEmpty == isRight)
    }

    @Test("A7: no activity started by push is a violation, unless there was a fault")
    func noStart() throws {
        let device = StartableDevice(
            name: "Panda's phone", osVersion: "18.1", activity: "a", pushToken: "bb")
        for faults in [0, 1] {
            var checks = try FinalCheck(of: asleep(reported: nil))
            checks.check(device, of: 0, faults: faults)
            let expected = faults == 0 ? ["Panda's phone: no activity was started"] : []
            #expect(checks.party.result.violations == expected)
        }
    }

    @Test("A7: a knock-down from before the registration was not for this activity")
    func earlyKnockDown() throws {
        let phone = try Sample.phone([Sample.began, Sample.over])
        #expect(try violations(of: phone) { $0.reportedAfter[0] = 1 }.count == 1)
        #expect(try violations(of: phone) { $0.reportedAfter[0] = 2 }.isEmpty)
    }

    // MARK: The ledger

    @Test("one decision for each event violates nothing, and is counted")
    func rightLedger() throws {
        var checks = try FinalCheck(of: Sample.botParty())
        checks.check(ledger: Sample.ledger())
        #expect(checks.party.result.violations.isEmpty)
        #expect(checks.party.result.dispositions == ["sent": 4])
    }

    @Test("an event without a decision is a violation")
    func noDecision() throws {
        #expect(
            try violations(ofLedger: Sample.ledger([1, 2, 4]))
                == ["Panda: 4 events, but 3 decisions"])
    }

    @Test("of a dismissed activity decisions may be missing at the end, not in between")
    func dismissedLedger() throws {
        for (events, isRight) in [([1, 2], true), ([1, 3], false)] {
            var party = try Sample.botParty()
            party.dismissed = [0]
            var checks = FinalCheck(of: party)
            checks.check(ledger: Sample.ledger(events))
            #expect(checks.party.result.violations.isEmpty == isRight)
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
        var party = try Sample.botParty()
        party.base = 2
        var checks = FinalCheck(of: party)
        checks.check(ledger: Sample.ledger([3, 4]))
        #expect(checks.party.result.violations.isEmpty)
        #expect(checks.party.result.dispositions == ["sent": 2])
    }

    // MARK: The events

    @Test("PR1: an acknowledged potion that is not in the events is a violation")
    func lostPotion() throws {
        let potion = { (party: inout BotParty) in party.acknowledged(potion: Sample.party()) }
        #expect(try violations(ofEvents: Sample.events, potion).isEmpty)
        let without = [
            Sample.event(1, "adventureBegan"), Sample.event(2, "adventureOver"),
        ]
        #expect(
            try violations(ofEvents: without, potion)
                == ["1 potions were acknowledged, 0 are in the events"])
    }

    @Test("an adventure without its end, or with two, is a violation")
    func ends() throws {
        let began = Sample.event(1, "adventureBegan")
        let over = Sample.event(2, "adventureOver")
        #expect(try violations(ofEvents: [began, over]).isEmpty)
        #expect(try violations(ofEvents: [began]).count == 2)
        #expect(
            try violations(ofEvents: [began, over, Sample.event(3, "adventureOver")])
                == ["the adventure is over more than once, or never"])
    }

    // MARK: Polls

    @Test("PR1: a version older than an acknowledged one is a violation")
    func oldVersion() throws {
        var party = try Sample.botParty()
        party.acknowledged(potion: Sample.party(version: 7))
        _ = party.see(Sample.party(version: 7))
        #expect(party.result.violations.isEmpty)
        _ = party.see(Sample.party(version: 6))
        #expect(party.result.violations == ["version 6 is older than an acknowledged one"])
    }

    @Test("a leader who is not the first hero's player is a violation")
    func leader() throws {
        var party = try Sample.botParty()
        _ = party.see(Sample.party(heroes: [Sample.member("a")], leader: "somebody"))
        #expect(party.result.violations == ["the leader is not the first hero's player"])
    }

    @Test("a hero's health outside 0…1 is a violation")
    func health() throws {
        var party = try Sample.botParty()
        _ = party.see(Sample.party(heroes: [Sample.member("a", health: 1.5)]))
        #expect(party.result.violations == ["a's health is 1.5"])
    }
}
