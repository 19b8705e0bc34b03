import APNsClient
import GameLogic
import HTTPServer
import Isolation
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

/// The consoles' event stream, over real sockets.
@Suite("consoles' event streams", .timeLimit(.minutes(2)))
struct ConsoleStreamTests {
    private typealias Message = StreamClient.Message

    /// Opens a stream; the client has the status.
    private static func open(
        _ watch: [String], at server: TestServer, as key: String = TestServer.adminKey,
        after id: String? = nil, receiveBufferBytes: Int32? = nil
    ) async -> (client: StreamClient, status: Int) {
        let client = StreamClient(to: server, receiveBufferBytes: receiveBufferBytes)
        let query = watch.map { "watch=\($0)" }.joined(separator: "&")
        let status = await client.get(
            "/v1/admin/stream?\(query)", as: key, id.map { ["last-event-id": $0] } ?? [:])
        return (client, status)
    }

    /// Lets time pass until a message that satisfies the condition has come, which is the last one
    /// returned.
    private static func messages(
        of client: StreamClient, at server: TestServer,
        until isLast: @escaping @Sendable (Message) -> Bool
    ) async -> [Message] {
        let reading = Task { await client.messages(until: isLast) }
        // Awaited below.
        let done = Locked(false)
        let waiting = Task {
            let messages = await reading.value
            done.withLock { $0 = true }
            return messages
        }
        _ = await server.step(until: { done.withLock { $0 } })
        return await waiting.value
    }

    @Test("a wall begins with a snapshot, and tells each party as it changes")
    func wall() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let (client, status) = await Self.open(["wall", "pushes"], at: stage.server)
        #expect(status == 200)
        #expect(await client.headers["content-type"] == "text/event-stream")
        #expect(await client.headers["x-accel-buffering"] == "no")
        let first = await Self.messages(of: client, at: stage.server) { $0.name == "party" }
        #expect(first.first?.name == "snapshot")
        #expect(first.first?.value["watch"][0].string == "wall")
        let tile = try #require(first.last).value
        #expect(tile["id"].string == stage.party)
        #expect(tile["phase"].string == "quest")
        #expect(tile["healths"].array.count == 1)
        #expect(tile["avatars"][0].string == "🐼")
        #expect(tile["name"].string == "Power Panda")
        #expect(tile["languages"][0].string == "en")
        #expect(tile["urgency"].number == 0)
        #expect(WallParty.schema.findings(in: tile, at: "party") == [])

        await EventStreamTests.loot(stage)
        let version = await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)")
            .body["party"]["version"].number
        let next = await Self.messages(of: client, at: stage.server) {
            $0.name == "party" && ($0.value["version"].number ?? 0) >= version ?? 0
        }
        #expect(try #require(next.last?.stamp).hasPrefix("1.") == true)
        // Over, then gone.
        #expect(await stage.untilEnded())
        let last = await Self.messages(of: client, at: stage.server) { $0.name == "gone" }
        #expect(last.contains { $0.value["phase"].string == "over" })
        #expect(last.last?.value["id"].string == stage.party)
        await stage.server.server.drain()
        #expect(await client.isClosedByServer())
    }

    @Test("rates come every second, with what has been pushed")
    func rates() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        let (client, _) = await Self.open(["wall", "pushes"], at: stage.server)
        let messages = await Self.messages(of: client, at: stage.server) {
            $0.name == "rates" && ($0.value["high"].number ?? 0) > 0
                && $0.value["parties"].number == 1
        }
        let rates = try #require(messages.last).value
        #expect(rates["cards"].number == 1)
        #expect(rates["paused"].bool == false)
        let times = messages.filter { $0.name == "rates" }.compactMap { $0.value["at"].number }
        #expect(times == times.sorted())
        #expect(ConsoleDesk.ratesSchema.findings(in: rates, at: "rates") == [])
        await stage.server.server.drain()
    }

    @Test("the watcher of a party gets its decisions, its pushes and its cards, and no others'")
    func party() async throws {
        let stage = try await Stage.make(speed: 1000)
        let other = try await TestPlayer.make("Egghead", at: stage.server)
        let othersParty = try await other.found().id
        #expect(await other.watch("activity-2").status == 204)
        try await stage.start()
        let (client, status) = await Self.open([stage.party], at: stage.server)
        #expect(status == 200)
        _ = await client.messages { $0.name == "snapshot" }
        #expect(
            await other.send(.post, "/v1/parties/\(othersParty)/adventure", "{}").status == 201)
        await EventStreamTests.loot(stage)
        let messages = await Self.messages(of: client, at: stage.server) {
            $0.name == "push" && $0.value["status"].number == 200
        }
        let names = Set(messages.map(\.name))
        #expect(names.isSuperset(of: ["decision", "push", "party"]))
        let decision = try #require(messages.first { $0.name == "decision" }).value
        #expect(decision["party"].string == stage.party)
        #expect(decision["activity"].string == "activity-1")
        let ledger = await stage.server.admin(
            .get, "/v1/admin/parties/\(stage.party)/decisions")
        let row = ledger.body["decisions"].array.first {
            $0["event"].number == decision["event"].number
        }
        #expect(row?["rule"].string == decision["rule"].string)
        #expect(row?["verdict"].string == decision["verdict"].string)
        #expect(!messages.contains { $0.data.contains("activity-2") })
        #expect(!messages.contains { $0.data.contains(othersParty) })
        await stage.server.server.drain()
    }

    @Test(
        "a client resumes without a gap or a double, and gets a snapshot after a restart",
        arguments: [true, false])
    func resumes(overRestart: Bool) async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        let (first, _) = await Self.open([stage.party], at: stage.server)
        _ = await first.messages { $0.name == "snapshot" }
        await EventStreamTests.loot(stage)
        let seen = await Self.messages(of: first, at: stage.server) {
            $0.name == "decision" && $0.stamp != nil || $0.name == "push" && $0.stamp != nil
        }
        let id = try #require(seen.last?.stamp)
        var server = stage.server
        if overRestart {
            await server.server.drain()
            server = try await TestServer(file: server.file, clock: server.clock, speed: 1000)
        }
        let back = stage.moved(to: server)
        await EventStreamTests.loot(back)
        let (second, status) = await Self.open([stage.party], at: server, after: id)
        #expect(status == 200)
        let next = await Self.messages(of: second, at: server) { message in
            overRestart ? message.name == "snapshot" : message.name == "decision"
        }
        #expect(next.contains { $0.name == "snapshot" } == overRestart)
        let events = (seen + next).filter { $0.name == "decision" }.compactMap {
            $0.value["event"].number
        }
        #expect(Set(events).count == events.count)
        await server.server.drain()
        if !overRestart { await stage.server.server.drain() }
    }

    @Test("frozen, unheard, late, refused, without a token: parties are urgent in this order")
    func urgency() {
        let tokenless = WallParty.Needs(tokenless: 900)
        let refused = WallParty.Needs(refused: 1)
        let late = WallParty.Needs(late: 1)
        let unheard = WallParty.Needs(unheard: 1)
        let frozen = WallParty.Needs(isFrozen: true)
        let all = [WallParty.Needs(), tokenless, refused, late, unheard, frozen]
        #expect(all.map(\.urgency) == all.map(\.urgency).sorted())
        #expect(Set(all.map(\.urgency)).count == all.count)
    }

    @Test("a refused push makes its party urgent, on the wall and in the list")
    func refused() async throws {
        let apns = FakeAPNs()
        let stage = try await Stage.make(apns: apns)
        apns.answer(
            .at(
                once: .refused(
                    APNsClient.Refusal(
                        status: 400, reason: "BadCollapseId", timestamp: nil,
                        action: APNsReason.action(status: 400, reason: "BadCollapseId")))))
        try await stage.start()
        let (client, _) = await Self.open(["wall"], at: stage.server)
        let messages = await Self.messages(of: client, at: stage.server) {
            $0.name == "party" && $0.value["refused"].number == 1
        }
        #expect((messages.last?.value["urgency"].number ?? 0) > 0)
        let list = await stage.server.admin(.get, "/v1/admin/parties?order=urgency")
        #expect(list.body["parties"][0]["id"].string == stage.party)
        #expect(list.body["needs"][0]["refused"].number == 1)
        await stage.server.server.drain()
    }

    // MARK: Limits

    @Test("of 200 streams that are opened at once, each key has 4 and the server 64")
    func limits() async throws {
        let server = try await TestServer()
        var keys: [String] = [TestServer.adminKey]
        for number in 0..<19 {
            let made = await server.admin(
                .post, "/v1/admin/keys", #"{"name":"panda-\#(number)","role":"observer"}"#)
            keys.append(try #require(made.body["key"].string))
        }
        let opened = await withTaskGroup(of: (StreamClient, Int).self) { group in
            for number in 0..<200 {
                let key = keys[number % keys.count]
                group.addTask { await Self.open(["pushes"], at: server, as: key) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.count(where: { $0.1 == 200 }) == ConsoleStreams.streamsMax)
        #expect(opened.count(where: { $0.1 == 503 }) == 200 - ConsoleStreams.streamsMax)
        for (client, status) in opened where status == 503 {
            #expect(await client.headers["retry-after"] == "5")
        }
        #expect(server.metrics.value(.consoleStreams) == Double(ConsoleStreams.streamsMax))
        await server.server.drain()
        for (client, status) in opened where status == 200 {
            #expect(await client.isClosedByServer())
        }
        #expect(server.metrics.value(.consoleStreams) == 0)
    }

    @Test("a key has at most 4 streams, and a place again when one has ended")
    func limitOfKey() async throws {
        let server = try await TestServer()
        var clients: [StreamClient] = []
        for _ in 0..<ConsoleStreams.openerMax {
            let (client, status) = await Self.open(["pushes"], at: server)
            #expect(status == 200)
            clients.append(client)
        }
        #expect(await Self.open(["pushes"], at: server).status == 503)
        clients.removeLast()
        let metrics = server.metrics
        #expect(
            await server.step(until: {
                metrics.value(.consoleStreams) == Double(ConsoleStreams.openerMax - 1)
            }))
        #expect(await Self.open(["pushes"], at: server).status == 200)
        await server.server.drain()
    }

    @Test("a stream ends when its key is revoked")
    func revoked() async throws {
        let server = try await TestServer()
        let made = await server.admin(
            .post, "/v1/admin/keys", #"{"name":"panda","role":"observer"}"#)
        let key = try #require(made.body["key"].string)
        let (client, status) = await Self.open(["pushes"], at: server, as: key)
        #expect(status == 200)
        #expect(await server.admin(.delete, "/v1/admin/keys/panda").status == 204)
        let last = await client.messages { _ in false }.last
        #expect(last?.name == "closed")
        #expect(last?.data == #"{"reason":"session"}"#)
        await server.server.drain()
    }

    @Test("a client that reads slowly skips what it has missed, and costs the others nothing")
    func slow() async throws {
        let stage = try await Stage.make(speed: 1000)
        try await stage.start()
        let (slow, _) = await Self.open(
            ["wall", stage.party], at: stage.server, receiveBufferBytes: 2048)
        let (quick, _) = await Self.open(["wall"], at: stage.server)
        var newest = 0.0
        for _ in 0..<40 {
            await EventStreamTests.loot(stage, times: 20)
            newest =
                await stage.server.admin(.get, "/v1/admin/parties/\(stage.party)")
                .body["party"]["version"].number ?? 0
            let wanted = newest
            _ = await Self.messages(of: quick, at: stage.server) {
                ($0.value["version"].number ?? 0) >= wanted
            }
        }
        let wanted = newest
        let late = await slow.messages {
            $0.name == "party" && ($0.value["version"].number ?? 0) >= wanted
        }
        // At first, and again in place of the rows that it has missed.
        #expect(late.count { $0.name == "snapshot" } >= 2)
        #expect(late.count { $0.name == "decision" } < 800)
        #expect(stage.server.metrics.value(.consoleStreams) == 2)
        await stage.server.server.drain()
    }

    @Test(
        "a watch that means nothing is refused",
        arguments: ["", "?watch=", "?watch=party-unknown"])
    func refusedWatch(_ query: String) async throws {
        let server = try await TestServer()
        let client = StreamClient(to: server)
        let status = await client.get("/v1/admin/stream\(query)", as: TestServer.adminKey)
        #expect(status == (query.isEmpty ? 400 : 404))
        #expect(server.metrics.value(.consoleStreams) == 0)
        await server.server.drain()
    }

    @Test("a shard has nothing to tell while nobody listens")
    func silence() async throws {
        let stage = try await Stage.make()
        try await stage.start()
        #expect(await stage.untilEnded())
        #expect(!stage.server.server.hasNews)
        await stage.server.server.drain()
    }
}
