import Foundation

@testable import Playtest

/// A push to be taken by a phone: a right one, of which a test makes one thing wrong.
struct PushDraft {
    static let startedAt: Int64 = 1_700_000_000_000

    var timestamp: Int64 = 1_700_000_100
    var event = "update"
    var health: Any = 0.5
    var description = "Power Panda found a coin!"
    var hasState = true
    /// Of the second version of the content state.
    var link: String?
    var ask: [String: Any]?
    var alertTitle: String?
    var staleDate: Int64?
    var dismissalDate: Int64?
    var priority = 5
    var token = "aa"
    /// When APNs takes it; `nil`: at its timestamp.
    var receivedAt: Int64?
    var attributesType: String?
    var attributes: [String: Any]?
    var inputPushToken: Int?
    var inputPushChannel: String?
    /// Bytes beside `aps`.
    var padding = 0

    var payload: [UInt8] {
        get throws {
            var aps: [String: Any] = ["timestamp": timestamp, "event": event]
            if hasState {
                var state: [String: Any] = [
                    "currentHealthLevel": health, "eventDescription": description,
                ]
                state["link"] = link
                state["ask"] = ask
                aps["content-state"] = state
            }
            if let alertTitle {
                aps["alert"] = [
                    "title": ["loc-key": alertTitle, "loc-args": [String]()],
                    "body": ["loc-key": "Use a potion!", "loc-args": [String]()],
                ]
            }
            aps["stale-date"] = staleDate
            aps["attributes-type"] = attributesType
            aps["attributes"] = attributes
            aps["input-push-token"] = inputPushToken
            aps["input-push-channel"] = inputPushChannel
            aps["dismissal-date"] = dismissalDate
            let whole: [String: Any] = ["aps": aps, "x": String(repeating: "x", count: padding)]
            return [UInt8](try JSONSerialization.data(withJSONObject: whole))
        }
    }
}

extension PushDraft {
    /// A right start for iOS 18.
    static var start: PushDraft {
        var draft = PushDraft()
        draft.event = "start"
        draft.health = 1.0
        draft.description = "Adventure has started!"
        draft.alertTitle = "%@ sets out on an adventure!"
        draft.staleDate = draft.timestamp + 900
        draft.priority = 10
        draft.attributesType = "AdventureAttributes"
        draft.attributes = ["hero": hero]
        draft.inputPushToken = 1
        return draft
    }

    private static var hero: [String: Any] {
        [
            "name": "Power Panda", "avatar": "🐼", "healthLevel": 1.0,
            "heroType": "Forest Dweller", "healthRecoveryRatePerHour": 0.25,
            "url": "game:///panda", "battleCode": "game:///panda/battle", "level": 1, "exp": 0,
            "bio": "",
        ]
    }
}

extension Phone {
    /// A phone whose activity began a moment before the first draft's timestamp.
    init() { self.init(name: "Panda's phone", activity: "a", startedAt: PushDraft.startedAt) }

    mutating func take(_ draft: PushDraft) throws {
        take(
            payload: try draft.payload, priority: draft.priority, token: draft.token,
            receivedAt: draft.receivedAt ?? draft.timestamp * 1000)
    }

    /// What the phone says of these pushes.
    static func violations(of drafts: PushDraft...) throws -> [String] {
        var phone = Phone()
        for draft in drafts { try phone.take(draft) }
        return phone.violations
    }
}
