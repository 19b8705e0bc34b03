import HTTPServer
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
        _ = await client.messages { _ in false }
        #expect(await client.isClosedByServer())
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

    @Test("a browser phone's stream breaks off, and its page opens another")
    func page() async throws {
        let nodes = try await TwoNodes.make(pagesMax: 10)
        let scene = try await PageScene.make("Panda", at: nodes.one)
        let (client, status) = await scene.open()
        #expect(status == 200)
        try await scene.start()
        #expect(await client.next() != nil)
        try await nodes.moveToTwo(scene.party)
        _ = await client.messages { _ in false }
        #expect(await client.isClosedByServer())
        // Again at the same node, which passes it on.
        #expect(await scene.open().status == 200)
        try await nodes.end()
    }
}
