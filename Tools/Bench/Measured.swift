/// One run of one client, with its cost on both sides.
struct Measured: Hashable, Sendable {
    /// Requests per second.
    let rate: Double
    let clientCPUPer100k: Double
    /// The CPU time of the server's process.
    /// The share of its core that each side used: near 1 is the limit.
    let clientBusy: Double
    let serverBusy: Double
    /// Our client's memory before its creation, and its peak.
    var startMegabytes: Double?
    var peakMegabytes: Double?

    init(requests: Int, seconds: Double, clientCPU: Double, serverCPU: Double) {
        rate = Double(requests) / seconds
        clientCPUPer100k = clientCPU / Double(requests) * 100_000
        clientBusy = clientCPU / seconds
        serverBusy = serverCPU / seconds
    }
}

/// Our client and h2load in turns against one server.
struct Duel: Sendable {
    let server: String
    private(set) var ours: [Measured] = []
    private(set) var theirs: [Measured] = []

    init(against server: String) { self.server = server }

    mutating func add(ours: Measured, theirs: Measured) {
        self.ours.append(ours)
        self.theirs.append(theirs)
    }

    /// Returns our values divided by theirs, by round, so that drifts in the machine's speed cancel
    /// out.
    func ratio(_ value: (Measured) -> Double) -> Spread? {
        Spread(zip(ours, theirs).map { value($0) / value($1) })
    }

    /// Describes which core was saturated; if it is the server's, the rates mean little.
    var saturation: [String] {
        [("our client", ours), ("h2load", theirs)].compactMap { name, runs in
            guard let client = Spread(runs.map(\.clientBusy))?.median,
                let server = Spread(runs.map(\.serverBusy))?.median
            else { return nil }
            let shares =
                "client's core \(percent(client)) busy, server's core \(percent(server))"
            return "\(name) against \(self.server): \(Self.limit(client, server)) (\(shares))"
        }
    }

    private static func limit(_ client: Double, _ server: Double) -> String {
        switch (client >= busyEnough, server >= busyEnough) {
        case (true, true): "both sides were at their limit"
        case (true, false): "the client was the limit"
        case (false, true): "the server was the limit"
        case (false, false): "neither core was full"
        }
    }

    private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }

    /// The kernel's own work on a core (network, timers) belongs to no process, so a full core
    /// never reaches 1.
    private static let busyEnough = 0.93
}
