import Foundation
import GameLogic
import HTTPServer
import Isolation
import PartyStore
import Playtest
import Programs
import PushPolicy
import RangersServer
import Testing

/// Two servers that share a database, each under a clock of its own, behind a proxy.
struct TwoNodes {
    /// The PostgreSQL of this test run, each game in a schema of its own.
    private static let postgreSQL = Result { try PostgreSQLServer() }

    let one: TestServer
    let two: TestServer
    private let address: PostgreSQLAddress
    private let schema: String

    /// Starts both, and lets the first give half of its shards to the second.
    static func make(
        pagesMax: Int = 0, rates: RateSettings = TestServer.patientRates,
        channels: FakeChannels? = nil
    ) async throws -> TwoNodes {
        let (schema, address) = try await database()
        try await query(stillClock(in: schema, at: VirtualClock().now))
        let proxy = FakeProxy()
        let nodes = TwoNodes(
            one: try await node("one", address, proxy, pagesMax, rates, channels),
            two: try await node("two", address, proxy, pagesMax, rates, channels),
            address: address, schema: schema)
        try await nodes.settle()
        return nodes
    }

    /// Creates a schema, which is an empty database for a game.
    static func database() async throws -> (schema: String, address: PostgreSQLAddress) {
        let schema = "s" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try await query("CREATE SCHEMA \(schema)")
        let address = try PostgreSQLAddress(
            "\(postgreSQL.get().uri)&options=-csearch_path%3D\(schema)%2Cpg_catalog")
        return (schema, address)
    }

    private static func node(
        _ name: String, _ address: PostgreSQLAddress, _ proxy: FakeProxy?, _ pagesMax: Int = 0,
        _ rates: RateSettings = TestServer.patientRates, _ channels: FakeChannels? = nil,
        clock: VirtualClock = VirtualClock(), adminHTTP: HTTPServer.Settings? = nil
    ) async throws -> TestServer {
        try await TestServer(
            clock: clock, channels: channels, pagesMax: pagesMax, rates: rates,
            adminHTTP: adminHTTP, database: address,
            node: NodePlace(name: name, address: "\(name).example:8080"), proxy: proxy)
    }

    /// Starts another server of this game.
    func another(
        _ name: String, clock: VirtualClock = VirtualClock(), adminHTTP: HTTPServer.Settings? = nil
    ) async throws -> TestServer {
        try await Self.node(name, address, one.proxy, clock: clock, adminHTTP: adminHTTP)
    }

    /// Lets the database's clock stand still for a game, so that no lease ends because the machine
    /// is busy.
    private static func stillClock(in schema: String, at time: WallTime) -> String {
        """
        CREATE OR REPLACE FUNCTION \(schema).clock_timestamp() RETURNS timestamptz LANGUAGE sql
        AS 'SELECT pg_catalog.to_timestamp(\(time.milliseconds / 1000))'
        """
    }

    /// Lets the database's clock catch up with the servers' ones, so that another server that starts
    /// does not wait for the time that they store.
    func catchUp() async throws {
        try await setDatabaseClock(to: max(one.clock.now, two.clock.now))
    }

    /// Lets the database's clock stand still at another time.
    func setDatabaseClock(to time: WallTime) async throws {
        try await Self.query(Self.stillClock(in: schema, at: time))
    }

    /// By how much the time in the newest anchor that a server has stored differs from the first
    /// server's, in milliseconds.
    func storedDifference() async throws -> Int64 {
        let store = try await PostgreSQLStore.open(address)
        let time = try await store.clockRecord().anchor?.time
        await store.close()
        return abs(try #require(time).milliseconds - one.clock.now.milliseconds)
    }

    @discardableResult
    static func query(_ statements: String) async throws -> String {
        try await postgreSQL.get().query(statements)
    }

    /// Reads or changes rows of this game.
    @discardableResult
    func query(_ statement: String) async throws -> String {
        try await Self.query("SET search_path = \(schema); \(statement)")
    }

    /// Lets both servers renew their leases, until each has half of the shards in memory.
    func settle() async throws {
        for server in [one, two] {
            let isShared = await server.step { server.metrics.value(.shardsOwned) == 2048 }
            try #require(isShared)
            // The node that gave shards away knows it; the other learns it with its next renewal.
            await (server.apns === one.apns ? two : one).step(forSeconds: 3)
        }
    }

    /// Steps both servers until the condition holds. Returns whether it does.
    func step(until condition: () async -> Bool) async -> Bool {
        await one.step {
            await two.step()
            return await condition()
        }
    }

    /// Returns the response to a game master's request while the time of both servers passes, or of
    /// some: it may wait for what the other node reports.
    func admin(
        _ path: String, at server: TestServer, passing some: [TestServer]? = nil
    ) async -> TestServer.Answer {
        let isDone = Locked(false)
        // Awaited below.
        let asking = Task {
            let answer = await server.admin(.get, path)
            isDone.withLock { $0 = true }
            return answer
        }
        let passing = some ?? [one, two]
        while !isDone.withLock({ $0 }), !Task.isCancelled {
            guard passing.contains(where: { $0.clock.waiting > 0 }) else {
                await Task.yield()
                continue
            }
            for server in passing { await server.step() }
        }
        return await asking.value
    }

    /// Asks a server until its response is as expected.
    func ask(
        _ path: String, at server: TestServer, until isExpected: (Value) -> Bool
    ) async -> Bool {
        while !Task.isCancelled {
            if isExpected(await admin(path, at: server).body) { return true }
            await one.step()
            await two.step()
        }
        return false
    }

    /// How many requests this server has sent on to their party's owner.
    static func redirected(by server: TestServer) -> Double {
        server.metrics.value(.requestsRedirected, labels: "result=\"owner\"")
    }

    /// Moves a party's shard to the second node. Waits until the first sends requests for the party
    /// on, and the second has read it.
    func moveToTwo(_ party: String) async throws {
        try await assignToTwo(party)
        let hasMoved = await step {
            let before = Self.redirected(by: one)
            let response = await one.admin(.get, "/v1/admin/parties/\(party)")
            return response.status == 200 && Self.redirected(by: one) > before
        }
        try #require(hasMoved)
    }

    /// Lets the database say that a party's shard is the second node's, which gives another one for
    /// it.
    func assignToTwo(_ party: String) async throws {
        let shard = PartyShard.number(of: PartyID(party))
        try await query(
            """
            WITH nodes AS (SELECT min(epoch) AS one, max(epoch) AS two FROM node), other AS (
                SELECT max(shard) AS shard FROM shard_lease, nodes WHERE epoch = two)
            UPDATE shard_lease SET epoch = nodes.one + nodes.two - epoch FROM nodes, other
            WHERE shard_lease.shard IN (\(shard), other.shard)
            """)
    }

    /// Lets the database say that the node's lease has ended, and the other node take its shards.
    func remove(_ name: String, seenBy other: TestServer) async throws {
        // Only a node that has renewed for as long as a lease removes others.
        await other.step(forSeconds: 7)
        try await query("UPDATE node SET until = 0 WHERE name = '\(name)'")
        let hasAll = await other.step { other.metrics.value(.shardsOwned) == 4096 }
        try #require(hasAll)
    }

    /// Removes the game.
    func end() async throws {
        await one.leave()
        await two.leave()
        try await Self.query("DROP SCHEMA \(schema) CASCADE")
    }
}
