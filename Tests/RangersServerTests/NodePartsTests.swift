import APNsClient
import Foundation
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import Testing

@testable import PartyStore
@testable import RangersServer

/// What concerns parties of several nodes, and what game masters see of all.
@Suite("Parties of several nodes", .timeLimit(.minutes(3)), .serialized)
struct NodePartsTests {
    @Test("game masters see all nodes, and whose lease has ended")
    func nodes() async throws {
        let nodes = try await TwoNodes.make()
        let listed = await nodes.two.admin(.get, "/v1/admin/nodes").body["nodes"].array
        #expect(listed.map { $0["name"].string } == ["one", "two"])
        #expect(listed.map { $0["shards"].number } == [2048, 2048])
        #expect(listed.map { $0["leads"].bool } == [true, false])
        #expect(listed.map { $0["answers"].bool } == [true, true])
        // The other one does not renew its lease any more.
        try await nodes.setDatabaseClock(to: VirtualClock().now.adding(seconds: 60))
        await nodes.two.step(forSeconds: 3)
        let then = await nodes.two.admin(.get, "/v1/admin/nodes").body["nodes"].array
        #expect(then.map { $0["answers"].bool } == [false, true])
        try await nodes.end()
    }

    @Test("a node that reports nothing is silent, and delays a list by three seconds, no longer")
    func silence() async throws {
        let scene = try await TwoParties.make()
        let (nodes, two) = (scene.nodes, scene.nodes.two)
        for path in ["/v1/admin/parties?order=urgency", "/v1/admin/frozen-parties"] {
            let began = two.clock.now
            let answer = await nodes.admin(path, at: two, passing: [two])
            #expect(answer.status == 200)
            #expect(answer.body["silentNodes"].strings == ["one"])
            #expect(two.clock.now <= began.adding(seconds: 4))
        }
        try await scene.nodes.end()
    }

    @Test("nodes write nothing for consoles while none looks at them")
    func noConsole() async throws {
        let scene = try await TwoParties.make()
        let nodes = scene.nodes
        let rows =
            "SELECT (SELECT count(*) FROM node_report) + (SELECT count(*) FROM node_watch)"
        for server in [nodes.one, nodes.two] { await server.step(forSeconds: 5) }
        #expect(try await nodes.query(rows) == "0\n")
        let listed = await nodes.admin("/v1/admin/frozen-parties", at: nodes.one)
        #expect(listed.body["silentNodes"].strings == [])
        #expect(try await nodes.query(rows) != "0\n")
        let areGone = await nodes.step { (try? await nodes.query(rows)) == "0\n" }
        #expect(areGone)
        try await scene.nodes.end()
    }

    @Test("push statistics are the sums of all nodes, each with its own host")
    func pushes() async throws {
        let scene = try await TwoParties.make()
        for (player, party) in zip([scene.here, scene.there], scene.parties) {
            #expect(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        }
        let (one, two) = (scene.nodes.one, scene.nodes.two)
        #expect(one.apns.pushes.count > 0 && two.apns.pushes.count > 0)
        // More leave while the request waits.
        let areAll = await scene.nodes.ask("/v1/admin/pushes", at: two) { found in
            let sent = Double(one.apns.pushes.count + two.apns.pushes.count)
            let minutes = ["high", "low"].flatMap { found["minutes"][$0].array }
            return minutes.count == 2 * PushStatistics.span
                && minutes.compactMap(\.number).reduce(0, +) == sent
                && found["answers"].array.compactMap { $0["count"].number } == [sent]
                && found["hosts"].array.map { $0["node"].string } == ["two", "one"]
                && found["silentNodes"].strings == []
        }
        #expect(areAll)
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
        let scene = try await TwoParties.make()
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

    @Test("a console that has missed reports gets the other walls anew")
    func gap() async throws {
        let scene = try await TwoParties.make()
        let (one, two) = (scene.nodes.one, scene.nodes.two)
        let party = scene.parties[1]
        #expect(await scene.there.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let client = StreamClient(to: one)
        #expect(
            await client.get("/v1/admin/stream?watch=wall", as: TestServer.adminKey, [:]) == 200)
        let number = "SELECT coalesce(max(number), 0) FROM node_report"
        let isReported = await scene.nodes.step { (try? await scene.nodes.query(number)) != "0\n" }
        try #require(isReported)
        // More reports than are kept, while the console's node stands still.
        await two.step(forSeconds: 8)
        let later = try await TestPlayer.make("Egghead", at: two)
        let third = try await later.found().id
        #expect(await later.send(.post, "/v1/parties/\(third)/adventure").status == 201)
        await two.step(forSeconds: 5)
        let isThere = Locked(false)
        // Awaited below.
        let reading = Task {
            let messages = await client.messages {
                $0.name == "party" && $0.value["id"].string == third
            }
            isThere.withLock { $0 = true }
            return messages
        }
        _ = await scene.nodes.step { isThere.withLock { $0 } }
        #expect(await reading.value.last?.value["id"].string == third)
        try await scene.nodes.end()
    }

    @Test("a stream that watches a party of another node comes from there")
    func watched() async throws {
        let scene = try await TwoParties.make()
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
