/// Where wrk sends requests, and the servers whose CPU they cost.
struct WrkTarget: Sendable {
    let port: UInt16
    let connections: Int
    private let servers: [PinnedServer]

    init(_ server: PinnedServer, connections: Int = Wrk.many) {
        (port, self.connections, servers) = (server.port, connections, [server])
    }

    /// Servers behind a proxy, whose own CPU does not count. Each has connections of its own.
    init(_ servers: [PinnedServer], behind proxy: PinnedServer) {
        (port, self.servers) = (proxy.port, servers)
        connections = Wrk.many * servers.count
    }

    /// User and system time of the servers so far.
    var cpuSeconds: Double { servers.reduce(0) { $0 + $1.cpuSeconds } }
}

extension PinnedServer {
    /// The server alone.
    var target: WrkTarget { WrkTarget(self) }
}
