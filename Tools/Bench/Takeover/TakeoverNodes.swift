internal import Foundation
internal import Playtest
internal import Programs
internal import PushLoad

/// The nodes of one round: real servers, on all cores.
final class TakeoverNodes: Sendable {
    private struct Node: Sendable {
        let name: String
        let server: ServerProcess
        let api: GameAPI
    }

    /// What some nodes' metrics say.
    struct Look: Hashable, Sendable {
        /// Of each node.
        let shards: [Int]
        let parties: Int
        let lateSeconds: Double
    }

    private static let interval = Duration.milliseconds(50)
    private static let secondsMax = 120.0
    private static let requestTimeoutSeconds = 10

    private let nodes: [Node]

    /// `arguments` are those that all nodes have; nodes have names from A on.
    init(
        _ count: Int, executable: String, folder: TestbedFolder, arguments: [String]
    ) throws {
        let keyFile = try folder.nodesKeyFile()
        nodes = try (0..<count).map { number in
            let name = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(number)))
            let port = try LoopbackPort.free()
            guard let url = URL(string: "http://127.0.0.1:\(port)") else {
                throw BenchError("port \(port) makes no URL")
            }
            let server = ServerProcess(
                executable: executable,
                arguments: arguments + [
                    "--node-name", name, "--nodes-listen", "127.0.0.1:\(try LoopbackPort.free())",
                    "--nodes-key-file", keyFile,
                ], logFile: "\(folder.path)/node-\(name).log", port: Int(port))
            let client = HTTPClient(
                baseURL: url, timeoutSeconds: Self.requestTimeoutSeconds, connectionsMax: 1)
            return Node(name: name, server: server, api: GameAPI(client))
        }
    }

    var lastName: String { nodes.last?.name ?? "" }

    /// The memory of each node that runs.
    var residentBytes: [Double] {
        running.compactMap { $0.server.id.flatMap(Usage.residentKilobytes) }.map { $0 * 1024 }
    }

    private var running: [Node] { nodes.filter(\.server.isRunning) }

    /// Starts all at once; returns when all are ready.
    func start() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { try await node.server.start() } }
            try await group.waitForAll()
        }
    }

    /// Kills the last one.
    func killLast() async throws {
        guard let last = nodes.last else { return }
        last.server.kill()
        while last.server.isRunning { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Starts the last one again; returns when it is ready.
    func startLast() async throws { try await nodes.last?.server.start() }

    /// Stops all, and waits for their end.
    func stop() async {
        await withDiscardingTaskGroup { group in
            for node in nodes { group.addTask { _ = await node.server.stop() } }
        }
    }

    func partiesInMemory() async throws -> Int { try await look().parties }

    /// Waits until those that run have all shards and so many parties, none of them late. Returns
    /// when that was, in seconds.
    func untilKeepingUp(
        parties: Int, since began: ContinuousClock.Instant
    ) async throws -> TakeoverTimes {
        var times = TakeoverTimes()
        while true {
            let look = try await look()
            let seconds = began.duration(to: .now) / .seconds(1)
            guard seconds < Self.secondsMax else {
                throw BenchError("after \(Int(seconds)) s, of \(parties) parties: \(look)")
            }
            if times.note(look, parties: parties, at: seconds) { return times }
            try await Task.sleep(for: Self.interval)
        }
    }

    private func look() async throws -> Look {
        let metrics = try await withThrowingTaskGroup(of: ServerMetrics.self) { group in
            for node in running {
                group.addTask { ServerMetrics(text: try await node.api.metrics()) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return Look(
            shards: metrics.map { Int($0.count("rangers_shards_owned")) },
            parties: Int(metrics.reduce(0) { $0 + $1.count("rangers_parties_in_memory") }),
            lateSeconds: metrics.map { $0.count("rangers_backlog_seconds") }.max() ?? 0)
    }
}
