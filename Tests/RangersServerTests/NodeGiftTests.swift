import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import PushPolicy
import Testing

@testable import RangersServer

@Suite("Shards that go from one server to another", .timeLimit(.minutes(3)), .serialized)
struct NodeGiftTests {
    /// Lets parties of one member at the first server set out and pause, so that none writes its row,
    /// and have pushes whose outcomes are written.
    private static func pausedParties(_ count: Int, of nodes: TwoNodes) async throws -> [String] {
        var parties: [String] = []
        for number in 0..<count {
            let player = try await TestPlayer.make("Hero \(number)", at: nodes.one)
            let party = try await player.found().id
            try #require(await player.watch("activity-\(number)").status == 204)
            try #require(await player.send(.post, "/v1/parties/\(party)/adventure").status == 201)
            parties.append(party)
        }
        try await command(#""name":"pause","minutes":60"#, parties, nodes)
        await nodes.one.step(forSeconds: 2)
        return parties
    }

    private static func command(
        _ command: String, _ parties: [String], _ nodes: TwoNodes
    ) async throws {
        for party in parties {
            let answer = await nodes.one.admin(
                .post, "/v1/admin/commands", #"{"command":{\#(command)},"party":"\#(party)"}"#)
            try #require(answer.status == 200, "\(answer.text)")
        }
    }

    /// Starts a third server, and waits until it has its share.
    private static func third(of nodes: TwoNodes) async throws -> TestServer {
        try await nodes.catchUp()
        let three = try await nodes.another("three")
        let hasShare = await nodes.step {
            await three.step()
            return three.metrics.value(.shardsOwned) >= 1364
        }
        try #require(hasShare)
        return three
    }

    /// Lets the database hold every gift until the table `held` is empty.
    private static func holdGifts(of nodes: TwoNodes) async throws {
        try await hold("AFTER UPDATE ON shard_lease", whileRowsIn: "held", nodes)
    }

    /// Lets no node leave until the table `staying` is empty.
    private static func holdLeaving(of nodes: TwoNodes) async throws {
        try await hold("BEFORE DELETE ON node", whileRowsIn: "staying", nodes)
    }

    private static func hold(
        _ change: String, whileRowsIn table: String, _ nodes: TwoNodes
    ) async throws {
        try await nodes.query(
            """
            CREATE TABLE \(table) AS SELECT 1;
            CREATE FUNCTION wait_\(table)() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN
                WHILE EXISTS (SELECT FROM \(table)) LOOP PERFORM pg_sleep(0.01); END LOOP;
                RETURN NULL;
            END';
            CREATE TRIGGER \(table) \(change)
            FOR EACH STATEMENT EXECUTE FUNCTION wait_\(table)()
            """)
    }

    /// Lets the first server's time pass until it gives, because it waits until others look.
    private static func untilGiftIsHeld(_ nodes: TwoNodes) async {
        await TestServer.until {
            nodes.one.clock.advance(to: nodes.one.clock.now.adding(milliseconds: 50))
            return
                (try? await nodes.query(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE wait_event = 'PgSleep' AND query LIKE '%shard_lease%'
                    """)) == "1\n"
        }
    }

    /// How many gifts of shards a server has given.
    private static func gifts(of server: TestServer) -> Int {
        server.logged.withLock { $0.ranges(of: "this node has given shards away").count }
    }

    @Test("what a node knows of the pushes of its parties goes with them to a new node")
    func outcomesOfGifts() async throws {
        let nodes = try await TwoNodes.make()
        let parties = try await Self.pausedParties(12, of: nodes)
        let rows = "SELECT count(*) FROM outcomes"
        try #require(try await nodes.query(rows) != "0\n")
        let three = try await Self.third(of: nodes)
        try await Self.command(#""name":"resume""#, parties, nodes)
        let areOver = await nodes.step {
            await three.step()
            return (try? await nodes.query("SELECT sum(awake) FROM parties")) == "0\n"
        }
        #expect(areOver)
        // Only a row of the party's own takes its place.
        let areGone = await nodes.step {
            await three.step()
            return (try? await nodes.query(rows)) == "0\n"
        }
        #expect(areGone)
        await three.leave()
        try await nodes.end()
    }

    @Test("a node that joins gets its share in gifts; each node has what the database says")
    func gifts() async throws {
        let nodes = try await TwoNodes.make()
        let three = try await Self.third(of: nodes)
        for (name, server) in [("one", nodes.one), ("two", nodes.two), ("three", three)] {
            let map = server.server.game.shards.map
            let owned = try await nodes.query(
                """
                SELECT shard FROM shard_lease JOIN node USING (epoch) WHERE name = '\(name)'
                ORDER BY shard
                """
            ).split(separator: "\n").compactMap { Int($0) }
            #expect(owned.count >= 1364)
            #expect(await server.step { (0..<PartyShard.count).filter(map.isTaken) == owned })
        }
        // Half of what the third one lacks, in gifts of at most 256 shards.
        #expect(Self.gifts(of: nodes.two) == 3)
        await three.leave()
        try await nodes.end()
    }

    @Test("a node that stops serves its parties until the other has them, which looks for them")
    func handOver() async throws {
        let nodes = try await TwoNodes.make()
        let map = nodes.one.server.game.shards.map
        // Shard 0 stays, and the first gift is held.
        let left = Set((0..<PartyShard.count).filter(map.isTaken).dropFirst(257))
        var party: String
        repeat {
            party = try await TestPlayer.make("Panda", at: nodes.one).found().id
        } while !left.contains(PartyShard.number(of: PartyID(party)))
        try await Self.holdGifts(of: nodes)
        try await Self.holdLeaving(of: nodes)
        async let end: Void = nodes.one.server.drain()
        await Self.untilGiftIsHeld(nodes)
        let path = "/v1/admin/parties/\(party)"
        let redirected = TwoNodes.redirected(by: nodes.two)
        #expect(await nodes.two.admin(.get, path).status == 200)
        #expect(TwoNodes.redirected(by: nodes.two) == redirected + 1)
        #expect(await nodes.one.send(.get, "/readyz").status == 503)
        try await nodes.query("DELETE FROM held")
        #expect(await nodes.two.step { nodes.two.metrics.value(.shardsOwned) == 4095 })
        try await nodes.query("DELETE FROM staying")
        await end
        #expect(await nodes.two.step { nodes.two.metrics.value(.shardsOwned) == 4096 })
        #expect(await nodes.two.admin(.get, path).status == 200)
        #expect(TwoNodes.redirected(by: nodes.two) == redirected + 1)
        // What it gave at the other's start, and now, in gifts of at most 256 shards.
        #expect(Self.gifts(of: nodes.one) == 8 + 8)
        try await nodes.end()
    }

    @Test("a node that stops waits 10 seconds at most until others have its shards")
    func handOverEnds() async throws {
        let nodes = try await TwoNodes.make()
        let before = Self.gifts(of: nodes.one)
        try await Self.holdGifts(of: nodes)
        async let end: Void = nodes.one.server.drain()
        await Self.untilGiftIsHeld(nodes)
        nodes.one.clock.advance(to: nodes.one.clock.now.adding(seconds: 10))
        await TestServer.until { nodes.one.apns.isShutDown }
        try await nodes.query("DELETE FROM held")
        await end
        // The held gift is the last one: the other node takes the rest.
        #expect(Self.gifts(of: nodes.one) == before + 1)
        let hasAll = await nodes.two.step { nodes.two.metrics.value(.shardsOwned) == 4096 }
        #expect(hasAll)
        try await nodes.end()
    }

    @Test("a node that stops while the database is away waits for nothing")
    func stopWithoutDatabase() async throws {
        let nodes = try await TwoNodes.make()
        try await nodes.query("ALTER TABLE node RENAME TO away")
        // Its clock stands still.
        await nodes.one.server.drain()
        try await nodes.query("ALTER TABLE away RENAME TO node")
        #expect(try await nodes.query("SELECT count(*) FROM node WHERE leaving = 1") == "0\n")
        #expect(nodes.one.logged.withLock { $0.contains("could not hand its shards back") })
        try await nodes.remove("one", seenBy: nodes.two)
        try await nodes.end()
    }

    @Test("what is being given away comes back by no take and no older table")
    func givenAway() throws {
        let (one, two) = (Epoch(number: 1), Epoch(number: 2))
        let map = ShardMap(of: one, sinceBoot: { 0 })
        map.renewed(until: .max)
        func table(_ owners: [Int64]) -> NodeTable {
            NodeTable(nodes: [], owners: owners, news: [:])
        }
        let all = Array(0..<PartyShard.count)
        let before = table(all.map { _ in one.number })
        #expect(map.note(before).new == all)
        // The take of all shards is still under way.
        map.remove([7, 8])
        map.add(all)
        #expect(map.note(before, .underWay).new == [])
        #expect(map.count == PartyShard.count - 2)
        let after = map.note(table(all.map { $0 == 7 ? two.number : one.number }), .over)
        #expect(after.new == [8])
        #expect(after.lost == [])
        map.add(all)
        #expect(map.count == PartyShard.count - 1)
        #expect(!map.isTaken(7))
    }

    @Test("what a node that is gone knew of pushes, the next one writes again")
    func outcomesOfGone() async throws {
        let nodes = try await TwoNodes.make()
        _ = try await Self.pausedParties(1, of: nodes)
        let writers = "SELECT DISTINCT id >> 32 FROM outcomes ORDER BY 1"
        let epochs = try await nodes.query("SELECT epoch FROM node ORDER BY epoch")
            .split(separator: "\n")
        try #require(try await nodes.query(writers) == "\(epochs[0])\n")
        // A server whose clock is back writes the party's row, which has the outcomes too.
        let isLater = await nodes.two.step { nodes.two.clock.now >= nodes.one.clock.now }
        try #require(isLater)
        try await nodes.remove("one", seenBy: nodes.two)
        let areWritten = await nodes.two.step {
            (try? await nodes.query(writers)) == "\(epochs[0])\n\(epochs[1])\n"
        }
        #expect(areWritten)
        #expect(nodes.two.apns.pushes.isEmpty)
        try await nodes.end()
    }
}
