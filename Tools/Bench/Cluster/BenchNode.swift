internal import PartyStore
internal import Playtest
internal import Programs

/// A real server that shares its game with others.
struct BenchNode: Sendable {
    /// A node's name and port, which it keeps when it starts again.
    struct Place: Sendable {
        let name: String
        let port: UInt16

        static func some(_ count: Int) throws -> [Place] {
            try (1...count).map { Place(name: "node-\($0)", port: try LoopbackPort.free()) }
        }

        /// The options of a node over a database.
        func options(over database: String) -> [String] {
            [
                "--store", database, "--node-name", name, "--node-address", "127.0.0.1:\(port)",
            ]
        }
    }

    let place: Place
    let game: GameServer

    var server: PinnedServer { game.server }

    /// Starts a node over a database; returns when it is ready.
    static func start(
        _ place: Place, over database: String, apns: UInt16? = nil,
        on core: PinnedProcess.Core = .server, in testbed: BenchTestbed
    ) async throws -> BenchNode {
        var settings = GameServer.Settings(
            store: place.options(over: database) + ["--behind-proxy", NginxProxy.address])
        (settings.port, settings.apns, settings.core) = (place.port, apns, core)
        return BenchNode(place: place, game: try await GameServer.start(settings, in: testbed))
    }
}

/// Nodes that share the shards, and nginx in front of them, on the same core.
struct BenchNodes: Sendable {
    let nodes: [BenchNode]
    let proxy: PinnedServer
    /// Creates parties through nginx.
    let creation: PartyCreation
    private let testbed: BenchTestbed

    /// Starts nodes one after another; returns when each has its share of the shards. `changes` are
    /// made of nginx's file.
    static func start(
        _ count: Int, over database: String, in testbed: BenchTestbed,
        changing changes: ([BenchNode]) -> [(String, String)] = { _ in [] }
    ) async throws -> BenchNodes {
        var nodes: [BenchNode] = []
        for place in try BenchNode.Place.some(count) {
            nodes.append(try await BenchNode.start(place, over: database, in: testbed))
        }
        for node in nodes {
            try await node.game.creation.untilItHas(shards: PartyShard.count / count)
        }
        let doctor = Program(
            testbed.programs.rangers,
            ["doctor", "--nginx"] + nodes[0].place.options(over: database))
        let file = try NginxProxy.changed(
            try await doctor.printed().text,
            changes(nodes) + [("worker_processes auto;", "master_process off;")])
        let nginx = try NginxProxy(file, in: testbed.folder)
        let proxy = try testbed.serve(NginxProxy.program, nginx.arguments, port: nginx.port)
        let creation = try PartyCreation(
            port: nginx.port, adminKey: try testbed.folder.adminKey())
        return BenchNodes(nodes: nodes, proxy: proxy, creation: creation, testbed: testbed)
    }

    /// What clients see: nginx, with connections for each node.
    var target: WrkTarget { WrkTarget(nodes.map(\.server), behind: proxy) }

    func stop() {
        testbed.stop(proxy)
        for node in nodes { testbed.stop(node.server) }
    }
}
