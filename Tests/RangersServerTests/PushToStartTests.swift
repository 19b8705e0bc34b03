import APNsClient
import Foundation
import GameLogic
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// A7, by the front door: tokens come by HTTP, starts leave by the sender.
@Suite("Cards begin by push", .timeLimit(.minutes(2)), .simulated)
struct PushToStartTests {
    // MARK: What is sent

    @Test("A7: a start has type, attributes, alert, stale date, and asks for a token")
    func payload() async throws {
        let scene = try await StartScene.make()
        try await scene.start()
        await scene.server.apns.untilSent(2)
        #expect(scene.starts.count == 1)
        let push = try #require(scene.starts.first)
        let aps = push.aps
        #expect(push.request.token.hex == "bb")
        #expect(push.request.priority == .high)
        #expect(push.request.topic == TestServer.bundleID + ".push-type.liveactivity")
        #expect(aps["attributes-type"].string == "AdventureAttributes")
        #expect(aps["attributes"]["hero"]["name"].string == "Egghead")
        #expect(aps["attributes"]["hero"]["url"].string == "game:///\(scene.egghead.hero)")
        #expect(
            aps["attributes"]["hero"]["bio"].string == HeroClass.guardian.bio)
        let said = aps["content-state"]["eventDescription"].string ?? ""
        #expect(Sentences.of("classic/1.begins").contains(said))
        #expect(aps["alert"]["title"]["loc-key"].string == "%@ sets out on an adventure!")
        #expect(aps["alert"]["title"]["loc-args"][0].string == "Egghead")
        #expect(aps["alert"]["body"]["loc-key"].string == "Follow %@ on the Lock Screen.")
        #expect(aps["alert"]["sound"].string == "default")
        let timestamp = try #require(aps["timestamp"].number)
        #expect(try #require(aps["stale-date"].number) > timestamp)
        #expect(aps["relevance-score"].number.map { $0.rounded(.down) } == 100)
        #expect(aps["input-push-token"].number == 1)
        #expect(push.request.expiration == Int64(timestamp) + PendingStart.worthSeconds)
        await scene.server.server.drain()
    }

    @Test("A7: a phone before iOS 18 would drop input-push-token, so it is not sent there")
    func oldSystem() async throws {
        let scene = try await StartScene.make(osVersion: "17.6")
        try await scene.start()
        await scene.server.apns.untilSent(2)
        let push = try #require(scene.starts.first)
        #expect(push.aps["input-push-token"].isNull)
        #expect(push.aps["input-push-channel"].isNull)
        await scene.server.server.drain()
    }

    @Test("C4: the started activity is in the device's language")
    func language() async throws {
        let scene = try await StartScene.make(language: "ja-JP")
        try await scene.start()
        await scene.server.apns.untilSent(2)
        #expect(
            scene.starts.first?.aps["content-state"]["eventDescription"].string == "冒険のはじまりだ！")
        await scene.server.server.drain()
    }

    @Test("the fast writer of the attributes writes what a default JSONEncoder writes")
    func writers() throws {
        let hero = Hero(
            id: HeroID("hero-1"), owner: PlayerID("player-1"), name: "Say \"hi\" \\ 🐼",
            avatar: "👩‍🚀", heroType: "Wald\nläufer", healthLevel: Health(thousandths: 333),
            exp: 4321)
        let attributes = AdventureAttributes(of: hero)
        let payload = try LiveActivityPayload.start(
            at: 1_685_952_000, attributesType: AdventureAttributes.typeName,
            attributes: attributes,
            state: ContentState(currentHealthLevel: 1, eventDescription: ""),
            alert: LiveActivityAlert(
                StartReason.adventureBegins.alert(for: hero.tag))
        ).encoded()
        struct Pushed: Decodable {
            struct Aps: Decodable {
                let attributes: AdventureAttributes
            }
            let aps: Aps
        }
        let pushed = try JSONDecoder().decode(Pushed.self, from: Data(payload))
        #expect(pushed.aps.attributes == attributes)
    }

    // MARK: Who gets one

    @Test("A7: a phone whose app has registered an activity gets no start")
    func watching() async throws {
        let scene = try await StartScene.make()
        #expect(await scene.panda.offer("panda-phone", token: "cc").status == 204)
        try await scene.start()
        await scene.server.apns.untilSent(2)
        #expect(scene.starts.map(\.request.token.hex) == ["bb"])
        await scene.server.server.drain()
    }

    @Test("A7: another phone of the same player gets one, if the app has named its device")
    func otherPhone() async throws {
        let scene = try await StartScene.make()
        _ = await scene.panda.offer("panda-phone", token: "cc")
        _ = await scene.panda.offer("panda-tablet", token: "dd")
        _ = await scene.panda.watch("panda-card", token: "aa", device: "panda-phone")
        try await scene.start()
        await scene.server.apns.untilSent(3)
        #expect(Set(scene.starts.map(\.request.token.hex)) == ["bb", "dd"])
        await scene.server.server.drain()
    }

    @Test("the device that begins the adventure gets no start")
    func asker() async throws {
        let scene = try await StartScene.make()
        _ = await scene.panda.send(.delete, "/v1/activities/panda-card")
        _ = await scene.panda.offer("panda-phone", token: "cc")
        try await scene.start(from: "panda-phone")
        await scene.server.apns.untilSent(1)
        #expect(scene.starts.map(\.request.token.hex) == ["bb"])
        await scene.server.server.drain()
    }

    @Test("A7: joining a running adventure starts an activity, except on the requesting device")
    func joining() async throws {
        let scene = try await StartScene.make()
        try await scene.start()
        await scene.server.apns.untilSent(2)
        let spouty = try await TestPlayer.make("Spouty", at: scene.server)
        _ = await spouty.offer("phone", token: "dd")
        _ = await spouty.offer("tablet", token: "ee")
        let code = await scene.panda.send(.get, "/v1/parties/\(scene.party)").body["inviteCode"]
        let joined = await spouty.send(
            .post, "/v1/parties/join",
            #"{"inviteCode":"\#(code.string ?? "")","hero":"\#(spouty.hero)","device":"tablet"}"#)
        #expect(joined.status == 200)
        #expect(scene.starts.map(\.request.token.hex) == ["bb", "dd"])
        await scene.server.server.drain()
    }

    @Test("a token of the other environment is refused, and the host's own starts")
    func environment() async throws {
        let server = try await TestServer(pushEnvironment: .production)
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let party = try await panda.found()
        #expect(await panda.offer("phone", token: "aa").status == 400)
        let answer = await panda.offer("phone", token: "bb", environment: "production")
        #expect(answer.status == 204)
        _ = await panda.send(.post, "/v1/parties/\(party.id)/adventure")
        #expect(server.apns.pushes.map(\.request.token.hex) == ["bb"])
        await server.server.drain()
    }

    // MARK: One at a time, and not too many

    /// Plays an adventure of which Egghead's app tells nothing, and another one `minutes` later.
    private func twoAdventures(
        _ scene: StartScene, minutes: Int64, reporting: Bool = false
    ) async throws {
        try await scene.start()
        await scene.server.apns.untilSent(2)
        if reporting {
            #expect(await scene.egghead.watch("egg-card", token: "e1").status == 204)
        }
        try await scene.end()
        await scene.later(minutes: minutes)
        try await scene.start()
        for _ in 0..<5 { await scene.server.step() }
    }

    @Test("A7: as long as a start is pending there is no other, and the ledger says why")
    func pending() async throws {
        let scene = try await StartScene.make()
        try await twoAdventures(scene, minutes: 10)
        #expect(scene.starts.count == 1)
        let decisions = await scene.decisions()
        #expect(decisions.map { $0["verdict"].string } == ["sent", "dropped"])
        #expect(decisions.last?["rule"].string?.contains("is pending on this device") == true)
        #expect(decisions.last?["alert"].string == nil)
        #expect(scene.starts("sent") == 1)
        #expect(scene.starts("pending") == 1)
        await scene.server.server.drain()
    }

    @Test("A7: after 15 minutes a start that no activity followed delays no other adventure's")
    func givenUp() async throws {
        let scene = try await StartScene.make()
        try await twoAdventures(scene, minutes: 16)
        #expect(scene.starts.count == 2)
        #expect(Set(scene.starts.map(\.request.id)).count == 2)
        await scene.server.server.drain()
    }

    @Test("A7: once the app has registered the activity, the next adventure may start one")
    func reported() async throws {
        let scene = try await StartScene.make()
        try await twoAdventures(scene, minutes: 1, reporting: true)
        #expect(scene.starts.count == 2)
        #expect(scene.starts("reported") == 1)
        await scene.server.server.drain()
    }

    @Test("A7: the guard allows three starts an hour, and says so")
    func held() async throws {
        let scene = try await StartScene.make()
        for number in 1...4 {
            try await scene.start()
            _ = await scene.egghead.watch("egg-card-\(number)", token: "e\(number)")
            try await scene.end()
        }
        #expect(scene.starts.count == 3)
        #expect(scene.starts("held") == 1)
        let rule = await scene.decisions().last?["rule"].string
        #expect(rule?.contains("the guard allows 3 starts an hour") == true)
        await scene.later(minutes: 60)
        try await scene.start()
        #expect(scene.starts.count == 4)
        await scene.server.server.drain()
    }

    @Test("a server whose guard allows nothing starts nothing")
    func switchedOff() async throws {
        let scene = try await StartScene.make(limits: .init(anHour: 0, aDay: 8))
        try await scene.start()
        await scene.server.apns.untilSent(1)
        #expect(scene.starts.isEmpty)
        await scene.server.server.drain()
    }

    // MARK: The card that was started

    @Test("A7: the app registers the started activity, which then follows the adventure to its end")
    func wholeLife() async throws {
        let scene = try await StartScene.make()
        try await scene.start()
        await scene.server.apns.untilSent(2)
        let started = try #require(scene.starts.first?.aps["timestamp"].number)
        #expect(await scene.egghead.watch("egg-card", token: "e1").status == 204)
        let isOver = await scene.server.step(until: {
            scene.pushes(to: "e1").last?.aps["event"].string == "end"
        })
        #expect(isOver)
        let updates = scene.pushes(to: "e1").compactMap { $0.aps["timestamp"].number }
        #expect(updates.count > 1 && updates.allSatisfy { $0 > started })
        #expect(scene.pushes(to: "bb").count == 1)
        #expect(!scene.pushes(to: "e1").contains { !$0.aps["attributes"].isNull })
        await scene.server.server.drain()
    }

    @Test("N4: a started activity that is registered after the adventure is ended at once")
    func lateReport() async throws {
        let scene = try await StartScene.make()
        try await scene.start()
        await scene.server.apns.untilSent(2)
        try await scene.end()
        #expect(await scene.egghead.watch("egg-card", token: "e1").status == 204)
        #expect(scene.pushes(to: "e1").map { $0.aps["event"].string } == ["end"])
        await scene.server.server.drain()
    }

    @Test("L11: a dismissed activity is not started again in this adventure")
    func dismissed() async throws {
        let scene = try await StartScene.make()
        try await scene.start()
        await scene.server.apns.untilSent(2)
        _ = await scene.egghead.watch("egg-card", token: "e1")
        _ = await scene.egghead.send(
            .post, "/v1/activities/egg-card/state", #"{"state":"dismissed"}"#)
        _ = await scene.egghead.send(
            .post, "/v1/parties/\(scene.party)/actions",
            #"{"hero":"\#(scene.egghead.hero)","action":"leave"}"#)
        let code = await scene.panda.send(.get, "/v1/parties/\(scene.party)").body["inviteCode"]
        #expect(await scene.egghead.join(code.string ?? "").status == 200)
        #expect(scene.starts.count == 1)
        await scene.server.server.drain()
    }
}
