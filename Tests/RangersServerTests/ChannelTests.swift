import APNsClient
import HTTPServer
import Isolation
import PartyStore
import Testing

@testable import RangersServer

/// A8, by the front door: what spectators see of a party.
@Suite("Spectators of a party", .timeLimit(.minutes(2)), .simulated)
struct ChannelTests {
    @Test("A8: the channel's last broadcast is an end with the leader's content")
    func wholeAdventure() async throws {
        let scene = try await ChannelScene.started()
        let opened = await scene.open()
        #expect(opened.status == 200)
        #expect(opened.body["channel"].string == "CH01")
        #expect(opened.body["environment"].string == "sandbox")
        #expect(await scene.untilEnded())
        let state = await scene.panda.send(.get, "/v1/parties/\(scene.party)")
        let card = state.body["heroes"][0]["card"]
        let shown = try #require(scene.channels.broadcasts.last).aps["content-state"]
        #expect(shown["eventDescription"].string == card["eventDescription"].string)
        #expect(shown["currentHealthLevel"].number == card["currentHealthLevel"].number)
        #expect(scene.channels.broadcasts.count > 3)
        await scene.server.server.drain()
    }

    @Test("A8: a channel is refused before the adventure and after it, and Apple is not asked")
    func onlyDuringAdventure() async throws {
        let scene = try await ChannelScene.make()
        let early = await scene.open()
        #expect(early.status == 409)
        #expect(early.body["detail"].string == "The party is not on an adventure.")
        #expect(scene.channels.created == 0)
        try await scene.start()
        #expect(await scene.open().status == 200)
        #expect(await scene.untilEnded())
        #expect(await scene.open().status == 409)
        #expect(await scene.show().status == 404)
        #expect(scene.channels.created == 1)
        try await scene.start()
        #expect(await scene.open().body["channel"].string == "CH02")
        await scene.server.server.drain()
    }

    @Test("A8: an adventure that ends while Apple creates the channel gets none")
    func overMeanwhile() async throws {
        let scene = try await ChannelScene.started()
        let (server, party) = (scene.server, scene.party)
        scene.channels.whileCreating { await server.end(party) }
        let answer = await scene.open()
        #expect(answer.status == 409)
        #expect(answer.body["detail"].string == "The party is not on an adventure.")
        #expect(await scene.show().status == 404)
        #expect(scene.channels.created == 1)
        #expect(scene.channels.deleted.map(\.base64) == ["CH01"])
        #expect(scene.channels.broadcasts.isEmpty)
        await scene.server.server.drain()
    }

    @Test("A8: a member who leaves while Apple creates the channel opens none")
    func leftMeanwhile() async throws {
        let scene = try await ChannelScene.started()
        let egghead = try await TestPlayer.make("Egghead", at: scene.server)
        #expect(await egghead.join(scene.code).status == 200)
        let actions = "/v1/parties/\(scene.party)/actions"
        let leave = #"{"hero":"\#(egghead.hero)","action":"leave"}"#
        scene.channels.whileCreating { _ = await egghead.send(.post, actions, leave) }
        #expect(await scene.open(as: egghead).status == 404)
        #expect(await scene.show().status == 404)
        #expect(scene.channels.deleted.map(\.base64) == ["CH01"])
        await scene.server.server.drain()
    }

    private static func startedOnFaultyStore() async throws -> (ChannelScene, FaultyStore) {
        let made = Locked<FaultyStore?>(nil)
        let scene = try await ChannelScene.started { sqlite in
            let store = FaultyStore(sqlite)
            made.withLock { $0 = store }
            return store
        }
        let store = try #require(made.withLock { $0 })
        return (scene, store)
    }

    @Test("A8: a channel that cannot be recorded is deleted at Apple")
    func unrecorded() async throws {
        let (scene, store) = try await Self.startedOnFaultyStore()
        scene.channels.whileCreating { store.failWrites(.broken("the disk is gone")) }
        #expect(await scene.open().status == 503)
        #expect(scene.channels.created == 1)
        #expect(scene.channels.deleted.map(\.base64) == ["CH01"])
        store.failWrites(nil)
        #expect(await scene.show().status == 404)
        await scene.server.server.drain()
    }

    @Test("A8: a channel that the store may have recorded is not deleted at Apple")
    func inDoubt() async throws {
        let (scene, store) = try await Self.startedOnFaultyStore()
        scene.channels.whileCreating { store.failAnswers(.unavailable("the connection is gone")) }
        #expect(await scene.open().status == 503)
        store.failAnswers(nil)
        let isShown = await scene.server.step {
            await scene.show().body["channel"].string == "CH01"
        }
        #expect(isShown)
        #expect(scene.channels.deleted.isEmpty)
        await scene.server.server.drain()
    }

    @Test("two members who open the channel at once get the same one")
    func atOnce() async throws {
        let scene = try await ChannelScene.started()
        let egghead = try await TestPlayer.make("Egghead", at: scene.server)
        #expect(await egghead.join(scene.code).status == 200)
        scene.channels.whileCreating { _ = await scene.open(as: egghead) }
        #expect(await scene.open().body["channel"].string == "CH01")
        #expect(scene.channels.deleted.map(\.base64) == ["CH02"])
        await scene.server.server.drain()
    }

    @Test("A8: a broadcast has low priority and no alert, and is stored for at most 8 hours")
    func manners() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        #expect(await scene.untilEnded())
        for broadcast in scene.channels.broadcasts {
            let timestamp = Int64(try #require(broadcast.aps["timestamp"].number))
            #expect(broadcast.request.priority == .low)
            #expect(broadcast.aps["alert"].isNull)
            #expect(broadcast.request.channel == ChannelID(base64: "CH01"))
            let kept = broadcast.request.storage.expiration - timestamp
            #expect((1...BroadcastStorage.secondsMax).contains(kept))
            #expect(throws: Never.self) { try broadcast.request.validate() }
        }
        await scene.server.server.drain()
    }

    @Test("P1: timestamps of broadcasts strictly increase")
    func timestamps() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        #expect(await scene.untilEnded())
        let times = scene.channels.broadcasts.compactMap { $0.aps["timestamp"].number }
        #expect(times.count > 1 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        await scene.server.server.drain()
    }

    @Test("B7: the ledger has the channel's decisions, none of them high")
    func ledger() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        #expect(await scene.untilEnded())
        let decisions = await scene.decisions()
        #expect(!decisions.isEmpty)
        #expect(decisions.allSatisfy { $0["priority"].number == 5 })
        await scene.server.server.drain()
    }

    @Test("opening the channel again returns the same channel, with its language")
    func idempotent() async throws {
        let scene = try await ChannelScene.started()
        let egghead = try await TestPlayer.make("Egghead", at: scene.server)
        #expect(await egghead.join(scene.code).status == 200)
        let first = await scene.open(language: "ja-JP")
        let second = await scene.open(language: "en", as: egghead)
        #expect(second.text == first.text)
        #expect(second.body["language"].string == "ja")
        #expect(scene.channels.created == 1)
        #expect(await scene.show().text == first.text)
        await scene.server.server.drain()
    }

    @Test("PR15: players outside the party cannot see, open or end its channel")
    func strangers() async throws {
        let scene = try await ChannelScene.started()
        #expect(await scene.show().status == 404)
        let thief = try await TestPlayer.make("Thief", at: scene.server)
        #expect(await scene.open(as: thief).status == 404)
        #expect(scene.channels.created == 0)
        _ = await scene.open()
        #expect(await thief.send(.get, scene.path).status == 404)
        #expect(await thief.send(.delete, scene.path).status == 404)
        #expect(await scene.show().status == 200)
        await scene.server.server.drain()
    }

    @Test("no player can report or delete the spectators' activity")
    func activity() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        let path = "/v1/activities/channel/CH01"
        let answer = await scene.server.server.respond(
            to: Request(
                method: .delete, path: path, query: [:],
                headers: ["authorization": "Bearer \(scene.panda.token)"], body: []))
        #expect(answer.status == 404)
        #expect(await scene.panda.send(.delete, "/v1/activities/channel%2FCH01").status == 404)
        #expect(await scene.show().status == 200)
        await scene.server.server.drain()
    }

    @Test("a server without channels refuses them with the reason")
    func off() async throws {
        let server = try await TestServer()
        let panda = try await TestPlayer.make("Power Panda", at: server)
        let path = "/v1/parties/\(try await panda.found().id)/channel"
        let answer = await panda.send(.put, path, #"{"language":"en"}"#)
        #expect(answer.status == 409)
        #expect(answer.body["detail"].string?.contains("--channels on") == true)
        #expect(await panda.send(.get, path).status == 404)
        await server.server.drain()
    }

    @Test(
        "Apple's refusal is reported with a remedy",
        arguments: [
            ("CannotCreateChannelConfig", 409, "delete those"),
            ("FeatureNotEnabled", 409, "developer.apple.com"), ("TopicMismatch", 503, "try again"),
        ])
    func refused(reason: String, status: Int, words: String) async throws {
        let scene = try await ChannelScene.started()
        scene.channels.failCreation(.refused(reason))
        let answer = await scene.open()
        #expect(answer.status == status)
        #expect(answer.body["detail"].string?.contains(words) == true)
        #expect(await scene.show().status == 404)
        await scene.server.server.drain()
    }

    @Test("while APNs is unreachable opening gives a 503, and later it succeeds")
    func away() async throws {
        let scene = try await ChannelScene.started()
        scene.channels.failCreation(.notSent)
        // More often than a player may open channels: nothing was opened.
        for _ in 0..<6 {
            let answer = await scene.open()
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] != nil)
        }
        scene.channels.failCreation(nil)
        #expect(await scene.open().status == 200)
        await scene.server.server.drain()
    }

    @Test("a player can open five channels in a row, then must wait")
    func tooMany() async throws {
        let scene = try await ChannelScene.started()
        for _ in 0..<5 {
            #expect(await scene.open().status == 200)
            #expect(await scene.close().status == 204)
        }
        let answer = await scene.open()
        #expect(answer.status == 429)
        #expect(answer.headers["retry-after"] == "600")
        #expect(scene.channels.created == 5)
        await scene.server.server.drain()
    }

    @Test("of the channels that Apple allows an app, players leave a tenth")
    func reserve() async throws {
        let scene = try await ChannelScene.started()
        let all = (0..<BroadcastChannel.countMax - ChannelRoom.reserve).map {
            ChannelID(base64: String(10_000 + $0))
        }
        for channel in all { scene.channels.list(channel) }
        await scene.sweep()
        let answer = await scene.open()
        #expect(answer.status == 409)
        #expect(answer.body["detail"].string?.contains("in use") == true)
        #expect(scene.channels.created == 0)
        scene.channels.lose(all[0])
        await scene.sweep()
        scene.channels.failCreation(.refused("TopicMismatch"))
        // A refused one takes no place.
        #expect(await scene.open().status == 503)
        scene.channels.failCreation(nil)
        #expect(await scene.open().status == 200)
        #expect(await scene.close().status == 204)
        #expect(await scene.open().status == 409)
        await scene.server.server.drain()
    }

    @Test("deleting the channel ends the spectators' activities at once, and another may be opened")
    func takenBack() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        await TestServer.until { !scene.channels.broadcasts.isEmpty }
        #expect(await scene.close().status == 204)
        #expect(await scene.show().status == 404)
        #expect(await scene.close().status == 404)
        #expect(await scene.server.step(until: { scene.hasEnded }))
        #expect(await scene.open().body["channel"].string == "CH02")
        await scene.server.server.drain()
    }

    @Test(
        "a channel that Apple no longer knows is closed, and nothing else is published there",
        arguments: ["ChannelNotRegistered", "BadChannelId"])
    func dead(reason: String) async throws {
        let scene = try await ChannelScene.started()
        scene.channels.answer(.refused(FakeChannels.refusal(reason)))
        _ = await scene.open()
        #expect(await scene.server.step(until: { await scene.show().status == 404 }))
        #expect(scene.channels.broadcasts.count == 1)
        scene.channels.answer(.accepted(apnsUniqueID: nil))
        for _ in 0..<20 { await scene.server.step() }
        #expect(scene.channels.broadcasts.count == 1)
        await scene.server.server.drain()
    }

    @Test("PR3: after a restart broadcasts continue on the same channel")
    func restart() async throws {
        let first = try await ChannelScene.started()
        _ = await first.open()
        await TestServer.until { !first.channels.broadcasts.isEmpty }
        let second = try await first.moved()
        #expect(await second.show().body["channel"].string == "CH01")
        #expect(await second.untilEnded())
        #expect(Set(second.channels.broadcasts.map(\.request.channel.base64)) == ["CH01"])
        await second.server.server.drain()
    }

    @Test("A8: when the leader leaves, spectators see the next one")
    func leaderLeaves() async throws {
        let scene = try await ChannelScene.make()
        let egghead = try await TestPlayer.make("Egghead", at: scene.server)
        #expect(await egghead.join(scene.code).status == 200)
        try await scene.start()
        _ = await scene.open()
        await TestServer.until { !scene.channels.broadcasts.isEmpty }
        let left = await scene.panda.send(
            .post, "/v1/parties/\(scene.party)/actions",
            #"{"action":"leave","hero":"\#(scene.panda.hero)"}"#)
        #expect(left.status == 200)
        #expect(await egghead.send(.get, scene.path).body["channel"].string == "CH01")
        #expect(await scene.server.step(until: { await isOver(scene, as: egghead) }))
        #expect(await scene.server.step(until: { scene.hasEnded }))
        let state = await egghead.send(.get, "/v1/parties/\(scene.party)")
        let card = state.body["heroes"][0]["card"]
        let shown = try #require(scene.channels.broadcasts.last).aps["content-state"]
        #expect(state.body["heroes"].array.count == 1)
        #expect(shown["eventDescription"].string == card["eventDescription"].string)
        #expect(shown["currentHealthLevel"].number == card["currentHealthLevel"].number)
        #expect(scene.channels.broadcasts.count { $0.aps["event"].string == "end" } == 1)
        await scene.server.server.drain()
    }

    private func isOver(_ scene: ChannelScene, as player: TestPlayer) async -> Bool {
        await player.send(.get, scene.path).status == 404
    }

    @Test("A8: when the last hero leaves, the spectators' activity ends")
    func lastLeaves() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        await TestServer.until { !scene.channels.broadcasts.isEmpty }
        _ = await scene.panda.send(
            .post, "/v1/parties/\(scene.party)/actions",
            #"{"action":"leave","hero":"\#(scene.panda.hero)"}"#)
        #expect(await scene.server.step(until: { scene.hasEnded }))
        await scene.server.server.drain()
    }

    @Test("A7: an open channel does not prevent a start on the leader's device")
    func leaderHasNoCard() async throws {
        let scene = try await ChannelScene.make()
        #expect(await scene.panda.offer("phone", token: "aa").status == 204)
        scene.server.apns.answer(.at(once: .notSent("no connection")))
        try await scene.start()
        await scene.server.apns.untilSent(1)
        _ = await scene.open()
        scene.server.apns.answer(.at(once: .accepted(apnsUniqueID: nil)))
        // The start that Apple has not received is tried again.
        #expect(await scene.server.step(until: { scene.server.apns.pushes.count > 1 }))
        #expect(scene.server.apns.pushes.allSatisfy { $0.aps["event"].string == "start" })
        await scene.server.server.drain()
    }

    @Test("nothing is published to channels after they were disabled")
    func switchedOff() async throws {
        let scene = try await ChannelScene.started()
        _ = await scene.open()
        await scene.server.server.drain()
        let before = scene.channels.broadcasts.count
        let clock = scene.server.clock
        let server = try await TestServer(file: scene.server.file, clock: clock)
        let panda = TestPlayer(
            server: server, token: scene.panda.token, id: scene.panda.id, hero: scene.panda.hero,
            name: scene.panda.name)
        #expect(await server.step(until: { await panda.send(.get, scene.path).status == 404 }))
        #expect(scene.channels.broadcasts.count == before)
        await server.server.drain()
    }
}
