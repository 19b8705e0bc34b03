import GameLogic
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A browser phone gets what a phone gets, over real sockets.
@Suite("Browser phones", .timeLimit(.minutes(2)))
struct BrowserPhoneTests {
    @Test("a page gets the payloads of a whole adventure up to its end, and Apple gets none")
    func wholeAdventure() async throws {
        let scene = try await PageScene.make(language: "ja")
        let (page, status) = await scene.open()
        #expect(status == 200)
        #expect(await page.headers["content-type"] == "text/event-stream")
        try await scene.start()
        // The server ends the stream after the end of the activity.
        let messages = await scene.messages(of: page)
        let pushes = messages.filter { $0.name == "push" }.map { $0.value["aps"] }
        #expect(pushes.count > 5)
        #expect(pushes.dropLast().allSatisfy { $0["event"].string == "update" })
        #expect(pushes.last?["event"].string == "end")
        #expect(pushes.last?["dismissal-date"].number != nil)
        let timestamps = pushes.compactMap { $0["timestamp"].number }
        #expect(timestamps.count == pushes.count)
        #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { $0 < $1 })
        let card = await scene.card("ja")
        #expect(
            pushes.last?["content-state"]["eventDescription"].string
                == card["eventDescription"].string)
        #expect(scene.server.apns.pushes.isEmpty)
        // The client may have read the end before the server's row says that it was accepted.
        #expect(
            await scene.server.step(until: {
                let carried = await scene.decisions().flatMap { $0["pushes"].array }
                return !carried.isEmpty && carried.allSatisfy { $0["status"].number == 200 }
            }))
        let shown = await scene.panda.send(.get, "/v1/activities/page-1").body
        #expect(shown["page"].bool == true)
        #expect(shown["state"].string == "ended")
        await scene.server.server.drain()
    }

    @Test("an alert comes with its words, which a browser's app has no String Catalog for")
    func alerts() throws {
        let alert = HeroAlert.knockDown(HeroTag(id: HeroID("hero-1"), name: "Power Panda")).alert
        let words = try Words.embedded().alert(alert, in: .japanese)
        #expect(words.title == "Power Pandaがたおれた！")
        #expect(words.body.contains("Power Panda") && !words.body.contains("%@"))
        let clock = VirtualClock()
        let pages = PageStreams(limit: 1, clock.serverClock, Metrics())
        let (stream, _) = try pages.open(
            ActivityID("page-1"), of: PlayerID("panda"), at: nil, in: PartyID("party"), bearer: [])
        let push = PagePush(
            payload: Array("{}".utf8), alert: (title: "\u{22}Down\u{22}", body: "Drink"),
            expiration: clock.wall, isEnd: false)
        pages.send(push, to: stream.token) { _ in }
        guard case .bytes(let bytes) = stream.next() else {
            Issue.record("the push is written")
            return
        }
        #expect(
            String(decoding: bytes, as: UTF8.self) == #"""
                event: alert
                data: {"title":"\"Down\"","body":"Drink"}

                event: push
                data: {}


                """#)
    }

    @Test("T2: without an open page nothing is sent, and the ledger says what it waits for")
    func waits() async throws {
        let scene = try await PageScene.make()
        try await scene.start()
        await scene.loot()
        await scene.server.untilAsleep()
        let waiting = try #require(await scene.decisions().last)
        #expect(waiting["verdict"].string == "deferred")
        #expect(waiting["rule"].string?.contains("waits for its page (T2)") == true)
        #expect(waiting["pushes"].array.isEmpty)
        let (page, _) = await scene.open()
        let first = try #require(await page.next())
        #expect(first.name == "push")
        await scene.server.server.drain()
    }

    @Test("a page that was closed gets one push, the newest, when it opens again")
    func newest() async throws {
        let scene = try await PageScene.make()
        try await scene.start()
        var page: StreamClient? = await scene.open().client
        #expect(await page?.next()?.name == "push")
        page = nil
        #expect(await scene.step { scene.server.metrics.value(.streams) == 0 })
        for _ in 0..<5 {
            await scene.loot()
            await scene.server.step(forSeconds: 1)
        }
        let activity = await scene.panda.send(.get, "/v1/activities/page-1").body
        #expect(activity["hasPushToken"].bool == false)
        let missed = await scene.decisions().suffix(3)
        #expect(missed.count == 3 && missed.allSatisfy { $0["verdict"].string == "deferred" })
        let reasons = await scene.decisions().flatMap { $0["pushes"].array }
            .compactMap { $0["reason"].string }
        // What was on its way when the page went may have arrived or not.
        #expect(Set(reasons).subtracting(["outcome unknown"]) == ["its page is not open"])
        let card = await scene.card()
        let (again, status) = await scene.open()
        #expect(status == 200)
        let push = try #require(await again.next())
        #expect(
            push.value["aps"]["content-state"]["eventDescription"].string
                == card["eventDescription"].string)
        await scene.server.server.drain()
        // Nothing of before follows.
        #expect(await again.messages { _ in false }.isEmpty)
    }

    @Test("a page that has gone unnoticed accepts nothing: the end waits for it")
    func endWaits() async throws {
        let scene = try await PageScene.make()
        try await scene.start()
        var page: StreamClient? = await scene.open().client
        #expect(await page?.next()?.name == "push")
        page = nil
        await scene.server.end(scene.party)
        #expect(await scene.step { await scene.isOver() })
        await scene.server.untilAsleep()
        let activity = await scene.panda.send(.get, "/v1/activities/page-1").body
        #expect(activity["state"].string == "active")
        let (again, status) = await scene.open()
        #expect(status == 200)
        #expect(await again.next()?.value["aps"]["event"].string == "end")
        await scene.server.server.drain()
    }

    @Test("a page opens again after a kill of the server, and the story goes on to its end")
    func killed() async throws {
        let first = try await PageScene.make()
        try await first.start()
        let (page, _) = await first.open()
        let before = try #require(await page.next()?.value["aps"]["timestamp"].number)
        // A second server on the first one's file, as after a kill: the first has written nothing.
        let clock = VirtualClock(now: first.server.clock.now.adding(seconds: 1))
        let server = try await TestServer(file: first.server.file, clock: clock, pagesMax: 1000)
        let second = first.moved(to: server)
        let (again, status) = await second.open()
        #expect(status == 200)
        let newest = try #require(await again.next())
        #expect((newest.value["aps"]["timestamp"].number ?? 0) > before)
        let rest = await second.messages(of: again)
        #expect(rest.last { $0.name == "push" }?.value["aps"]["event"].string == "end")
        await server.server.drain()
        await first.server.server.drain()
    }

    @Test("an expired push is not written, and the ledger says so")
    func expired() throws {
        let clock = VirtualClock()
        let pages = PageStreams(limit: 1, clock.serverClock, Metrics())
        let (stream, _) = try pages.open(
            ActivityID("page-1"), of: PlayerID("panda"), at: nil, in: PartyID("party"), bearer: [])
        let outcomes = Locked<[PageOutcome]>([])
        let push = PagePush(
            payload: Array("{}".utf8), alert: nil, expiration: clock.wall.adding(seconds: 5),
            isEnd: false)
        pages.send(push, to: stream.token) { outcome in outcomes.withLock { $0.append(outcome) } }
        clock.advance(to: clock.now.adding(seconds: 6))
        guard case .bytes(let bytes) = stream.next() else {
            Issue.record("a new stream begins with how to come back")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("retry: "))
        #expect(outcomes.withLock { $0 } == [.expired])
        #expect(
            PushResponse(of: ReportedOutcome.Result(.expired), at: clock.now).reason
                == "expired before its page took it")
    }

    // MARK: Refusals

    @Test("where browser phones are off, a clear refusal names the option")
    func off() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        _ = try await panda.found()
        let answers = [
            await PageScene.put("page-1", of: panda),
            await panda.send(.get, "/v1/activities/page-1/pushes"),
        ]
        for answer in answers {
            #expect(answer.status == 403)
            #expect(answer.body["detail"].string?.contains("--browser-phones on") == true)
        }
        await server.server.drain()
    }

    @Test("another player's page is as unknown as one that does not exist")
    func foreign() async throws {
        let scene = try await PageScene.make()
        let egghead = try await TestPlayer.make("Egghead", at: scene.server)
        #expect(await PageScene.open(as: egghead).status == 404)
        #expect(await PageScene.open("page-9", as: egghead).status == 404)
        let nobody = StreamClient(to: scene.server)
        #expect(await nobody.get("/v1/activities/page-1/pushes", as: "x") == 401)
        await scene.server.server.drain()
    }

    @Test("a page names no token, a device its environment, and neither turns into the other")
    func kinds() async throws {
        let scene = try await PageScene.make()
        for more in [#","pushToken":"abcd""#, #","environment":"sandbox""#] {
            #expect(await PageScene.put("page-2", of: scene.panda, more: more).status == 400)
        }
        let nothing = await scene.panda.send(
            .put, "/v1/activities/a",
            #"{"hero":"\#(scene.panda.hero)","frequentPushesEnabled":true,"language":"en","#
                + #""osVersion":"18.1"}"#)
        #expect(nothing.status == 400)
        #expect(nothing.body["detail"].string?.contains("environment") == true)
        #expect(await scene.panda.watch("page-1").status == 409)
        #expect(await scene.panda.watch("activity-1").status == 204)
        #expect(await scene.open("activity-1").status == 409)
        _ = await scene.panda.send(
            .post, "/v1/activities/page-1/state", #"{"state":"dismissed"}"#)
        #expect(await scene.open().status == 409)
        await scene.server.server.drain()
    }

    @Test("the stream ends when the token that opened it ends")
    func revoked() async throws {
        let scene = try await PageScene.make()
        let added = await scene.panda.send(.post, "/v1/me/devices", #"{"device":"watch"}"#)
        let client = StreamClient(to: scene.server)
        let token = try #require(added.body["token"].string)
        #expect(await client.get("/v1/activities/page-1/pushes", as: token) == 200)
        #expect(await scene.panda.send(.delete, "/v1/me/devices/watch").status == 204)
        #expect(await client.messages { _ in false }.last?.data == #"{"reason":"token"}"#)
        await scene.server.server.drain()
    }
}
