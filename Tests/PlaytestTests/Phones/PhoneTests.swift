import Testing

@testable import Playtest

/// Each invariant of a phone, violated once: a check that cannot fail is worse than none.
@Suite("A phone's invariants")
struct PhoneTests {
    private let right = PushDraft()

    private func next(_ change: (inout PushDraft) -> Void = { _ in }) -> PushDraft {
        var draft = right
        draft.timestamp += 1
        change(&draft)
        return draft
    }

    private func draft(_ change: (inout PushDraft) -> Void) -> PushDraft {
        var draft = right
        change(&draft)
        return draft
    }

    @Test("right pushes violate nothing, and the activity shows the last one")
    func rightPushes() throws {
        var phone = Phone()
        try phone.take(right)
        try phone.take(
            next { draft in
                draft.health = 0.0
                draft.alertTitle = "Power Panda is down!"
                draft.priority = 10
            })
        try phone.take(
            next { draft in
                draft.timestamp += 1
                draft.event = "end"
                draft.health = 1.0
                draft.staleDate = draft.timestamp + 60
                draft.dismissalDate = draft.timestamp + 4 * 3600
            })
        #expect(phone.violations.isEmpty)
        #expect(phone.content?.currentHealthLevel == 1)
        #expect(phone.hasEnded)
        #expect(phone.alerts == 1)
    }

    @Test("PR5: an equal timestamp is a violation")
    func equalTimestamp() throws {
        #expect(
            try Phone.violations(of: right, right) == ["timestamp 1700000100 came after 1700000100"]
        )
    }

    @Test("where several servers send, a push that is not newer is ignored and counted")
    func latePush() throws {
        var phone = Phone(name: "a", activity: "a", startedAt: PushDraft.startedAt, late: .ignored)
        try phone.take(next { $0.health = 0.5 })
        try phone.take(next { $0.health = 0.7 })
        try phone.take(draft { $0.health = 0.8 })
        #expect(phone.violations.isEmpty)
        #expect(phone.latePushes == 2)
        #expect(phone.content?.currentHealthLevel == 0.5)
    }

    @Test("PR5: a timestamp far ahead of the clock is a violation")
    func lead() throws {
        let early = draft { $0.receivedAt = ($0.timestamp - 7) * 1000 }
        #expect(try Phone.violations(of: early).count == 1)
        let justRight = draft { $0.receivedAt = ($0.timestamp - 5) * 1000 }
        #expect(try Phone.violations(of: justRight).isEmpty)
    }

    // MARK: Questions

    /// A push with a question that ends some seconds after it.
    private func question(
        _ text: String = "Run away?", endsAfter seconds: Int64 = 20, staleAfter: Int64? = 20
    ) -> PushDraft {
        draft { draft in
            // Seconds since 2001, as a default decoder reads a `Date`.
            let end = draft.timestamp + seconds - 978_307_200
            draft.ask = [
                "kind": "flee", "text": text, "button": "Run!", "id": 7, "mine": false,
                "endsAt": end,
            ]
            draft.staleDate = staleAfter.map { draft.timestamp + $0 }
        }
    }

    @Test("C7: a button beside no question, and one that outlives its question, are violations")
    func questions() throws {
        #expect(try Phone.violations(of: question()) == [])
        #expect(try Phone.violations(of: question(staleAfter: 10)) == [])
        #expect(try Phone.violations(of: question("")) == ["a button stands beside no question"])
        let late = "the button of a question that ends at 1700000120 stays after it"
        #expect(try Phone.violations(of: question(staleAfter: 21)) == [late])
        #expect(try Phone.violations(of: question(staleAfter: nil)) == [late])
    }

    @Test("C7: an end that asks something is a violation")
    func questionAtTheEnd() throws {
        var end = question(staleAfter: nil)
        end.event = "end"
        end.ask?["endsAt"] = nil
        #expect(try Phone.violations(of: end) == ["an end asks something"])
    }

    @Test("L12: a push after the end is a violation")
    func afterEnd() throws {
        let end = draft { $0.event = "end" }
        #expect(try Phone.violations(of: end, next()) == ["a push came after the end"])
    }

    @Test("L12: other content after the end is a violation, though it ends once more")
    func anotherEnd() throws {
        let end = draft { $0.event = "end" }
        let other = next { draft in
            draft.event = "end"
            draft.health = 0.1
        }
        #expect(try Phone.violations(of: end, other) == ["a push came after the end"])
    }

    @Test("L11: a push after a settled dismissal is a violation")
    func afterDismissal() throws {
        var phone = Phone()
        phone.dismiss()
        phone.close()
        try phone.take(right)
        #expect(phone.violations == ["a push came after the dismissal"])
    }

    @Test("L11: one push may be on its way when the dismissal is acknowledged, not two")
    func inFlightAtDismissal() throws {
        var phone = Phone()
        phone.dismiss()
        try phone.take(right)
        #expect(phone.violations.isEmpty)
        try phone.take(next())
        #expect(phone.violations == ["a push came after the dismissal"])
    }

    @Test("T5: a retired token that is used is a violation, the new one is none")
    func retiredToken() throws {
        var phone = Phone()
        phone.replace(token: "aa")
        phone.retire(token: "aa")
        try phone.take(draft { $0.token = "bb" })
        #expect(phone.violations.isEmpty)
        try phone.take(next())
        #expect(phone.violations == ["a retired token was used"])
    }

    @Test("T5: one push may be on its way to the old token, not two")
    func inFlightAtRotation() throws {
        var phone = Phone()
        phone.replace(token: "aa")
        try phone.take(right)
        #expect(phone.violations.isEmpty)
        try phone.take(next())
        #expect(phone.violations == ["a retired token was used"])
    }

    @Test("L7: a health outside 0…1 is a violation", arguments: [-0.001, 1.001])
    func health(_ health: Double) throws {
        #expect(try Phone.violations(of: draft { $0.health = health }) == ["health is \(health)"])
    }

    @Test("a push without a content state is a violation")
    func noState() throws {
        #expect(
            try Phone.violations(of: draft { $0.hasState = false })
                == ["a push has no content state"])
    }

    @Test("a payload over 4096 bytes is a violation")
    func size() throws {
        let violations = try Phone.violations(of: draft { $0.padding = 4096 })
        #expect(violations.count == 1)
        #expect(violations.first?.hasPrefix("a payload has") == true)
    }

    @Test("N2: a dismissal more than 4 hours after the end is a violation")
    func lateDismissal() throws {
        let late = draft { draft in
            draft.event = "end"
            draft.dismissalDate = draft.timestamp + 4 * 3600 + 1
        }
        #expect(
            try Phone.violations(of: late)
                == ["the dismissal is more than 4 hours after the end"])
    }

    @Test("an update with a dismissal date is a violation")
    func dismissalOfUpdate() throws {
        let update = draft { $0.dismissalDate = $0.timestamp }
        #expect(try Phone.violations(of: update) == ["an update has a dismissal date"])
    }

    @Test("a stale date that is past is a violation")
    func stale() throws {
        let violations = try Phone.violations(of: draft { $0.staleDate = $0.timestamp })
        #expect(violations == ["the stale date 1700000100 is past at 1700000100"])
    }

    @Test("an alert without a title is a violation")
    func untitled() throws {
        let untitled = draft { draft in
            draft.alertTitle = ""
            draft.priority = 10
            draft.health = 0.0
        }
        #expect(try Phone.violations(of: untitled) == ["an alert has no title"])
    }

    private func alert(_ change: (inout PushDraft) -> Void) -> PushDraft {
        draft { draft in
            draft.alertTitle = "Down!"
            draft.priority = 10
            draft.health = 0.0
            change(&draft)
        }
    }

    @Test("Q5: an alert at priority 5 is a violation")
    func quietAlert() throws {
        #expect(
            try Phone.violations(of: alert { $0.priority = 5 }) == ["an alert has priority 5"])
    }

    @Test("Q9: an alert with an end is a violation")
    func alertWithEnd() throws {
        #expect(
            try Phone.violations(of: alert { $0.event = "end" }) == ["an alert came with an end"])
    }

    @Test("Q9: an alert to a hero who stands is a violation")
    func alertToStanding() throws {
        #expect(
            try Phone.violations(of: alert { $0.health = 0.2 })
                == ["“Use a potion!” came to a hero with health 0.2"])
    }

    @Test("a payload that a default decoder refuses is a violation, and is not shown")
    func undecodable() throws {
        var phone = Phone()
        try phone.take(draft { $0.health = "half" })
        #expect(phone.violations.count == 1)
        #expect(phone.violations.first?.hasPrefix("a push does not decode") == true)
        #expect(phone.received.isEmpty && phone.content == nil)
    }

    @Test("N1: a push to an activity older than 8 hours is a violation")
    func age() throws {
        let old = draft { $0.timestamp = PushDraft.startedAt / 1000 + 8 * 3600 + 61 }
        #expect(
            try Phone.violations(of: old) == ["a push came to an activity older than 8 hours"])
    }
}
