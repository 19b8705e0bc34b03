internal import Foundation
internal import Isolation
internal import PushLoad

/// `Scripts/bench push`: our client's speed compared with h2load, on one core each.
package actor PushBench: RunnableBench {
    /// The amounts and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 5
        /// The pushes of one run compared with h2load.
        package var pushes = 400_000

        package init() {}
    }

    /// The comparison with h2load, and the measurement of memory.
    enum Shape {
        static let connections = 4
        static let streams = 1_000
        /// The far server's delay.
        static let delayMilliseconds = 50
        static let window = 65_535
        static let windowConnections = [1, 2, 4, 8, 16, 32]
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let workbench: PushTestbed
    private let say: @Sendable (String) -> Void

    /// - Parameters:
    ///   - settings: The amounts and repetitions.
    ///   - executable: `rangers-tools` itself, which provides the servers; our client is in the
    ///     same folder.
    ///   - say: Receives progress messages.
    /// - Throws: When no folder for keys and certificates can be created.
    package init(
        _ settings: Settings, executable: String, say: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        self.say = say
        workbench = try PushTestbed(executable: executable)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { workbench.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() throws -> BenchReport {
        var findings = PushFindings(machine: .own)
        findings.candidates = try candidates()
        findings.duel = try duel(against: findings.fastest)
        try measureDelay(into: &findings)
        try measureWindow(into: &findings)
        try measureEncoding(into: &findings)
        return findings.report(settings)
    }

    // MARK: Comparison with h2load

    private func start(_ candidate: PushFindings.Candidate) throws -> PinnedServer {
        switch candidate {
        case .plain:
            try workbench.serve(candidate.rawValue) { $0.streams = Shape.streams }
        case .nghttpd: try workbench.serveByNghttpd(streams: Shape.streams)
        }
    }

    /// Returns h2load's rate for each server that might be the cheapest.
    private func candidates() throws -> [PushFindings.Candidate: Double] {
        var rates: [PushFindings.Candidate: Double] = [:]
        for candidate in [PushFindings.Candidate.plain, .nghttpd] {
            let server = try start(candidate)
            defer { workbench.stop(server) }
            _ = try h2load(settings.pushes / 10, to: server)
            rates[candidate] = try h2load(settings.pushes, to: server).rate
            say("h2load against \(server.name): \(Int(rates[candidate] ?? 0)) requests/s")
        }
        return rates
    }

    private func duel(against candidate: PushFindings.Candidate) throws -> Duel {
        let server = try start(candidate)
        defer { workbench.stop(server) }
        var duel = Duel(against: server.name)
        _ = try ours(settings.pushes / 10, to: server)
        for round in 0..<settings.rounds {
            // The second one may find warmer caches, so they take turns.
            let first = round % 2 == 0 ? try ours(settings.pushes, to: server) : nil
            let theirs = try h2load(settings.pushes, to: server)
            let ours = try first ?? ours(settings.pushes, to: server)
            duel.add(ours: ours, theirs: theirs)
            say(
                "round \(round + 1) against \(server.name): \(Int(ours.rate)) pushes/s by us, "
                    + "\(Int(theirs.rate)) by h2load")
        }
        return duel
    }

    private func ours(_ pushes: Int, to server: PinnedServer) throws -> Measured {
        try workbench.ours(
            pushes, to: server, connections: Shape.connections, streams: Shape.streams)
    }

    private func h2load(_ requests: Int, to server: PinnedServer) throws -> Measured {
        try workbench.h2load(
            requests, to: server, connections: Shape.connections, streams: Shape.streams)
    }

    // MARK: Distant server

    private func measureDelay(into findings: inout PushFindings) throws {
        let server = try workbench.serve("far") {
            $0.streams = Shape.streams
            $0.delayMilliseconds = Shape.delayMilliseconds
        }
        defer { workbench.stop(server) }
        for round in 0..<settings.rounds {
            for connections in [1, 4] {
                let limit = PushFindings.streamsLimit(connections: connections)
                let measured = try workbench.ours(
                    Int(limit) * seconds * 2, to: server, connections: connections,
                    streams: Shape.streams)
                findings.delayed[connections, default: []].append(measured.rate / limit)
            }
            say("round \(round + 1) of a server 50 ms away")
        }
    }

    private func measureWindow(into findings: inout PushFindings) throws {
        let body = try SamplePush.alert.encoded(at: 1_685_952_000).count
        findings.windowLimit =
            Double(Shape.window) / Double(body) * 1_000 / Double(Shape.delayMilliseconds)
        let server = try workbench.serve("narrow") {
            $0.streams = Shape.streams
            $0.delayMilliseconds = Shape.delayMilliseconds
            $0.window = Shape.window
        }
        defer { workbench.stop(server) }
        for round in 0..<settings.rounds {
            for connections in Shape.windowConnections {
                let pushes = Int(findings.windowLimit) * connections * seconds
                let measured = try workbench.ours(
                    pushes, to: server, connections: connections, streams: Shape.streams,
                    sample: .alert)
                findings.windowed[connections, default: []].append(measured.rate)
            }
            say("round \(round + 1) of windows of \(Shape.window) bytes")
        }
    }

    /// The length of a run against the far server at its limit, in seconds: long enough that
    /// connecting, which takes two of its delays, has little effect.
    private var seconds: Int { settings.pushes >= 200_000 ? 2 : 1 }

    // MARK: Encoding

    private func measureEncoding(into findings: inout PushFindings) throws {
        for _ in 0..<settings.rounds {
            for sample in SamplePush.allCases {
                let microseconds = try workbench.encoding(sample, payloads: settings.pushes)
                findings.encoding[sample, default: []].append(microseconds)
            }
        }
        say("encoding alone")
    }
}
