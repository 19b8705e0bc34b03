import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import RangersServer
import Testing

@Suite("Several servers over one database", .timeLimit(.minutes(3)), .serialized)
struct NodeTests {
    /// Returns a party of a player at one server, which that server has.
    private static func party(
        _ name: String, at server: TestServer
    ) async throws -> (player: TestPlayer, party: String) {
        let player = try await TestPlayer.make(name, at: server)
        return (player, try await player.found().id)
    }

    @Test("any node responds to any request")
    func anywhere() async throws {
        let nodes = try await TwoNodes.make()
        let (panda, party) = try await Self.party("Panda", at: nodes.one)
        let elsewhere = panda.moved(to: nodes.two)
        let here = await panda.send(.get, "/v1/parties/\(party)")
        let there = await elsewhere.send(.get, "/v1/parties/\(party)")
        #expect(here.status == 200)
        #expect(there.text == here.text)
        #expect(there.headers["etag"] == here.headers["etag"])
        #expect(TwoNodes.redirected(by: nodes.two) == 1)
        #expect(await elsewhere.watch("activity-1").status == 204)
        #expect(await elsewhere.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let friend = try await TestPlayer.make("Spouty", at: nodes.two)
        let code = try #require(here.body["inviteCode"].string)
        #expect(await friend.join(code).status == 200)
        let stranger = try await TestPlayer.make("Egghead", at: nodes.two)
        #expect(await stranger.send(.get, "/v1/parties/\(party)").status == 404)
        #expect(await nodes.two.send(.get, "/v1/parties/\(party)", as: "wrong").status == 401)
        #expect(await nodes.two.admin(.get, "/v1/admin/parties/\(party)").status == 200)
        try await nodes.end()
    }

    @Test("a request with a key is made once, whichever node it reaches")
    func once() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let body = #"{"hero":"\#(panda.hero)"}"#
        let answers = await withTaskGroup(of: TestServer.Answer.self) { group in
            for number in 0..<40 {
                let player = panda.moved(to: number % 2 == 0 ? nodes.one : nodes.two)
                group.addTask { await player.send(.post, "/v1/parties", body, key: "again") }
            }
            return await group.reduce(into: [TestServer.Answer]()) { $0.append($1) }
        }
        #expect(answers.count == 40)
        #expect(Set(answers.map(\.status)) == [201])
        #expect(Set(answers.compactMap { $0.body["id"].string }).count == 1)
        try await nodes.end()
    }

    @Test("PR20: the adventures of a node that is removed go on at the other, each event once")
    func takeOver() async throws {
        let nodes = try await TwoNodes.make()
        let (panda, party) = try await Self.party("Panda", at: nodes.one)
        #expect(await panda.watch("activity-1").status == 204)
        try #require(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        try await nodes.remove("one", seenBy: nodes.two)
        // It does not know yet; the store does.
        let late = await panda.send(.post, "/v1/parties/\(party)/code", #"{"rotate":true}"#)
        #expect(late.status == 503, "\(late.text)")
        let moved = panda.moved(to: nodes.two)
        let isOver = await nodes.two.step {
            await moved.send(.get, "/v1/parties/\(party)").body["adventure"]["phase"].string
                == "over"
        }
        #expect(isOver)
        nodes.one.clock.advance(to: nodes.one.clock.now.adding(seconds: 3))
        await nodes.one.server.untilReplaced()
        let seen = await moved.send(.get, "/v1/parties/\(party)").body
        let ids = seen["events"].array.compactMap { $0["sequence"].number }
        #expect(ids.count > 10)
        #expect(ids == (0..<ids.count).map { (ids.first ?? 0) + Double($0) })
        try await nodes.end()
    }

    @Test("a node passes on what concerns a shard that it has lost, as soon as it knows")
    func lostShard() async throws {
        let nodes = try await TwoNodes.make()
        let (panda, party) = try await Self.party("Panda", at: nodes.one)
        #expect(await panda.send(.get, "/v1/parties/\(party)").status == 200)
        #expect(TwoNodes.redirected(by: nodes.one) == 0)
        try await nodes.moveToTwo(party)
        let before = TwoNodes.redirected(by: nodes.one)
        #expect(await panda.send(.get, "/v1/parties/\(party)").status == 200)
        #expect(TwoNodes.redirected(by: nodes.one) == before + 1)
        try await nodes.end()
    }

    @Test("PR20: after an outage of the database no node removes another that may live")
    func outage() async throws {
        let nodes = try await TwoNodes.make()
        let complaint = "the lease of this node cannot be renewed"
        try await nodes.query("ALTER TABLE node RENAME TO away")
        let hasNoticed = await nodes.two.step {
            nodes.two.logged.withLock { $0.contains(complaint) }
        }
        #expect(hasNoticed)
        // Meanwhile all leases have ended, and the other node has not come back yet.
        try await nodes.query("ALTER TABLE away RENAME TO node; UPDATE node SET until = 0")
        await nodes.two.step(forSeconds: 5)
        #expect(try await nodes.query("SELECT count(*) FROM node") == "2\n")
        #expect(nodes.two.metrics.value(.shardsOwned) == 2048)
        await nodes.one.step(forSeconds: 3)
        await nodes.two.step(forSeconds: 10)
        #expect(nodes.one.metrics.value(.shardsOwned) == 2048)
        #expect(nodes.two.metrics.value(.shardsOwned) == 2048)
        try await nodes.end()
    }

    @Test("PR20: a node that stood still itself removes no other that may have done so too")
    func standstill() async throws {
        let nodes = try await TwoNodes.make()
        await nodes.one.step(forSeconds: 10)
        try await nodes.query("UPDATE node SET until = 0 WHERE name = 'two'")
        try await nodes.setDatabaseClock(to: VirtualClock().now.adding(seconds: 8))
        nodes.one.clock.advance(to: nodes.one.clock.now.adding(seconds: 8))
        await nodes.one.step(forSeconds: 4)
        #expect(try await nodes.query("SELECT count(*) FROM node") == "2\n")
        // By then the other would have renewed its lease, if it lived.
        #expect(await nodes.one.step { nodes.one.metrics.value(.shardsOwned) == 4096 })
        try await nodes.end()
    }

    @Test("PR20: an adventure that is found while the lease has ended goes on after the renewal")
    func foundLate() async throws {
        let nodes = try await TwoNodes.make()
        let (panda, party) = try await Self.party("Panda", at: nodes.two)
        #expect(await panda.watch("activity-1").status == 204)
        try #require(await panda.send(.post, "/v1/parties/\(party)/adventure").status == 201)
        let (one, versions) = (nodes.one, "SELECT version FROM parties")
        await one.step(forSeconds: 7)
        // The parties cannot be read until the lease has ended, because it cannot be renewed.
        try await nodes.query(
            "ALTER TABLE parties RENAME TO hidden; UPDATE node SET until = 0 WHERE name = 'two'")
        try #require(await one.step { one.metrics.value(.shardsOwned) == 4096 })
        try await nodes.query("ALTER TABLE node RENAME TO away")
        await one.step(forSeconds: 7)
        try await nodes.query("ALTER TABLE hidden RENAME TO parties")
        let before = try await nodes.query(versions)
        let loaded = #""message":"the parties are loaded","parties":"1""#
        try #require(await one.step { one.logged.withLock { $0.contains(loaded) } })
        try await nodes.query("ALTER TABLE away RENAME TO node")
        #expect(await one.step { (try? await nodes.query(versions)) != before })
        try await nodes.end()
    }

    @Test("PR20: a node that starts while the database is away joins the others later")
    func startWhileAway() async throws {
        let nodes = try await TwoNodes.make()
        try await nodes.query(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN RAISE EXCEPTION ''away'' USING ERRCODE = ''53200''; END';
            CREATE TRIGGER away BEFORE INSERT ON node FOR EACH ROW EXECUTE FUNCTION refuse()
            """)
        try await nodes.catchUp()
        let clock = VirtualClock()
        async let starting = nodes.another("three", clock: clock)
        for _ in 1...3 {
            await clock.untilAsleep(1)
            clock.advance(to: clock.now.adding(seconds: 1))
        }
        await clock.untilAsleep(1)
        try await nodes.query("DROP TRIGGER away ON node")
        clock.advance(to: clock.now.adding(seconds: 1))
        let three = try await starting
        let count = three.logged.withLock { $0.ranges(of: "this server cannot join yet").count }
        #expect(count == 1)
        let names = try await nodes.query("SELECT name FROM node ORDER BY epoch")
        #expect(names == "one\ntwo\nthree\n")
        await three.leave()
        try await nodes.end()
    }

    @Test("PR20: a node that joins and cannot start leaves at once")
    func failedStart() async throws {
        let nodes = try await TwoNodes.make()
        try await nodes.catchUp()
        var taken = HTTPServer.Settings()
        taken.port = nodes.one.server.port
        await #expect(throws: HTTPServerError.self) {
            try await nodes.another("three", adminHTTP: taken)
        }
        #expect(try await nodes.query("SELECT name FROM node ORDER BY epoch") == "one\ntwo\n")
        try await nodes.end()
    }

    @Test("C2: a party that comes from another node has no absent leader at once")
    func leaderSeenElsewhere() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let (party, code) = try await panda.found()
        let spouty = try await TestPlayer.make("Spouty", at: nodes.one)
        try #require(await spouty.join(code).status == 200)
        for server in [nodes.one, nodes.two] {
            await server.untilAsleep()
            server.clock.advance(to: server.clock.now.adding(seconds: 700))
            await server.untilAsleep()
        }
        #expect(await panda.send(.get, "/v1/heroes").status == 200)
        try await nodes.moveToTwo(party)
        let claim = await spouty.moved(to: nodes.two).send(
            .post, "/v1/parties/\(party)/actions",
            #"{"hero":"\#(spouty.hero)","action":"claimLead"}"#)
        #expect(claim.status == 409, "\(claim.text)")
        try await nodes.end()
    }

    @Test("a node that stops hands its parties over at once")
    func drain() async throws {
        let nodes = try await TwoNodes.make()
        let (panda, party) = try await Self.party("Panda", at: nodes.one)
        let (spouty, other) = try await Self.party("Spouty", at: nodes.two)
        await nodes.one.leave()
        let hasAll = await nodes.two.step { nodes.two.metrics.value(.shardsOwned) == 4096 }
        #expect(hasAll)
        #expect(await panda.moved(to: nodes.two).send(.get, "/v1/parties/\(party)").status == 200)
        #expect(await spouty.send(.get, "/v1/parties/\(other)").status == 200)
        #expect(try await nodes.query("SELECT name FROM node") == "two\n")
        try await nodes.end()
    }

    @Test("what one node changes, the other knows after its next renewal")
    func news() async throws {
        let nodes = try await TwoNodes.make()
        #expect(await nodes.one.admin(.put, "/v1/admin/push-pause").status == 200)
        #expect(await nodes.two.step { nodes.two.metrics.value(.pushesPaused) == 1 })
        #expect(await nodes.two.admin(.delete, "/v1/admin/push-pause").status == 200)
        #expect(await nodes.one.step { nodes.one.metrics.value(.pushesPaused) == 0 })
        let ban = await nodes.one.admin(.put, "/v1/admin/banned-names/Egghead")
        #expect(ban.status == 204)
        let player = await nodes.two.send(.post, "/v1/players").body["token"].string
        // Each hero before the news arrives gets the name; the player may have many.
        let isRefused = await nodes.two.step {
            await nodes.two.send(
                .post, "/v1/heroes", #"{"name":"Egghead","avatar":"🐼","heroType":"Wanderer"}"#,
                as: player
            ).text.contains("is not allowed")
        }
        #expect(isRefused)
        try await nodes.end()
    }

    @Test("what a node cannot read when another changes it, it reads later")
    func newsAgain() async throws {
        let nodes = try await TwoNodes.make()
        #expect(await nodes.one.admin(.put, "/v1/admin/push-pause").status == 200)
        try await nodes.query("ALTER TABLE push_pause RENAME TO away")
        let complaint = "cannot read what another node has changed"
        #expect(await nodes.two.step { nodes.two.logged.withLock { $0.contains(complaint) } })
        try await nodes.query("ALTER TABLE away RENAME TO push_pause")
        #expect(nodes.two.metrics.value(.pushesPaused) == 0)
        #expect(await nodes.two.step { nodes.two.metrics.value(.pushesPaused) == 1 })
        try await nodes.end()
    }

    @Test("a change without an answer is made with its news, or without both")
    func newsOfDoubt() async throws {
        let nodes = try await TwoNodes.make()
        try await nodes.query(
            """
            CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON audit
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_session()
            """)
        #expect(await nodes.one.admin(.put, "/v1/admin/push-pause").status == 503)
        try await nodes.query("DROP TRIGGER at_commit ON audit")
        #expect(try await nodes.query("SELECT count(*) FROM news") == "0\n")
        // Both go on, and the change can be repeated.
        #expect(await nodes.two.admin(.put, "/v1/admin/push-pause").status == 200)
        #expect(await nodes.one.step { nodes.one.metrics.value(.pushesPaused) == 1 })
        try await nodes.end()
    }

    @Test("an account is erased in the parties of all nodes")
    func erasure() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        _ = try await panda.found()
        let second = try await panda.moved(to: nodes.two).anotherHero("Spouty")
        _ = try await second.found()
        #expect(await panda.send(.delete, "/v1/me").status == 204)
        let isErased = await nodes.two.step {
            (try? await nodes.query("SELECT done FROM deletions")) == "1\n"
        }
        #expect(isErased)
        #expect(try await nodes.query("SELECT count(*) FROM memberships") == "0\n")
        #expect(try await nodes.query("SELECT count(*) FROM heroes") == "0\n")
        try await nodes.end()
    }

    @Test("200 heroes that join one party by two nodes at once fill it, and no more")
    func joins() async throws {
        let nodes = try await TwoNodes.make()
        let panda = try await TestPlayer.make("Panda", at: nodes.one)
        let (party, code) = try await panda.found()
        var others: [TestPlayer] = []
        for number in 0..<40 {
            others.append(
                try await TestPlayer.make(
                    "Hero \(number)", at: number % 2 == 0 ? nodes.one : nodes.two))
        }
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                let player = others[number % others.count]
                group.addTask { await player.join(code).status }
            }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses.isSubset(of: [200, 409, 503]))
        let count = await panda.send(.get, "/v1/parties/\(party)").body["heroes"].array.count
        #expect(count == 8)
        #expect(try await nodes.query("SELECT count(*) FROM memberships") == "8\n")
        try await nodes.end()
    }
}
