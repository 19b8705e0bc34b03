import Testing

@testable import Playtest

/// What a phone makes of a start, each reason for dropping one shown once.
@Suite("A phone on which an activity can start")
struct StartableDeviceTests {
    private func device(_ osVersion: String = "18.1") -> StartableDevice {
        StartableDevice(
            name: "Panda's phone", osVersion: osVersion, activity: "a", pushToken: "bb")
    }

    private func draft(_ change: (inout PushDraft) -> Void = { _ in }) -> PushDraft {
        var draft = PushDraft.start
        change(&draft)
        return draft
    }

    private func take(_ draft: PushDraft, _ device: inout StartableDevice) throws -> Phone? {
        device.take(
            payload: try draft.payload, priority: draft.priority,
            receivedAt: draft.receivedAt ?? draft.timestamp * 1000)
    }

    /// What the phone says of a start, and whether an activity started.
    private func result(
        _ draft: PushDraft, on osVersion: String = "18.1"
    ) throws -> (violations: [String], began: Bool) {
        var device = device(osVersion)
        let phone = try take(draft, &device)
        return (device.violations, phone != nil)
    }

    @Test("A7: a correct start starts an activity, which shows the first state and knows its age")
    func right() throws {
        var device = device()
        let started = try take(draft(), &device)
        let phone = try #require(started)
        #expect(device.violations.isEmpty)
        #expect(phone.content?.eventDescription == "Adventure has started!")
        #expect(phone.startedAt == PushDraft.start.timestamp * 1000)
        #expect(phone.wasStartedByPush)
        #expect(phone.alerts == 0)
    }

    @Test("P1: an update as old as the start is a violation of the activity's")
    func sameTimestamp() throws {
        var device = device()
        let started = try take(draft(), &device)
        var phone = try #require(started)
        try phone.take(PushDraft())
        #expect(phone.violations == ["timestamp 1700000100 came after 1700000100"])
    }

    @Test("A7: iOS 17 drops a start that asks for a token, and takes one that does not")
    func oldSystem() throws {
        let asking = try result(draft(), on: "17.5")
        #expect(!asking.began)
        #expect(
            asking.violations == ["a start was dropped: iOS 17.5 knows no input-push keys"])
        let plain = try result(draft { $0.inputPushToken = nil }, on: "17.5")
        #expect(plain.began)
        #expect(plain.violations.isEmpty)
    }

    @Test("iOS 18 starts an activity that does not ask for a token, which is our fault")
    func notAsking() throws {
        let result = try result(draft { $0.inputPushToken = nil })
        #expect(result.began)
        #expect(result.violations == ["a start does not ask for a push token"])
    }

    @Test("a start that the system drops is a violation, with the reason")
    func dropped() throws {
        let cases: [(String, (inout PushDraft) -> Void)] = [
            ("its event is update", { $0.event = "update" }),
            ("its attributes-type is missing", { $0.attributesType = nil }),
            ("its attributes-type is Other", { $0.attributesType = "Other" }),
            ("it has no attributes", { $0.attributes = nil }),
            ("it has no content state", { $0.hasState = false }),
            ("it has no alert with a title", { $0.alertTitle = nil }),
            ("it has no alert with a title", { $0.alertTitle = "" }),
            ("it asks for a token and for a channel", { $0.inputPushChannel = "YQ==" }),
        ]
        for (reason, change) in cases {
            let result = try result(draft(change))
            #expect(!result.began, "\(reason)")
            #expect(result.violations.contains("a start was dropped: \(reason)"))
        }
    }

    @Test("a hero without one of Apple's fields does not decode")
    func attributes() throws {
        let result = try result(draft { $0.attributes = ["hero": ["name": "Power Panda"]] })
        #expect(!result.began)
        #expect(result.violations.first?.contains("does not decode") == true)
    }

    @Test("what the system puts up with is a violation too")
    func tolerated() throws {
        let cases: [(String, (inout PushDraft) -> Void)] = [
            ("a start has priority 5", { $0.priority = 5 }),
            ("a start has no stale date in the future", { $0.staleDate = nil }),
            ("a start has no stale date in the future", { $0.staleDate = $0.timestamp }),
            ("a start has a dismissal date", { $0.dismissalDate = $0.timestamp }),
            ("health is 1.5", { $0.health = 1.5 }),
        ]
        for (violation, change) in cases {
            let result = try result(draft(change))
            #expect(result.began)
            #expect(result.violations == [violation])
        }
        let large = try result(draft { $0.padding = 4096 })
        #expect(large.violations.first?.hasPrefix("a start has ") == true)
    }

    @Test("A7: a second activity is a violation")
    func secondCard() throws {
        var device = device()
        _ = try take(draft(), &device)
        let later = draft { draft in
            draft.timestamp += 3601
            draft.staleDate = draft.timestamp + 900
        }
        let again = try take(later, &device)
        #expect(again == nil)
        #expect(device.violations == ["a second activity started"])
    }

    @Test("A7: a fourth start in an hour is more than the guard allows, a ninth in a day too")
    func guarded() throws {
        for (gap, most) in [(Int64(900), 3), (7200, 8)] {
            var device = device()
            for number in 0...most {
                let start = draft { draft in
                    draft.timestamp += Int64(number) * gap
                    draft.staleDate = draft.timestamp + 900
                }
                _ = try take(start, &device)
                let isTooMuch = device.violations.contains { $0.hasPrefix("more than \(most)") }
                #expect(isTooMuch == (number == most))
            }
        }
    }

    @Test("a start's keys on an update, or a start to an activity's own token, are violations")
    func startKeys() throws {
        var update = PushDraft()
        update.inputPushToken = 1
        #expect(try Phone.violations(of: update) == ["update has start's keys"])
        var start = PushDraft.start
        start.health = 0.0
        #expect(try Phone.violations(of: start) == ["a start was sent to an activity's token"])
    }
}
