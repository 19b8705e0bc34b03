import HTTPServer
import Isolation
import Playtest
import RangersServer
import Testing

/// Streams of parties whose shards go to another node.
@Suite("Streams of parties that go to another node", .timeLimit(.minutes(3)), .serialized)
struct NodeStreamTests {
    @Test("a party's stream ends when its shard leaves; its client finds the party at the other")
    func party() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let party = try await panda.found().id
        let spouty = try await TestPlayer.make("Spouty", at: nodes.one)
        let other = try await spouty.found().id
        for (hero, id) in [(panda, party), (spouty, other)] {
            #expect(await hero.send(.post, "/v1/parties/\(id)/adventure").status == 201)
        }
        let (client, staying) = (StreamClient(to: nodes.one), StreamClient(to: nodes.one))
        #expect(await client.open(party, as: panda) == 200)
        #expect(await staying.open(other, as: spouty) == 200)
        #expect(await client.next()?.value["id"].string == party)
        #expect(await staying.next()?.value["id"].string == other)
        try await nodes.moveToTwo(party)
        let rest = await client.messages { _ in false }
        #expect(rest.last?.data == #"{"reason":"unavailable"}"#)
        // Again at the same node, which passes it on, and at the one that has the party.
        for server in [nodes.one, nodes.two] {
            let again = StreamClient(to: server)
            #expect(await again.open(party, as: panda) == 200)
            #expect(await again.next()?.value["id"].string == party)
            let loot = await server.admin(.post, "/v1/admin/parties/\(party)/loot", "{}")
            #expect(loot.status == 200)
            #expect(await again.nextEvent()?.value["kind"].string != nil)
        }
        // The stream of a party that has stayed goes on.
        let loot = await nodes.one.admin(.post, "/v1/admin/parties/\(other)/loot", "{}")
        #expect(loot.status == 200)
        #expect(await staying.nextEvent()?.value["kind"].string != nil)
        try await nodes.end()
    }

    @Test("a stream ends when another node has ended the token that opened it; others go on")
    func token() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.two)
        let party = try await panda.found().id
        let added = await panda.send(.post, "/v1/me/devices", #"{"device":"watch"}"#)
        let token = try #require(added.body["token"].string)
        let (revoked, kept) = (StreamClient(to: nodes.two), StreamClient(to: nodes.two))
        #expect(await revoked.get("/v1/parties/\(party)/stream", as: token) == 200)
        #expect(await kept.open(party, as: panda) == 200)
        #expect(await kept.next()?.value["id"].string == party)
        let here = panda.moved(to: nodes.one)
        #expect(await here.send(.delete, "/v1/me/devices/watch").status == 204)
        async let last = revoked.messages { _ in false }.last
        await nodes.two.step(forSeconds: 3)
        #expect(await last?.data == #"{"reason":"token"}"#)
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        #expect(await kept.nextEvent()?.value["kind"].string != nil)
        try await nodes.end()
    }

    @Test("a token that another node has ended opens no stream, although it was just known here")
    func endedToken() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.two)
        let path = "/v1/parties/\(try await panda.found().id)"
        let added = await panda.send(.post, "/v1/me/devices", #"{"device":"watch"}"#)
        let token = try #require(added.body["token"].string)
        #expect(await nodes.two.send(.get, path, as: token).status == 200)
        let here = panda.moved(to: nodes.one)
        #expect(await here.send(.delete, "/v1/me/devices/watch").status == 204)
        #expect(await nodes.step { await nodes.two.send(.get, path, as: token).status == 401 })
        #expect(await nodes.two.send(.get, path + "/stream", as: token).status == 401)
        try await nodes.end()
    }

    @Test("a console's stream ends when another node has revoked its key; the owner's goes on")
    func revokedKey() async throws {
        let nodes = try await TwoNodes.make()
        let made = await nodes.one.admin(
            .post, "/v1/admin/keys", #"{"name":"lena","role":"observer"}"#)
        let key = try #require(made.body["key"].string, "\(made.text)")
        let (revoked, kept) = (StreamClient(to: nodes.two), StreamClient(to: nodes.two))
        let path = "/v1/admin/stream?watch=wall"
        #expect(await revoked.get(path, as: key) == 200)
        #expect(await kept.get(path, as: TestServer.adminKey) == 200)
        #expect(await kept.next()?.name == "snapshot")
        #expect(await nodes.one.admin(.delete, "/v1/admin/keys/lena").status == 204)
        async let last = revoked.messages { _ in false }.last
        await nodes.two.step(forSeconds: 3)
        #expect(await last?.data == #"{"reason":"session"}"#)
        let panda = try await TestPlayer.make("Panda", at: nodes.two)
        let party = try await panda.found().id
        #expect(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        async let shown = kept.messages { $0.name == "party" }.last?.value["id"].string
        await nodes.two.step(forSeconds: 3)
        #expect(await shown == party)
        try await nodes.end()
    }

    @Test("streams end when the node cannot renew its lease, and its clients may go elsewhere")
    func cutOff() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let party = try await panda.found().id
        let client = StreamClient(to: nodes.one)
        #expect(await client.open(party, as: panda) == 200)
        #expect(await client.next()?.value["id"].string == party)
        try await nodes.query("ALTER TABLE node RENAME TO away")
        async let last = client.messages { _ in false }.last
        await nodes.one.step(forSeconds: 8)
        #expect(await last?.data == #"{"reason":"unavailable"}"#)
        let answer = await panda.send(.get, "/v1/parties/\(party)")
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] != nil)
        try await nodes.query("ALTER TABLE away RENAME TO node")
        let isBack = await nodes.one.step {
            await StreamClient(to: nodes.one).open(party, as: panda) == 200
        }
        #expect(isBack)
        try await nodes.end()
    }

    @Test("a browser phone's stream breaks off, and its page gets its pushes over another")
    func page() async throws {
        let nodes = try await TwoNodes.make(pagesMax: 10)
        let scene = try await PageScene.make("Panda", at: nodes.one)
        let (client, status) = await scene.open()
        #expect(status == 200)
        try await scene.start()
        var newest = try #require(await Self.push(to: client, of: nodes))
        try await nodes.moveToTwo(scene.party)
        // The stream ends without an event that gives a reason: such an event would keep the page from
        // reconnecting.
        #expect(await !client.messages { _ in false }.contains { $0.name == "closed" })
        // Again at the same node, which passes it on, and at the one that has the party.
        for server in [nodes.one, nodes.two] {
            let (again, status) = await scene.moved(to: server).open()
            #expect(status == 200)
            // The newest content first, then what happens next.
            for _ in 0..<2 {
                let push = try #require(await Self.push(to: again, of: nodes))
                #expect(push > newest)
                newest = push
                await scene.loot()
            }
        }
        try await nodes.end()
    }

    /// Plays on until the page has its next push. Returns the push's timestamp.
    private static func push(to page: StreamClient, of nodes: TwoNodes) async -> Double? {
        let isThere = Locked(false)
        return await withTaskGroup(of: Double?.self) { group in
            group.addTask {
                let messages = await page.messages { $0.name == "push" }
                isThere.withLock { $0 = true }
                return messages.last?.value["aps"]["timestamp"].number
            }
            _ = await nodes.step {
                // Pages take what was sent, for which no clock is needed.
                await TestServer.until {
                    nodes.one.metrics.value(.pushesInFlight) == 0
                        && nodes.two.metrics.value(.pushesInFlight) == 0
                }
                return isThere.withLock { $0 }
            }
            return await group.next() ?? nil
        }
    }

    @Test("nodes whose clients still have streams stop all the same, and the streams end")
    func stop() async throws {
        let nodes = try await TwoNodes.make(pagesMax: 10)
        let scene = try await PageScene.make("Panda", at: nodes.one)
        try await scene.start()
        try await nodes.moveToTwo(scene.party)
        var clients: [StreamClient] = []
        for server in [nodes.one, nodes.two] {
            let client = StreamClient(to: server)
            #expect(await client.open(scene.party, as: scene.panda) == 200)
            clients.append(client)
        }
        let page = await scene.open()
        #expect(page.status == 200)
        try await nodes.end()
        for client in clients + [page.client] { #expect(await client.isClosedByServer()) }
    }
}
