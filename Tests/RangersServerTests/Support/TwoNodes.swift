import Foundation
import GameLogic
import Isolation
import NodeLink
import PartyStore
import Playtest
import Programs
import RangersServer
import Secrets
import Testing

/// Two servers that share a database, each under a clock of its own, with sockets between them.
struct TwoNodes {
    /// The PostgreSQL of this test run, each game in a schema of its own.
    private static let postgreSQL = Result { try PostgreSQLServer() }

    let one: TestServer
    let two: TestServer
    private let schema: String

    /// Starts both, and lets the first give half of its shards to the second.
    static func make() async throws -> TwoNodes {
        let schema = "s" + UUID().uuidString.filter { $0 != "-" }.lowercased()
        try await query("CREATE SCHEMA \(schema)")
        let address = try PostgreSQLAddress(
            "\(postgreSQL.get().uri)&options=-csearch_path%3D\(schema)")
        let nodes = TwoNodes(
            one: try await node("one", address), two: try await node("two", address),
            schema: schema)
        try await nodes.settle()
        return nodes
    }

    private static func node(_ name: String, _ address: PostgreSQLAddress) async throws
        -> TestServer
    {
        let key = try NodeKey(Secret("the-key-that-all-nodes-of-a-game-share"))
        return try await TestServer(
            database: address, node: NodeSettings(name: name, link: NodeSettings.Link(key: key)))
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
        await one.server.drain()
        await two.server.drain()
        try await Self.query("DROP SCHEMA \(schema) CASCADE")
    }
}
