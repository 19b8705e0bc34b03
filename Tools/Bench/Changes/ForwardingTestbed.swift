internal import Foundation
internal import Playtest
internal import Programs
internal import PushLoad

/// Two nodes, of which one takes all requests, and nginx in its place. All are on core 0.
struct ForwardingTestbed: Sendable {
    /// More than a node answers in a second.
    private static let readsPerSecondMax = 60_000

    private let testbed: ServerTestbed
    private let entry: PinnedServer
    private let owner: PinnedServer
    private let nginx: PinnedServer
    private let seconds: Int

    /// - Parameters:
    ///   - testbed: Where nginx runs.
    ///   - nodes: Two nodes; the first one takes the requests.
    ///   - trust: What they have to trust each other.
    ///   - seconds: The length of each measurement.
    /// - Throws: When nginx does not listen.
    init(
        on testbed: ServerTestbed, _ nodes: [BenchNode], _ trust: NodeTrust, seconds: Int
    ) throws {
        self.testbed = testbed
        entry = nodes[0].server
        owner = nodes[1].server
        nginx = try testbed.serveNginx(before: nodes[1], trust)
        self.seconds = seconds
    }

    func stop() { testbed.stop(nginx) }

    /// Measures the reads of all ways, a second each in turns.
    ///
    /// - Parameters:
    ///   - own: Reads of parties that the first node has.
    ///   - others: Reads of parties that the second one has.
    /// - Returns: Rates and costs.
    /// - Throws: When a read is refused.
    func sample(own: [String], others: [String]) throws -> ForwardingSample {
        var passes: [ForwardingSample.Way: [ForwardedPass]] = [:]
        for _ in 0..<seconds {
            for way in ForwardingSample.Way.allCases {
                passes[way, default: []].append(
                    try pass(way == .own ? own : others, at: way == .nginx ? nginx : entry))
            }
        }
        return ForwardingSample(passes.mapValues(ForwardingSample.Reads.init))
    }

    private func pass(_ reads: [String], at server: PinnedServer) throws -> ForwardedPass {
        let list = (0..<Self.readsPerSecondMax).map { reads[$0 % reads.count] }
        let before = owner.cpuSeconds
        let run = try testbed.begun(list, to: [server], seconds: 1)
        return ForwardedPass(run: run, ownerCPUSeconds: owner.cpuSeconds - before)
    }
}

/// Reads of one way for a second.
struct ForwardedPass: Hashable, Sendable {
    /// With the CPU of the one that takes the reads.
    let run: APIRun
    /// What the node used that has the parties, or would have them.
    let ownerCPUSeconds: Double
}

extension ForwardingSample.Reads {
    /// Combines several passes.
    init(_ passes: [ForwardedPass]) {
        let run = APIRun(passes.map(\.run))
        rate = run.rate
        entryMicroseconds = run.cpuMicroseconds
        ownerMicroseconds =
            passes.reduce(0) { $0 + $1.ownerCPUSeconds } / Double(max(1, run.requests)) * 1e6
    }
}

extension ServerTestbed {
    /// Starts nginx, which forwards to a node's listener for nodes.
    fileprivate func serveNginx(before node: BenchNode, _ trust: NodeTrust) throws -> PinnedServer {
        let port = try LoopbackPort.free()
        let words = [
            ("NODE_PORT", "\(node.nodesPort)"), ("OWN_PORT", "\(port)"),
            ("NODES_KEY", try String(contentsOfFile: trust.keyFile, encoding: .utf8)),
            ("AUTHORITY_FILE", trust.authorityFile), ("HOST_NAME", NodeTrust.hostName),
        ]
        let template = try String(
            contentsOfFile: references.script("forwarding.nginx"), encoding: .utf8)
        let file = try folder.write(
            words.reduce(template) { $0.replacing($1.0, with: $1.1) }, as: "nginx.conf")
        return try serve(Tool.nginx.rawValue, ["-p", path, "-c", file], port: port)
    }
}
