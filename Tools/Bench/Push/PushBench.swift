package import OptionParsing
internal import PushLoad

/// `Scripts/bench push`: our client's speed compared with h2load, on one core each; or what faults
/// of APNs cost it.
package struct PushBench: RunnableBench {
    package static let about = BenchAbout(
        name: "push", summary: "Our client beside h2load: pushes a second, CPU, memory; faults",
        setting: "server on core 0, client on core 1; with --faults in one process",
        rounds: .rounds(5, quick: 2), amounts: [pushesAmount, secondsAmount],
        options: [.toggle("faults", "Measure what faults of APNs cost the client instead")],
        tools: [.taskset, .h2load])

    private static let pushesAmount = Amount(
        "pushes", "Pushes of one run", 400_000, quick: 60_000, in: 1_000...100_000_000)
    private static let secondsAmount = Amount(
        "seconds", "Seconds before, during and after each fault", 5, quick: 1, in: 1...3_600)

    enum Shape {
        static let connections = 4
        static let streams = 1_000
        /// The far server's delay.
        static let delayMilliseconds = 50
        static let window = 65_535
        static let windowConnections = 32
    }

    let pushes: Int
    let seconds: Int
    let faults: Bool

    package init(_ values: OptionValues) throws(OptionsError) {
        pushes = try Self.pushesAmount.value(values)
        seconds = try Self.secondsAmount.value(values)
        faults = values.isOn("faults")
    }

    package func measure(_ run: BenchRun) async throws {
        guard !faults else { return try await measureFaults(run) }
        let clients = try PushClients(run.testbed)
        let near = try clients.serve()
        let far = try clients.serve { $0.delayMilliseconds = Shape.delayMilliseconds }
        let narrow = try clients.serve {
            $0.delayMilliseconds = Shape.delayMilliseconds
            $0.window = Shape.window
        }
        defer { run.testbed.stop(near, far, narrow) }
        _ = try clients.ours(pushes / 10, to: near)
        _ = try clients.h2load(pushes / 10, to: near)
        try await run.eachRound { round in
            try compare(clients, near, round, &run.findings)
            try measureDistance(clients, far, narrow, &run.findings)
            for sample in SamplePush.allCases {
                let isQuiet = sample == .quiet
                run.findings.add(
                    isQuiet ? "encode_us" : "encode_alert_us",
                    try clients.encoding(sample, payloads: pushes),
                    "encoding alone, a payload \(isQuiet ? "without" : "with a localised") alert",
                    .atMost(1))
            }
        }
    }

    private func compare(
        _ clients: PushClients, _ server: PinnedServer, _ round: Int, _ findings: inout Findings
    ) throws {
        let runs = try BenchRun.inTurns(
            beginning: round, { try clients.ours(pushes, to: server) },
            { try clients.h2load(pushes, to: server) })
        Self.add(ours: runs[0][0], h2load: runs[1][0], to: &findings)
    }

    static func add(ours: PushRun, h2load: PushRun, to findings: inout Findings) {
        findings.add(
            "ratio_to_h2load", ours.rate / h2load.rate, "our pushes/s ÷ h2load's", .atLeast(0.7))
        findings.add("cpu_s_per_100k", ours.cpuPer100k, "our CPU for 100,000 pushes", .atMost(0.35))
        findings.add("cpu_ratio", ours.cpuPer100k / h2load.cpuPer100k, "our CPU ÷ h2load's")
        findings.add("requests_per_s", ours.rate, "our pushes")
        findings.add("h2load_requests_per_s", h2load.rate, "h2load's requests")
        findings.add(
            "h2load_cpu_s_per_100k", h2load.cpuPer100k, "h2load's CPU for 100,000 requests")
        findings.add("client_busy", ours.clientBusy, "of its core that our client used")
        findings.add("server_busy", ours.serverBusy, "of its core that the server used")
        findings.add(
            "rss_mb", ours.peakMegabytes, "our peak memory at 4 × 1,000 streams", .below(30))
        findings.add(
            "rss_start_mb", ours.startMegabytes,
            "of these before the client is made: program and libraries")
    }

    /// Measures servers whose responses take a while, one of them with a narrow window.
    private func measureDistance(
        _ clients: PushClients, _ far: PinnedServer, _ narrow: PinnedServer,
        _ findings: inout Findings
    ) throws {
        // Long enough that connecting, which takes two of the delays, has little effect.
        let seconds = pushes >= 200_000 ? 2 : 1
        for connections in [1, Shape.connections] {
            let limit = Self.streamsLimit(connections: connections)
            let measured = try clients.ours(
                Int(limit) * seconds * 2, to: far, connections: connections)
            findings.add(
                "delay50_\(connections)conn", measured.rate / limit,
                "of the streams' limit at 50 ms, connections: \(connections)", .atLeast(0.9))
        }
        let limit = try Self.windowLimit()
        var rates: [Double] = []
        for connections in [1, Shape.windowConnections] {
            let measured = try clients.ours(
                Int(limit) * connections * seconds, to: narrow, connections: connections,
                sample: .alert)
            rates.append(measured.rate)
        }
        let many = Shape.windowConnections
        findings.add(
            "window_linear", rates[1] / (Double(many) * rates[0]),
            "window of 65,535 bytes at 50 ms: \(many) connections ÷ \(many) × one", .atLeast(0.9))
        findings.add("window_1conn_per_s", rates[0], "pushes with it, one connection")
        findings.add("window_\(many)conn_per_s", rates[1], "pushes with it, connections: \(many)")
    }

    /// Returns the pushes per second if every stream of every connection always waits for its
    /// response.
    static func streamsLimit(connections: Int) -> Double {
        Double(connections * Shape.streams) * 1_000 / Double(Shape.delayMilliseconds)
    }

    /// Returns the pushes per second that one connection's window allows at most.
    private static func windowLimit() throws -> Double {
        let body = try SamplePush.alert.encoded(at: 1_685_952_000).count
        return Double(Shape.window) / Double(body) * 1_000 / Double(Shape.delayMilliseconds)
    }

    // MARK: Faults

    private func measureFaults(_ run: BenchRun) async throws {
        try await run.eachRound { _ in
            var (lost, doubled) = (0, 0)
            for fault in PushFault.allCases {
                let play = try FaultPlay(fault, folder: run.testbed.keysFolder)
                let sample = try await play.measure(seconds: Double(seconds))
                sample.add(to: &run.findings)
                (lost, doubled) = (lost + sample.lost, doubled + sample.doubled)
            }
            run.findings.add(
                "lost", Double(lost), "pushes of a round without a true outcome", .atMost(0))
            run.findings.add(
                "doubled", Double(doubled), "pushes of a round that were accepted twice", .atMost(0)
            )
        }
    }
}
