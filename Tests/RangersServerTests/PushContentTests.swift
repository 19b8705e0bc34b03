import APNsClient
import Foundation
import GameLogic
import HTTPServer
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// What is in a push, byte for byte.
@Suite("Contents of pushes", .timeLimit(.minutes(2)), .simulated)
struct PushContentTests {
    @Test("L12, N5: the end has the last content state and a dismissal date, but no stale date")
    func end() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let push = try #require(stage.apns.pushes.last)
        #expect(push.aps["event"].string == "end")
        #expect(push.request.priority == .high)
        #expect(push.aps["stale-date"].isNull)
        let timestamp = try #require(push.aps["timestamp"].number)
        let dismissal = try #require(push.aps["dismissal-date"].number)
        #expect(dismissal > timestamp)
        #expect(dismissal - timestamp <= Double(ActivityOutbox.victoryDismissalSeconds) + 1)
        #expect(push.aps["content-state"]["currentHealthLevel"].number != nil)
        #expect(push.aps["content-state"]["eventDescription"].string?.isEmpty == false)
        await stage.server.server.drain()
    }

    @Test("P8, Q15: each update has a stale date")
    func staleDates() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        for push in stage.apns.pushes.dropLast() {
            let timestamp = try #require(push.aps["timestamp"].number)
            let stale = try #require(push.aps["stale-date"].number)
            #expect(stale > timestamp)
        }
        await stage.server.server.drain()
    }

    @Test("a Japanese phone gets Japanese content, and localises alerts itself (Q11)")
    func japanese() async throws {
        let stage = try await Stage.make(language: "ja-JP")
        try await stage.start()
        await stage.apns.untilSent(1)
        let first = stage.apns.pushes[0].aps["content-state"]["eventDescription"].string
        #expect(first == "冒険のはじまりだ！")
        #expect(await stage.untilEnded())
        let titles = stage.apns.pushes.filter { !$0.aps["alert"].isNull }
            .map { $0.aps["alert"]["title"]["loc-key"].string }
        #expect(!titles.isEmpty)
        for title in titles { #expect(title?.hasPrefix("%@ ") == true) }
        await stage.server.server.drain()
    }

    @Test("a phone whose language changes gets its content in the new language")
    func anotherLanguage() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.apns.untilSent(1)
        #expect(await stage.panda.watch("activity-1", language: "ja").status == 204)
        await stage.apns.untilSent(2)
        let words = stage.apns.pushes[1].aps["content-state"]["eventDescription"].string ?? ""
        #expect(!words.utf8.allSatisfy { $0 < 0x80 })
        await stage.server.server.drain()
    }

    @Test("T9: a phone's setting of frequent pushes is stored", arguments: [true, false])
    func frequentPushes(isEnabled: Bool) async throws {
        let stage = try await Stage.make()
        let body =
            #"{"hero":"\#(stage.panda.hero)","pushToken":"abcd","environment":"sandbox","#
            + #""frequentPushesEnabled":\#(isEnabled),"language":"en","osVersion":"18.1"}"#
        #expect(await stage.panda.send(.put, "/v1/activities/activity-1", body).status == 204)
        let stored = try await stage.store.activity(ActivityID("activity-1"))
        #expect(stored?.frequentPushesEnabled == isEnabled)
        await stage.server.server.drain()
    }

    @Test(
        "A6: a token of the other environment is refused",
        arguments: [
            ("api.push.apple.com", PushEnvironment.production),
            ("api.sandbox.push.apple.com", .sandbox), ("api.development.push.apple.com", .sandbox),
        ])
    func environments(host: String, environment: PushEnvironment) async throws {
        #expect(PushEnvironment(apnsHost: host) == environment)
        let server = try await TestServer(pushEnvironment: environment)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        let answer = await panda.watch("activity-1")
        #expect(answer.status == (environment == .sandbox ? 204 : 400))
        if answer.status == 400 {
            #expect(answer.body["detail"].string?.contains("production") == true)
        }
        await server.server.drain()
    }

    @Test("a host that is not Apple's takes both environments", arguments: ["localhost", "", "x"])
    func simulator(host: String) {
        #expect(PushEnvironment(apnsHost: host) == nil)
    }

    @Test(
        "the fast encoding of content equals that of a default JSONEncoder",
        arguments: [
            (0, "Adventure has begun!"), (1, "\"quoted\" \\ back/slash"), (941, "冒険のはじまりだ！"),
            (20, "line\nbreak\ttab\u{0}\u{1f}\u{7f}"), (1000, "🐼👨‍👩‍👧‍👦 e\u{301} \u{2028}\u{2029}"),
            (333, ""),
        ])
    func writers(thousandths: Int, text: String) throws {
        let state = ContentState(
            currentHealthLevel: Double(thousandths) / 1000, eventDescription: text)
        let payload = try LiveActivityPayload.update(at: 1_685_952_000, state: state).encoded()
        let whole = try Value(json: payload)
        let slow = try Value(json: JSONEncoder().encode(state))
        let fast = whole["aps"]["content-state"]
        #expect(fast["currentHealthLevel"].number == slow["currentHealthLevel"].number)
        #expect(fast["eventDescription"].string == slow["eventDescription"].string)
        guard case .object(let fields) = fast else {
            Issue.record("the content state is no object")
            return
        }
        #expect(fields.keys.sorted() == ["currentHealthLevel", "eventDescription"])
    }
}
