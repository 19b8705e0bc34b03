internal import Foundation
internal import HTTP2Server
internal import PartyStore
internal import Playtest
internal import Programs

/// A real server that shares its game with others, which speak TLS with it.
struct BenchNode: Sendable {
    /// A node's name and ports, which it keeps when it starts again.
    struct Place: Sendable {
        let name: String
        let port: UInt16
        /// The port of its listener for nodes, on 127.0.0.1.
        let nodesPort: UInt16

        static func some(_ count: Int) throws -> [Place] {
            try (1...count).map { number in
                Place(
                    name: "node-\(number)", port: try LoopbackPort.free(),
                    nodesPort: try LoopbackPort.free())
            }
        }
    }

    let place: Place
    let game: GameServer

    var server: PinnedServer { game.server }

    /// Starts a node over a database; returns when it is ready.
    static func start(
        _ place: Place, over database: String, _ trust: NodeTrust, apns: UInt16? = nil,
        on core: PinnedProcess.Core = .server, in testbed: BenchTestbed
    ) async throws -> BenchNode {
        var settings = GameServer.Settings(store: [
            "--store", database, "--node-name", place.name, "--nodes-listen",
            "127.0.0.1:\(place.nodesPort)", "--nodes-key-file", trust.keyFile,
            "--nodes-certificate", trust.certificateFile, "--nodes-private-key",
            trust.privateKeyFile, "--nodes-authority", trust.authorityFile,
        ])
        (settings.port, settings.apns, settings.core) = (place.port, apns, core)
        return BenchNode(place: place, game: try await GameServer.start(settings, in: testbed))
    }

    /// Starts nodes one after another; returns when each has its share of the shards.
    static func start(
        _ count: Int, over database: String, _ trust: NodeTrust, in testbed: BenchTestbed
    ) async throws -> [BenchNode] {
        var nodes: [BenchNode] = []
        for place in try Place.some(count) {
            nodes.append(try await start(place, over: database, trust, in: testbed))
        }
        for node in nodes {
            try await node.game.creation.untilItHas(shards: PartyShard.count / count)
        }
        return nodes
    }
}

/// What nodes need to trust each other: a key, and certificates for 127.0.0.1.
struct NodeTrust: Sendable {
    /// nginx compares only names with a certificate, not addresses.
    static let hostName = "localhost"
    private static let validDays = 2

    let keyFile: String
    let certificateFile: String
    let privateKeyFile: String
    let authorityFile: String

    /// Creates all of it, as files of this folder.
    init(in folder: TestbedFolder) throws {
        let now = Int64(Date().timeIntervalSince1970)
        let authority = try CertificateAuthority(
            commonName: "Nodes", validFrom: now, validDays: Self.validDays)
        let identity = try authority.issue(
            hosts: ["127.0.0.1", Self.hostName], validFrom: now, validDays: Self.validDays)
        keyFile = try folder.nodesKeyFile()
        certificateFile = try folder.write(identity.certificatePEM, as: "nodes.pem")
        privateKeyFile = try folder.write(identity.privateKeyPEM, as: "nodes-key.pem")
        authorityFile = try folder.write(authority.certificatePEM, as: "nodes-authority.pem")
    }
}
