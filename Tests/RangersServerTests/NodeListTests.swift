import APNsClient
import GameLogic
import HTTPServer
import Playtest
import RangersServer
import Testing

/// Lists and routes of game masters that concern parties of several nodes.
@Suite("Lists of the parties of several nodes", .timeLimit(.minutes(3)), .serialized)
struct NodeListTests {
    private static let frozen = "/v1/admin/frozen-parties"
    private static let urgent = "/v1/admin/parties?order=urgency"

    /// A player with a party and a card at each node, both on an adventure.
    private struct Scene {
        let nodes: TwoNodes
        let players: [TestPlayer]
        let parties: [String]

        static func make(_ answer: FakeAPNs.Answer? = nil) async throws -> Scene {
            let nodes = try await TwoNodes.make()
            var (players, parties): ([TestPlayer], [String]) = ([], [])
            for (number, server) in [nodes.one, nodes.two].enumerated() {
                if let answer { server.apns.answer(answer) }
                let player = try await TestPlayer.make("Panda \(number)", at: server)
                let party = try await player.found().id
                #expect(await player.watch("activity-\(number)").status == 204)
                #expect(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
                players.append(player)
                parties.append(party)
            }
            return Scene(nodes: nodes, players: players, parties: parties)
        }

        /// Damages the rows of both parties, and steps until their nodes have frozen them.
        func freeze() async throws {
            try await nodes.query("UPDATE parties SET version = version + 1")
            let areFrozen = await nodes.step {
                nodes.one.metrics.value(.partiesFrozen) == 1
                    && nodes.two.metrics.value(.partiesFrozen) == 1
            }
            try #require(areFrozen)
        }
    }

    /// The ids in a list, a page of one after the other.
    private static func pages(
        _ path: String, _ id: String, at server: TestServer, of nodes: TwoNodes
    ) async -> [String] {
        var (ids, next): ([String], String?) = ([], nil)
        let path = path + (path.contains("?") ? "&" : "?") + "limit=1"
        repeat {
            let page = path + (next.map { "&after=\($0)" } ?? "")
            let body = await nodes.admin(page, at: server).body
            #expect(body["silentNodes"].strings == [])
            #expect(body["parties"].array.count <= 1)
            ids += body["parties"].array.compactMap { $0[id].string }
            next = body["next"].string
        } while next != nil && ids.count < 10
        return ids
    }

    @Test("the urgent parties of all nodes are in one order at each node")
    func urgent() async throws {
        let refusal = APNsClient.Refusal(
            status: 400, reason: "BadCollapseId", timestamp: nil,
            action: APNsReason.action(status: 400, reason: "BadCollapseId"))
        let scene = try await Scene.make(.at(once: .refused(refusal)))
        let (nodes, parties) = (scene.nodes, scene.parties)
        let areRefused = await nodes.ask(Self.urgent, at: nodes.one) {
            $0["needs"].array.compactMap { $0["refused"].number } == [1, 1]
        }
        #expect(areRefused)
        for server in [nodes.one, nodes.two] {
            let all = await nodes.admin(Self.urgent, at: server).body
            #expect(all["parties"].array.compactMap { $0["id"].string } == parties.sorted())
            #expect(await Self.pages(Self.urgent, "id", at: server, of: nodes) == parties.sorted())
            // A filter holds at both.
            let none = await nodes.admin(Self.urgent + "&language=ja", at: server).body
            #expect(none["parties"].array.isEmpty)
        }
        // A second card that is refused makes the later one the first.
        let later = try #require(parties.indices.max { parties[$0] < parties[$1] })
        #expect(await scene.players[later].watch("further").status == 204)
        for server in [nodes.one, nodes.two] {
            let isFirst = await nodes.ask(Self.urgent, at: server) {
                $0["needs"].array.compactMap { $0["refused"].number } == [2, 1]
            }
            #expect(isFirst)
        }
        let order = [parties[later], parties[1 - later]]
        for server in [nodes.one, nodes.two] {
            let listed = await nodes.admin(Self.urgent, at: server).body["parties"].array
            #expect(listed.compactMap { $0["id"].string } == order)
            #expect(await Self.pages(Self.urgent, "id", at: server, of: nodes) == order)
        }
        try await nodes.end()
    }

    @Test("PR10: frozen parties of all nodes are listed, shown, repaired and given up at each node")
    func frozen() async throws {
        let scene = try await Scene.make()
        let (nodes, parties) = (scene.nodes, scene.parties)
        try await scene.freeze()
        for (number, server) in [nodes.one, nodes.two].enumerated() {
            let listed = await nodes.admin(Self.frozen, at: server).body
            #expect(listed["parties"].array.compactMap { $0["party"].string } == parties.sorted())
            #expect(
                await Self.pages(Self.frozen, "party", at: server, of: nodes) == parties.sorted())
            // That of the other node.
            let other = parties[1 - number]
            let one = await server.admin(.get, "\(Self.frozen)/\(other)")
            #expect(one.status == 200, "\(one.text)")
            let fault = listed["parties"].array.first { $0["party"].string == other }?["fault"]
            #expect(one.body["fault"].string == fault?.string)
        }
        let repaired = await nodes.one.admin(.post, "\(Self.frozen)/\(parties[1])/repair", "{}")
        #expect(repaired.body["repair"].string == "rebuilt")
        let givenUp = await nodes.two.admin(.post, "\(Self.frozen)/\(parties[0])/abandon", "{}")
        #expect(givenUp.status == 204)
        for server in [nodes.one, nodes.two] {
            let isEmpty = await nodes.ask(Self.frozen, at: server) { $0["parties"].array.isEmpty }
            #expect(isEmpty)
            for party in parties {
                #expect(await server.admin(.get, "\(Self.frozen)/\(party)").status == 404)
            }
            let moved = scene.players.map { $0.moved(to: server) }
            #expect(await moved[0].send(.get, "/v1/parties/\(parties[0])").status == 404)
            #expect(await moved[1].send(.get, "/v1/parties/\(parties[1])").status == 200)
        }
        let calls = await nodes.one.admin(.get, "/v1/admin/audit").body["calls"].array
        for (action, party) in [("repair", parties[1]), ("abandon", parties[0])] {
            let ours = calls.filter { $0["action"].string?.hasSuffix("/\(action)") == true }
            #expect(ours.map { $0["before"]["party"].string } == [party])
        }
        let isOver = await nodes.two.step {
            await scene.players[1].send(.get, "/v1/parties/\(parties[1])")
                .body["adventure"]["phase"].string == "over"
        }
        #expect(isOver)
        try await nodes.end()
    }

    @Test("PR10: a frozen party that goes to another node is frozen there alone")
    func frozenMoves() async throws {
        let scene = try await Scene.make()
        let (nodes, parties) = (scene.nodes, scene.parties)
        try await scene.freeze()
        try await nodes.assignToTwo(parties[0])
        let isThere = await nodes.step { nodes.two.metrics.value(.partiesFrozen) == 2 }
        #expect(isThere)
        #expect(nodes.one.metrics.value(.partiesFrozen) == 0)
        for server in [nodes.one, nodes.two] {
            let areListed = await nodes.ask(Self.frozen, at: server) {
                $0["parties"].array.compactMap { $0["party"].string } == parties.sorted()
            }
            #expect(areListed)
        }
        let repaired = await nodes.one.admin(.post, "\(Self.frozen)/\(parties[0])/repair", "{}")
        #expect(repaired.body["repair"].string != nil, "\(repaired.text)")
        await nodes.two.leave()
        let hasAll = await nodes.one.step { nodes.one.metrics.value(.shardsOwned) == 4096 }
        #expect(hasAll)
        let isOver = await nodes.one.step {
            await scene.players[0].moved(to: nodes.one).send(.get, "/v1/parties/\(parties[0])")
                .body["adventure"]["phase"].string == "over"
        }
        #expect(isOver)
        try await nodes.end()
    }

    @Test("PR10: only the owner of a damaged party at rest sets it aside")
    func atRest() async throws {
        let nodes = try await TwoNodes.make()
        let here = try await TestPlayer.make("Panda", at: nodes.one)
        let there = try await TestPlayer.make("Spouty", at: nodes.two)
        let parties = [try await here.found().id, try await there.found().id]
        // A party without an adventure leaves the memory of its node.
        for server in [nodes.one, nodes.two] { await server.step(forSeconds: 1) }
        try await nodes.query("UPDATE parties SET version = version + 1")
        // A node learns of damage in the order of its reads.
        #expect(await there.moved(to: nodes.one).send(.get, "/v1/me").status == 200)
        #expect(await here.send(.get, "/v1/me").status == 200)
        let isAside = await nodes.one.step {
            await nodes.one.admin(.get, "\(Self.frozen)/\(parties[0])").status == 200
        }
        #expect(isAside)
        #expect(nodes.one.metrics.value(.corruptRows) == 2)
        #expect(nodes.one.metrics.value(.partiesFrozen) == 1)
        #expect(nodes.two.metrics.value(.partiesFrozen) == 0)
        #expect(await there.send(.get, "/v1/me").status == 200)
        #expect(await nodes.two.step { nodes.two.metrics.value(.partiesFrozen) == 1 })
        for server in [nodes.one, nodes.two] {
            let areListed = await nodes.ask(Self.frozen, at: server) {
                $0["parties"].array.compactMap { $0["party"].string } == parties.sorted()
            }
            #expect(areListed)
        }
        try await nodes.end()
    }
}
