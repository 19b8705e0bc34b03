internal import Foundation
internal import HTTP2Server
internal import PartyStore
internal import Playtest
internal import Programs

/// A real server that shares its game with others.
struct BenchNode: Sendable {
    let name: String
    /// Its players' listener.
    let server: PinnedServer
    /// Its nodes' listener, on 127.0.0.1.
    let nodesPort: UInt16
    let creation: PartyCreation
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

    /// The options of a node that listens on this port.
    func arguments(port: UInt16) -> [String] {
        [
            "--nodes-listen", "127.0.0.1:\(port)", "--nodes-key-file", keyFile,
            "--nodes-certificate", certificateFile, "--nodes-private-key", privateKeyFile,
            "--nodes-authority", authorityFile,
        ]
    }
}

extension ServerTestbed {
    /// Starts nodes that share a database and speak TLS with each other, one after another, at the
    /// usual speed and without the simulator. Returns when each has its share of the shards.
    func serve(nodes count: Int, store uri: String, _ trust: NodeTrust) async throws -> [BenchNode]
    {
        var nodes: [BenchNode] = []
        for number in 1...count {
            let (name, port) = ("node-\(number)", try LoopbackPort.free())
            let (server, creation) = try await serve(
                ["--store", uri, "--node-name", name] + trust.arguments(port: port),
                speed: 1, apns: nil)
            nodes.append(
                BenchNode(name: name, server: server, nodesPort: port, creation: creation))
        }
        for node in nodes { try await node.creation.untilItHas(shards: PartyShard.count / count) }
        return nodes
    }
}
