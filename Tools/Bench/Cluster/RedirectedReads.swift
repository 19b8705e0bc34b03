internal import Programs

/// Reads of parties through nginx: of those that the first node has, and of others, which nginx
/// reads at the second one after the first has answered. All are on core 0.
struct RedirectedReads: Sendable {
    /// Reads for a second.
    struct Pass: Hashable, Sendable {
        /// With the CPU of both nodes.
        let run: APIRun
        let entryCPUSeconds: Double
        let proxyCPUSeconds: Double
    }

    /// More than a node answers in a second.
    private static let readsPerSecondMax = 60_000

    private let own: [Pass]
    private let redirected: [Pass]

    init(own: [Pass], redirected: [Pass]) { (self.own, self.redirected) = (own, redirected) }

    /// Measures both, a second each in turns.
    init(
        _ nodes: BenchNodes, own: [String], others: [String], seconds: Int,
        _ testbed: BenchTestbed
    ) throws {
        let entry = nodes.nodes[0].server
        func pass(_ reads: [String]) throws -> Pass {
            let list = (0..<Self.readsPerSecondMax).map { reads[$0 % reads.count] }
            let before = (entry.cpuSeconds, nodes.proxy.cpuSeconds)
            let run = try testbed.begun(list, to: nodes.target, seconds: 1)
            return Pass(
                run: run, entryCPUSeconds: entry.cpuSeconds - before.0,
                proxyCPUSeconds: nodes.proxy.cpuSeconds - before.1)
        }
        let passes = try BenchRun.inTurns(seconds, { try pass(own) }, { try pass(others) })
        self.init(own: passes[0], redirected: passes[1])
    }

    func add(to findings: inout Findings) {
        let (own, redirected) = (Self.costs(self.own), Self.costs(self.redirected))
        findings.add(
            "redirect_ratio", redirected.nodes / own.nodes,
            "the nodes' CPU of a redirected read ÷ of a read of an own party", .atMost(2))
        findings.add("redirect_per_s", redirected.rate, "reads that are redirected")
        findings.add("redirect_own_per_s", own.rate, "reads of own parties")
        for (key, cpu, what) in [
            ("", redirected.nodes, "of a redirected read, both nodes"),
            ("entry_", redirected.entry, "of the node that redirects"),
            ("nginx_", redirected.proxy, "of nginx"),
            ("own_", own.nodes, "of a read of an own party"),
            ("own_nginx_", own.proxy, "of nginx"),
        ] { findings.add("redirect_\(key)cpu_us", cpu, "CPU \(what)") }
    }

    /// Microseconds of a read.
    private static func costs(
        _ passes: [Pass]
    ) -> (rate: Double, nodes: Double, entry: Double, proxy: Double) {
        let run = APIRun(passes.map(\.run))
        func each(_ part: (Pass) -> Double) -> Double {
            passes.reduce(0) { $0 + part($1) } / Double(max(1, run.requests)) * 1e6
        }
        return (run.rate, run.cpuMicroseconds, each(\.entryCPUSeconds), each(\.proxyCPUSeconds))
    }
}
