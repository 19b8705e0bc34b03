import APNsClient
import Foundation
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// Phones of several kinds at one party, and an Apple that refuses some pushes by seeded dice.
private struct MomentScene {
    static let second = #","stateVersion":2"#

    let stage: Stage

    static func make(refusing: Bool, pack: String = "classic") async throws -> MomentScene {
        let stage = try await Stage.make()
        let scene = MomentScene(stage: stage)
        let more = [
            ("activity-2", "ja", second), ("activity-3", "de", ""), ("activity-4", "en", second),
        ]
        for (activity, language, version) in more {
            let answer = await stage.panda.watch(activity, language: language, more: version)
            try #require(answer.status == 204)
        }
        if refusing { stage.apns.answer(scene.moody()) }
        let answer = await stage.panda.send(
            .post, "/v1/parties/\(stage.party)/adventure", #"{"pack":"\#(pack)"}"#)
        try #require(answer.status == 201, "\(answer.text)")
        return scene
    }

    /// Refuses every fourth push, each time for another reason.
    private func moody() -> FakeAPNs.Answer {
        let count = Locked(0)
        return .by { _ in
            switch count.withLock({
                $0 += 1; return $0
            }) % 12 {
            case 3: MomentTests.refusal(500, "InternalServerError")
            case 7: MomentTests.refusal(429, "TooManyRequests")
            case 11: .unknown("the connection was lost")
            default: .accepted(apnsUniqueID: nil)
            }
        }
    }

    func untilOver() async throws {
        _ = await stage.server.step { await stage.isOver() }
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        await stage.server.step(forSeconds: 120)
    }

    func get(_ path: String) async -> TestServer.Answer {
        await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)/\(path)")
    }

    /// Every push of the ledger, page by page, as text.
    func pushes(to activity: String) async -> [Value] {
        var all: [Value] = []
        while true {
            let after = Int(all.last?["timestamp"].number ?? 0)
            let page = await get("pushes?activity=\(activity)&after=\(after)&limit=40")
                .body["pushes"].array
            guard let last = page.last?["timestamp"].number, Int(last) > after else {
                return all
            }
            all += page
        }
    }
}

@Suite("What a phone showed at any moment", .timeLimit(.minutes(5)), .simulated)
struct MomentTests {
    static func refusal(_ status: Int, _ reason: String) -> APNsClient.Outcome {
        .refused(
            APNsClient.Refusal(
                status: status, reason: reason, timestamp: nil,
                action: APNsReason.action(status: status, reason: reason)))
    }

    /// Returns the JSON of a field's object in some JSON text, byte for byte.
    private static func object(_ field: String, in text: String) -> String? {
        guard let start = text.range(of: "\"\(field)\":{") else { return nil }
        var (depth, isQuoted, isEscaped) = (0, false, false)
        var found = ""
        for character in text[text.index(before: start.upperBound)...] {
            found.append(character)
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "{" || character == "}" {
                depth += character == "{" ? 1 : -1
                if depth == 0 { return found }
            }
        }
        return nil
    }

    @Test(
        "a card told again is byte for byte the content state that the phone got",
        arguments: [(false, "classic"), (true, "classic"), (true, "stolen-pie")])
    func bytes(refusing: Bool, pack: String) async throws {
        let scene = try await MomentScene.make(refusing: refusing, pack: pack)
        try await scene.untilOver()
        var compared = 0
        var named = 0
        for number in 1...4 {
            let activity = "activity-\(number)"
            let sent = scene.stage.apns.pushes.filter {
                $0.request.token.hex == TestPlayer.token(of: activity)
            }
            let told = await scene.pushes(to: activity)
            #expect(told.count == sent.count)
            for (past, push) in zip(told, sent) {
                let timestamp = Int(push.aps["timestamp"].number ?? 0)
                #expect(past["timestamp"].number == Double(timestamp))
                let page = await scene.get(
                    "pushes?activity=\(activity)&after=\(timestamp - 1)&limit=1")
                let payload = String(decoding: push.request.payload, as: UTF8.self)
                let expected = try #require(Self.object("content-state", in: payload))
                #expect(Self.object("contentState", in: page.text) == expected, "\(past)")
                #expect(
                    past["bytes"].number == Double(push.request.payload.count), "\(past) \(payload)"
                )
                #expect(past["form"].string == push.aps["event"].string)
                #expect(past["alert"].bool == !push.aps["alert"].isNull)
                if let name = past["apnsID"].string {
                    #expect(name == "\(push.request.id)", "\(past)")
                    named += 1
                }
                compared += 1
            }
        }
        #expect(compared > 30 && named * 2 > compared, "\(named) of \(compared)")
        await scene.stage.server.server.drain()
    }
}

@Suite("What a phone showed, in stories of one phone", .timeLimit(.minutes(5)))
struct MomentTimelineTests {
    private static func card(_ stage: Stage, at event: Int? = nil, _ place: Int = 0) async -> Value
    {
        let query = event.map { "?at=\($0)" } ?? ""
        return await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)/cards\(query)")
            .body["cards"][place]
    }

    private static func story(_ stage: Stage, _ query: String = "") async -> Value {
        await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)/story\(query)").body
    }

    @Test("before anything happens a phone shows nothing, and a story is empty")
    func nothing() async throws {
        let stage = try await Stage.make()
        #expect(await Self.story(stage)["events"].array.count <= 1)
        let card = await Self.card(stage)
        #expect(card["state"].string == "active" && card["shown"].isNull && card["owed"].isNull)
        #expect(card["token"].string == "abcd" && card["kind"].string == "device")
        await stage.server.server.drain()
    }

    @Test("a push that Apple refused leaves the phone as it was, and the reason is told")
    func refused() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.apns.untilSent(1)
        stage.apns.answer(.at(once: MomentTests.refusal(429, "TooManyRequests")))
        var card = Value.null
        _ = await stage.server.step {
            card = await Self.card(stage)
            return card["waits"].string?.contains("429") == true
        }
        #expect(card["waits"].string == "APNs refused the newest push with 429 TooManyRequests")
        let first = stage.apns.pushes[0].aps["content-state"]["eventDescription"].string
        #expect(card["shown"]["contentState"]["eventDescription"].string == first)
        let owed = card["owed"]["contentState"]["eventDescription"].string
        #expect(owed != nil && owed != first)
        await stage.server.server.drain()
    }

    @Test("while a push is in flight the newer card is owed, and waits for nothing")
    func inFlight() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        try await stage.start()
        await stage.apns.untilSent(1)
        let card = await Self.card(stage)
        #expect(card["shown"].isNull && !card["owed"].isNull && card["waits"].isNull)
        stage.apns.answerShutdown(.accepted(apnsUniqueID: nil))
        await stage.server.server.drain()
    }

    @Test("events that one push carries are its events, and each decision names it")
    func merged() async throws {
        let stage = try await Stage.make()
        stage.apns.answer(.later)
        try await stage.start()
        await stage.server.step(forSeconds: 3)
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        stage.apns.release(.accepted(apnsUniqueID: nil))
        #expect(await stage.untilEnded())
        let path = "/v1/admin/parties/\(stage.party)/"
        let pushes = await stage.server.admin(.get, path + "pushes").body["pushes"].array
        let several = try #require(pushes.first { $0["events"].array.count > 1 })
        let rows = await stage.server.admin(.get, path + "decisions").body["decisions"].array
        for event in several["events"].array {
            let row = rows.first { $0["event"].number == event.number }
            #expect(row?["push"].number == several["timestamp"].number)
        }
        await stage.server.server.drain()
    }

    @Test("a phone whose token Apple retired keeps what it shows, and waits for a new one")
    func retired() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        await stage.apns.untilSent(1)
        stage.apns.answer(.at(once: MomentTests.refusal(410, "Unregistered")))
        var card = Value.null
        _ = await stage.server.step {
            card = await Self.card(stage)
            return card["token"].isNull && !card["owed"].isNull
        }
        #expect(card["waits"].string == "waits for a push token (T2)")
        #expect(card["shown"]["event"].number == 1 || card["shown"]["event"].number == 2)
        await stage.server.server.drain()
    }

    @Test("a phone that registers in the middle is not there before")
    func middle() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        _ = await stage.server.step { await stage.events().count >= 5 }
        let before = await stage.events().count
        await stage.server.step(forSeconds: 2)
        #expect(await stage.panda.watch("activity-2").status == 204)
        #expect(await stage.untilEnded())
        let early = await Self.card(stage, at: before - 1, 1)
        #expect(early["activity"].isNull || early["state"].isNull)
        let last = await stage.events().count
        let late = await Self.card(stage, at: last, 1)
        #expect(late["activity"].string == "activity-2" && !late["shown"].isNull)
        await stage.server.server.drain()
    }

    @Test("an end is shown as accepted, now and at the last event, also after a restart")
    func end() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        await stage.server.step(forSeconds: 2)
        let last = await stage.events().count
        let push = try #require(stage.apns.pushes.last)
        func check(_ stage: Stage) async {
            for event in [nil, last] {
                let card = await Self.card(stage, at: event)
                #expect(card["shown"]["form"].string == "end")
                #expect(
                    card["shown"]["contentState"]["eventDescription"].string
                        == push.aps["content-state"]["eventDescription"].string)
                #expect(!card["endedAt"].isNull && card["owed"].isNull)
            }
            #expect(await Self.card(stage, at: 2)["shown"]["form"].string == "update")
        }
        await check(stage)
        await stage.server.server.drain()
        let server = try await TestServer(
            file: stage.server.file,
            clock: VirtualClock(now: stage.server.clock.now.adding(seconds: 1)))
        await check(stage.moved(to: server))
        await server.server.drain()
    }

    @Test("an end that waited says what ended it, and not what came later")
    func lateEnd() async throws {
        let stage = try await Stage.make()
        let party = "/v1/parties/\(stage.party)"
        let fox = try await TestPlayer.make("Captain Fox", at: stage.server)
        let code = await stage.panda.send(.get, party).body["inviteCode"].string ?? ""
        try #require(await fox.join(code).status == 200)
        try #require(await fox.watch("activity-2").status == 204)
        stage.apns.answer(.later)
        try await stage.start()
        await stage.apns.untilSent(2)
        let leave = #"{"hero":"\#(fox.hero)","action":"leave"}"#
        try #require(await fox.send(.post, party + "/actions", leave).status == 200)
        await stage.server.step(forSeconds: 3)
        stage.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        stage.apns.release(.accepted(apnsUniqueID: nil))
        var end: Value?
        _ = await stage.server.step {
            end =
                stage.apns.pushes.last {
                    $0.request.token.hex == TestPlayer.token(of: "activity-2")
                        && $0.aps["event"].string == "end"
                }?.aps
            return end != nil
        }
        let said = try #require(end)["content-state"]["eventDescription"].string
        #expect(Sentences.of("hero.leaves", "Captain Fox").contains(said ?? ""))
        let path = "/v1/admin/parties/\(stage.party)/pushes?activity=activity-2"
        let told = await stage.server.admin(.get, path).body["pushes"].array
        #expect(told.last?["contentState"]["eventDescription"].string == said)
        await stage.server.server.drain()
    }

    @Test("a phone whose player swiped the card away is dismissed from then on")
    func dismissed() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        _ = await stage.server.step { await stage.events().count >= 4 }
        let before = await stage.events().count
        let report = await stage.panda.send(
            .post, "/v1/activities/activity-1/state", #"{"state":"dismissed"}"#)
        try #require(report.status == 204, "\(report.text)")
        _ = await stage.server.step { await stage.events().count >= before + 2 }
        #expect(await Self.card(stage, at: before)["state"].string == "active")
        let after = await Self.card(stage, at: await stage.events().count)
        #expect(after["state"].string == "dismissed" && after["owed"].isNull)
        #expect(await Self.card(stage)["state"].string == "dismissed")
        await stage.server.server.drain()
    }

    @Test("the story has every event, with healths that end as the party's, and pages")
    func story() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let whole = await Self.story(stage)
        let events = whole["events"].array
        #expect(events.count == (await stage.events()).count && whole["next"].isNull)
        #expect(whole["heroes"][0]["name"].string == "Power Panda")
        let party = await stage.panda.send(.get, "/v1/parties/\(stage.party)").body
        let health = try #require(party["heroes"][0]["health"].number)
        #expect(events.last?["healths"][0].number == (health * 1000).rounded())
        #expect(Set(events.compactMap { $0["healths"][0].number }).count > 3)
        var paged: [Value] = []
        var next: Double? = 0
        while let after = next {
            let page = await Self.story(stage, "?after=\(Int(after))&limit=7")
            paged += page["events"].array
            next = page["next"].number
        }
        #expect(
            paged.compactMap { $0["sequence"].number }
                == events.compactMap { $0["sequence"].number })
        await stage.server.server.drain()
    }

    @Test("a moment that the journal does not have is a 404 that says what it has")
    func noMoment() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let last = await stage.events().count
        let path = "/v1/admin/parties/\(stage.party)/cards?at="
        let answer = await stage.server.admin(.get, path + "\(last + 1)")
        #expect(answer.status == 404)
        #expect(answer.body["detail"].string?.contains("1 to \(last)") == true)
        #expect(await stage.server.admin(.get, path + "0").status == 400)
        await stage.server.server.drain()
    }

    @Test("of 200 requests at once each gets its story or a 503, and later ones all do")
    func crowd() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        let path = "/v1/admin/parties/\(stage.party)/story"
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { await stage.server.admin(.get, path).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 200 && statuses.allSatisfy { [200, 503].contains($0) })
        #expect(statuses.count { $0 == 200 } >= 1)
        #expect(await stage.server.admin(.get, path).status == 200)
        await stage.server.server.drain()
    }
}
