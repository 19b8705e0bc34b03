internal import Foundation
internal import Programs

/// A throwaway cluster: PostgreSQL, the simulated APNs, and nodes behind nginx.
final class Cluster: Sendable {
    struct Settings: Sendable {
        /// The `rangers` binary.
        var executable: String
        var folder: TestbedFolder
        var nodes = 3
        var speed = 30.0
        var seed: UInt64 = 1
        var standby = Standby.none
        /// The size of the database's own disk; 0: none.
        var diskMegabytes = 0
        var forgeries: [TCPRelay.Forgery] = []

        enum Standby: Hashable, Sendable {
            case none
            /// A commit waits for it.
            case synchronous
        }
    }

    private static let healthTimeoutSeconds = 1
    /// Longer than a server lets a request wait, as that of an app is (60 s, unless it says other).
    static let requestTimeoutSeconds = 12
    /// Enough that a node that says nothing holds back only the requests that it has.
    private static let connectionsMax = 160
    /// Looks at the nodes' health, 100 ms apart, before a cluster that is not ready is given up.
    private static let readyLooksMax = 600

    let database: ClusterDatabase
    let apns: TestbedAPNs
    let nodes: [ClusterNode]
    let proxy: NginxProxy
    /// What the proxy's clients were answered.
    let tally = RequestTally()
    let api: GameAPI
    let admin: GameAPI
    /// Each node without the proxy.
    let direct: [GameAPI]

    /// Starts everything; returns when all nodes are ready.
    init(
        _ settings: Settings, onDelivery: @escaping @Sendable (Testbed.Delivery) -> Void
    ) async throws {
        let database = try await ClusterDatabase(diskMegabytes: settings.diskMegabytes)
        self.database = database
        if settings.standby == .synchronous { try await database.addStandby() }
        apns = try TestbedAPNs(settings.folder, onDelivery: onDelivery)
        let adminKey = try settings.folder.adminKey()
        let arguments = apns.arguments(
            browserPhones: "off", speed: settings.speed, seed: settings.seed)
        let ports = await database.ports
        nodes = try (0..<settings.nodes).map { number in
            try ClusterNode(
                ClusterNode.Place(
                    number: number, executable: settings.executable, folder: settings.folder,
                    arguments: arguments,
                    databasePorts: settings.standby == .none ? [ports[0]] : ports,
                    forgeries: settings.forgeries))
        }
        var urls: [String] = []
        for node in nodes { urls.append("http://127.0.0.1:\(try await node.server.start())") }
        proxy = try NginxProxy(
            try await nodes[0].nginxFile(by: settings.executable), in: settings.folder)
        try await proxy.start()
        api = GameAPI(
            try HTTPClient(
                urlText: proxy.url, timeoutSeconds: Self.requestTimeoutSeconds,
                connectionsMax: Self.connectionsMax, counting: tally))
        admin = api.signedIn(adminKey)
        direct = try urls.map { url in
            GameAPI(
                try HTTPClient(
                    urlText: url, timeoutSeconds: Self.healthTimeoutSeconds, connectionsMax: 1),
                token: adminKey)
        }
        try await untilReady()
    }

    var phones: PhoneBook { apns.phones }

    /// Waits until every node is ready.
    func untilReady() async throws {
        for _ in 0..<Self.readyLooksMax {
            var ready = 0
            for node in direct where await node.isReady() { ready += 1 }
            if ready == nodes.count { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw PlayError.serverDied("not all nodes are ready")
    }

    /// Stops the nodes and the simulator. Returns the nodes' exit codes.
    @discardableResult
    func stop() async -> [Int32] {
        for node in nodes {
            node.beDatabase(.passes)
            node.front.be(.passes)
            node.server.send(SIGCONT)
        }
        let codes = await withTaskGroup(of: (Int, Int32).self) { group in
            for (number, node) in nodes.enumerated() {
                group.addTask { (number, await node.server.stop()) }
            }
            var codes = nodes.map { _ in Int32(0) }
            for await (number, code) in group { codes[number] = code }
            return codes
        }
        await proxy.stop()
        await apns.stop()
        return codes
    }
}
