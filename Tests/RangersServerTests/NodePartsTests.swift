import APNsClient
import Foundation
import HTTPServer
import Isolation
import Playtest
import Programs
import PushPolicy
import Testing

@testable import PartyStore
@testable import RangersServer

/// What concerns parties of several nodes, and what game masters see of all.
@Suite("Parties of several nodes", .timeLimit(.minutes(3)), .serialized)
struct NodePartsTests {
    /// A player with a party at each node, in each a Live Activity of the same phone.
    private struct Scene {
        let nodes: TwoNodes
        let here: TestPlayer
        let there: TestPlayer
        let parties: [String]

        static func make() async throws -> Scene {
            let nodes = try await TwoNodes.make()
            let here = try await TestPlayer.make("Panda", at: nodes.one)
            let there = try await here.anotherHero("Spouty").moved(to: nodes.two)
            let parties = [try await here.found().id, try await there.found().id]
            #expect(await here.watch("one", device: "phone").status == 204)
            #expect(await there.watch("two", device: "phone").status == 204)
            return Scene(nodes: nodes, here: here, there: there, parties: parties)
        }

        func left(of activity: String, in party: Int) async -> Double? {
            await nodes.one.admin(.get, "/v1/admin/parties/\(parties[party])").body["activities"]
                .array.first { $0["id"].string == activity }?["budgetLeft"].number
        }

        func reconcile(key: String? = nil) async -> TestServer.Answer {
            await here.send(
                .post, "/v1/me/reconcile", #"{"device":"phone","activities":[]}"#, key: key)
        }

        func states() async -> [String?] {
            await here.send(.get, "/v1/me").body["activities"].array.map { $0["state"].string }
        }
    }

    @Test("D2: a device's list is compared with the parties of all nodes")
    func reconcile() async throws {
        let scene = try await Scene.make()
        let answer = await scene.reconcile(key: "launch")
        #expect(answer.status == 200)
        #expect(answer.body["retired"].strings.sorted() == ["one", "two"])
        #expect(await scene.states() == ["dismissed", "dismissed"])
        let again = await scene.reconcile(key: "launch")
        #expect(again.body["retired"].strings.sorted() == ["one", "two"])
        try await scene.nodes.end()
    }

    @Test("D2: while a node is away, the comparison is a 503; repeated later, it is complete")
    func reconcileWithout() async throws {
        let scene = try await Scene.make()
        try await scene.nodes.query("UPDATE node SET address = '127.0.0.1:1' WHERE name = 'two'")
        await scene.nodes.one.step(forSeconds: 3)
        let answer = await scene.reconcile(key: "launch")
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] != nil)
        #expect(await scene.states().sorted { ($0 ?? "") < ($1 ?? "") } == ["active", "dismissed"])
        let moved = scene.here.moved(to: scene.nodes.two)
        let again = await moved.send(
            .post, "/v1/me/reconcile", #"{"device":"phone","activities":[]}"#, key: "launch")
        #expect(again.status == 200)
        #expect(again.body["retired"].strings == ["two"])
        #expect(await scene.states() == ["dismissed", "dismissed"])
        try await scene.nodes.end()
    }

    @Test("T5: a token moves from an activity in a party of another node")
    func token() async throws {
        let scene = try await Scene.make()
        #expect(await scene.there.watch("two", token: "aa01", device: "phone").status == 204)
        #expect(await scene.here.watch("one", token: "aa01", device: "phone").status == 204)
        let activities = await scene.here.send(.get, "/v1/me").body["activities"].array
        let holders = activities.filter { $0["hasPushToken"].bool == true }
        #expect(activities.count == 2)
        #expect(holders.compactMap { $0["id"].string } == ["one"])
        try await scene.nodes.end()
    }

    @Test("activities of one phone at two nodes share its budget, living and ended ones")
    func allowance() async throws {
        let scene = try await Scene.make()
        #expect(await scene.left(of: "one", in: 0) == 20)
        #expect(await scene.left(of: "two", in: 1) == 20)
        for player in [scene.here, scene.there] {
            let id = player.name == "Panda" ? "one" : "two"
            #expect(await player.send(.delete, "/v1/activities/\(id)").status == 204)
        }
        // Half of it is left at each node; the next activity has all of it, and no more.
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(await scene.left(of: "three", in: 0) == 40)
        #expect(await scene.there.watch("four", device: "phone").status == 204)
        #expect(await scene.left(of: "three", in: 0) == 20)
        #expect(await scene.left(of: "four", in: 1) == 20)
        try await scene.nodes.end()
    }

    @Test("what a phone's activity left stays where its party is, after its hero has left that")
    func leftByLeaving() async throws {
        let scene = try await Scene.make()
        #expect(await scene.here.send(.delete, "/v1/activities/one").status == 204)
        let leave = #"{"hero":"\#(scene.there.hero)","action":"leave"}"#
        let answer = await scene.there.send(
            .post, "/v1/parties/\(scene.parties[1])/actions", leave)
        try #require(answer.status == 200, "\(answer.text)")
        // The activity ends with a push, which counts.
        await scene.nodes.two.step(forSeconds: 2)
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(await scene.left(of: "three", in: 0) == 39)
        // Nothing is left for another one.
        #expect(await scene.here.watch("four", device: "phone").status == 204)
        let left = await (scene.left(of: "three", in: 0), scene.left(of: "four", in: 0))
        #expect(left == (19, 19))
        try await scene.nodes.end()
    }

    @Test("a new activity asks only nodes that have parties of its player")
    func asked() async throws {
        let scene = try await Scene.make()
        func asked() -> Double {
            let route = #"route="POST /v1/nodes/allowance",status="200""#
            return scene.nodes.two.metrics.value(.requests, labels: route)
        }
        let stranger = try await TestPlayer.make("Egghead", at: scene.nodes.one)
        _ = try await stranger.found()
        let before = asked()
        #expect(await stranger.watch("alone").status == 204)
        #expect(asked() == before)
        #expect(await scene.here.watch("three", device: "phone").status == 204)
        #expect(asked() == before + 1)
        try await scene.nodes.end()
    }

    @Test("a node that says nothing delays a new activity by two seconds, no longer")
    func silence() async throws {
        let scene = try await Scene.make()
        let (one, two) = (scene.nodes.one, "name = 'two'")
        let port = try await scene.nodes.query("SELECT address FROM node WHERE \(two)")
            .split(separator: ":").last.flatMap { UInt16($0.dropLast()) }
        let relay = try TCPRelay(to: try #require(port))
        defer { relay.close() }
        relay.be(.holds)
        try await scene.nodes.query(
            "UPDATE node SET address = '127.0.0.1:\(relay.port)' WHERE \(two)")
        await one.step(forSeconds: 3)
        let waiting = one.clock.waiting
        async let answer = scene.here.watch("three", device: "phone")
        await TestServer.until { one.clock.waiting > waiting }
        one.clock.advance(to: one.clock.now.adding(seconds: 2))
        #expect(await answer.status == 204)
        // It has what the node's own party gives.
        #expect(await scene.left(of: "three", in: 0) == 10)
        #expect(one.logged.withLock { !$0.contains("Timeout was reached") })
        relay.be(.passes)
        try await scene.nodes.end()
    }

    @Test("what nodes ask of each other is no client's to ask")
    func routes() async throws {
        let nodes = try await TwoNodes.make()
        for route in Routes.ofNodes {
            let path = route.template.replacing("{party}", with: "party-1")
            let request = Request(method: .post, path: path, body: Array("{}".utf8))
            #expect(await nodes.one.server.respond(to: request).status == 404)
            #expect(await nodes.one.server.respond(toGameMaster: request).status == 404)
        }
        #expect(!Routes.ofNodes.isEmpty)
        try await nodes.end()
    }

    @Test("game masters see all nodes, and which does not answer")
    func nodes() async throws {
        let nodes = try await TwoNodes.make()
        let listed = await nodes.two.admin(.get, "/v1/admin/nodes").body["nodes"].array
        #expect(listed.map { $0["name"].string } == ["one", "two"])
        #expect(listed.map { $0["shards"].number } == [2048, 2048])
        #expect(listed.map { $0["leads"].bool } == [true, false])
        #expect(listed.map { $0["answers"].bool } == [true, true])
        try await nodes.query("UPDATE node SET address = '127.0.0.1:1' WHERE name = 'one'")
        await nodes.two.step(forSeconds: 3)
        let then = await nodes.two.admin(.get, "/v1/admin/nodes").body["nodes"].array
        #expect(then.map { $0["answers"].bool } == [false, true])
        let urgent = await nodes.two.admin(.get, "/v1/admin/parties?order=urgency")
        #expect(urgent.status == 200)
        #expect(urgent.body["silentNodes"].strings == ["one"])
        let frozen = await nodes.two.admin(.get, "/v1/admin/frozen-parties")
        #expect(frozen.body["silentNodes"].strings == ["one"])
        // The operator reads it once, however many requests it has cost.
        let complaint = "another node does not answer"
        #expect(nodes.two.logged.withLock { $0.ranges(of: complaint).count } == 1)
        try await nodes.end()
    }

    @Test("push statistics are the sums of all nodes, each with its own host")
    func pushes() async throws {
        let scene = try await Scene.make()
        for (player, party) in zip([scene.here, scene.there], scene.parties) {
            #expect(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        }
        let sent = scene.nodes.one.apns.pushes.count + scene.nodes.two.apns.pushes.count
        #expect(scene.nodes.one.apns.pushes.count > 0 && scene.nodes.two.apns.pushes.count > 0)
        let found = await scene.nodes.two.admin(.get, "/v1/admin/pushes").body
        let minutes = ["high", "low"].flatMap { found["minutes"][$0].array }
        #expect(minutes.count == 2 * PushStatistics.span)
        #expect(minutes.compactMap(\.number).reduce(0, +) == Double(sent))
        #expect(found["hosts"].array.map { $0["node"].string } == ["two", "one"])
        #expect(found["answers"].array.compactMap { $0["count"].number } == [Double(sent)])
        #expect(found["silentNodes"].strings == [])
        try await scene.nodes.end()
    }

    /// Lets both servers' time pass until the stream of the first has had such a message.
    private static func messages(
        _ path: String, at nodes: TwoNodes,
        until isLast: @escaping @Sendable (StreamClient.Message) -> Bool
    ) async -> [StreamClient.Message] {
        let client = StreamClient(to: nodes.one)
        #expect(await client.get(path, as: TestServer.adminKey, [:]) == 200)
        let done = Locked(false)
        // Awaited below.
        let reading = Task {
            let messages = await client.messages(until: isLast)
            done.withLock { $0 = true }
            return messages
        }
        _ = await nodes.one.step {
            await nodes.two.step()
            return done.withLock { $0 }
        }
        return await reading.value
    }

    @Test("the wall of any node has the parties of all, and its sums are those of all")
    func wall() async throws {
        let scene = try await Scene.make()
        for (player, party) in zip([scene.here, scene.there], scene.parties) {
            #expect(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        }
        let messages = await Self.messages("/v1/admin/stream?watch=wall", at: scene.nodes) {
            $0.name == "rates" && $0.value["cards"].number == 2
        }
        let tiles = messages.filter { $0.name == "party" }.compactMap { $0.value["id"].string }
        #expect(Set(tiles) == Set(scene.parties))
        #expect(messages.filter { $0.name == "snapshot" }.count == 1)
        #expect(messages.last?.value["parties"].number == 2)
        try await scene.nodes.end()
    }

    @Test("a stream that watches a party of another node comes from there")
    func watched() async throws {
        let scene = try await Scene.make()
        let party = scene.parties[1]
        #expect(await scene.there.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let messages = await Self.messages("/v1/admin/stream?watch=\(party)", at: scene.nodes) {
            $0.name == "party" && $0.value["id"].string == party
        }
        #expect(messages.first?.name == "snapshot")
        #expect(messages.first?.value["watch"].strings == [party])
        try await scene.nodes.end()
    }

    @Test("each node knows how many channels there are, and leaves Apple's reserve")
    func channels() async throws {
        let channels = FakeChannels()
        let all = (0..<BroadcastChannel.countMax - ChannelRoom.reserve).map {
            ChannelID(base64: String(10_000 + $0))
        }
        for channel in all { channels.list(channel) }
        let nodes = try await TwoNodes.make(channels: channels)
        let panda = try await TestPlayer.make("Panda", at: nodes.two)
        let party = try await panda.found().id
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let open = await panda.send(
            .put, "/v1/parties/\(party)/channel", #"{"language":"en"}"#)
        #expect(open.status == 409, "\(open.text)")
        #expect(open.body["detail"].string?.contains("in use") == true)
        #expect(channels.created == 0)
        try await nodes.end()
    }

    @Test("the leader deletes outcomes of nodes that are gone, and those of the living stay")
    func outcomes() async throws {
        let nodes = try await TwoNodes.make()
        let lives = try #require(
            Int64(try await nodes.query("SELECT max(epoch) FROM node").filter(\.isNumber)))
        for epoch in [lives, lives + 1] {
            let row = DataRow(outcomes: [], row: epoch << 32 + 1)
            let data = row.data.map { String(format: "%02x", $0) }.joined()
            try await nodes.query(
                "INSERT INTO outcomes (id, data, crc) VALUES (\(epoch << 32 + 1), "
                    + "'\\x\(data)', \(row.checksumValue))")
        }
        let ids =
            "SELECT count(*), min(id) FROM outcomes WHERE id IN (\(lives << 32 + 1), "
            + "\((lives + 1) << 32 + 1))"
        await nodes.one.step(forSeconds: NodeDuties.goneSeconds - 30)
        #expect(try await nodes.query(ids) == "2|\(lives << 32 + 1)\n")
        await nodes.one.step(forSeconds: 2 * NodeDuties.goneSeconds)
        #expect(try await nodes.query(ids) == "1|\(lives << 32 + 1)\n")
        try await nodes.end()
    }
}
