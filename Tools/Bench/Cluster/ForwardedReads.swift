internal import Foundation
internal import Playtest
internal import Programs

/// Reads of parties: by the node that has them, by one that forwards them over TLS, and by nginx in
/// its place. All are on core 0.
struct ForwardedReads: Sendable {
    /// Reads for a second.
    struct Pass: Hashable, Sendable {
        /// With the CPU of the one that takes the reads.
        let run: APIRun
        /// What the node used that has the parties, or would have them.
        let ownerCPUSeconds: Double
    }

    /// More than a node answers in a second.
    private static let readsPerSecondMax = 60_000

    private let own: [Pass]
    private let forwarded: [Pass]
    private let nginx: [Pass]

    init(own: [Pass], forwarded: [Pass], nginx: [Pass]) {
        (self.own, self.forwarded, self.nginx) = (own, forwarded, nginx)
    }

    /// Measures reads, a second each in turns: of parties that the node has that takes them, and
    /// of others, which the second node has.
    init(
        _ entry: PinnedServer, _ owner: BenchNode, _ trust: NodeTrust, own: [String],
        others: [String], seconds: Int, _ testbed: BenchTestbed
    ) throws {
        let nginx = try Self.serveNginx(before: owner.place, trust, testbed)
        defer { testbed.stop(nginx) }
        func pass(_ reads: [String], at server: PinnedServer) throws -> Pass {
            let list = (0..<Self.readsPerSecondMax).map { reads[$0 % reads.count] }
            let before = owner.server.cpuSeconds
            let run = try testbed.begun(list, to: [server], seconds: 1)
            return Pass(run: run, ownerCPUSeconds: owner.server.cpuSeconds - before)
        }
        let passes = try BenchRun.inTurns(
            seconds, { try pass(own, at: entry) }, { try pass(others, at: entry) },
            { try pass(others, at: nginx) })
        self.init(own: passes[0], forwarded: passes[1], nginx: passes[2])
    }

    /// Starts nginx, which forwards to a node's listener for nodes.
    private static func serveNginx(
        before place: BenchNode.Place, _ trust: NodeTrust, _ testbed: BenchTestbed
    ) throws -> PinnedServer {
        let port = try LoopbackPort.free()
        let words = [
            ("NODE_PORT", "\(place.nodesPort)"), ("OWN_PORT", "\(port)"),
            ("NODES_KEY", try String(contentsOfFile: trust.keyFile, encoding: .utf8)),
            ("AUTHORITY_FILE", trust.authorityFile), ("HOST_NAME", NodeTrust.hostName),
        ]
        let template = try String(
            contentsOfFile: testbed.reference("forwarding.nginx"), encoding: .utf8)
        let file = try testbed.folder.write(
            words.reduce(template) { $0.replacing($1.0, with: $1.1) }, as: "nginx.conf")
        return try testbed.serve(
            Tool.nginx.file() ?? Tool.nginx.rawValue, ["-p", testbed.path, "-c", file], port: port)
    }

    func add(to findings: inout Findings) {
        let (ours, theirs, own) = (
            APIRun(forwarded.map(\.run)), APIRun(nginx.map(\.run)), APIRun(own.map(\.run))
        )
        let ownerMicroseconds =
            forwarded.reduce(0) { $0 + $1.ownerCPUSeconds } / Double(max(1, ours.requests)) * 1e6
        findings.add(
            "forward_ratio", ours.rate / theirs.rate,
            "reads/s that a node forwards ÷ those that nginx forwards", .atLeast(0.3))
        findings.add("forward_own_ratio", ours.rate / own.rate, "the same ÷ those of own parties")
        findings.add("forward_per_s", ours.rate, "reads, forwarded")
        findings.add("forward_nginx_per_s", theirs.rate, "the same by nginx")
        findings.add("forward_own_per_s", own.rate, "reads of own parties")
        for (key, cpu, what) in [
            ("", ours.cpuMicroseconds + ownerMicroseconds, "of a forwarded read, both nodes"),
            ("entry_", ours.cpuMicroseconds, "of the node that forwards"),
            ("nginx_", theirs.cpuMicroseconds, "of nginx in its place"),
            ("own_", own.cpuMicroseconds, "of a read of an own party"),
        ] { findings.add("forward_\(key)cpu_us", cpu, "CPU \(what)") }
    }
}
