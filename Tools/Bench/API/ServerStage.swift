internal import APNsSimulator
internal import Foundation
internal import Playtest
internal import PushLoad

/// The real server on one core, wrk and the simulator on the other.
final class ServerStage: Sendable {
    /// A running server.
    struct Server: Sendable {
        let port: UInt16
        let process: PinnedProcess

        /// The user and system time so far.
        var cpuSeconds: Double { Usage.cpuSeconds(of: process.id) ?? 0 }
    }

    let references: References
    let path: String
    private let rangers: String
    private let tools: String
    private let folder: StageFolder
    private let processes = PinnedProcesses()
    /// A port without a listener.
    private let closedPort: UInt16

    private static let listLimitSeconds = 120
    /// Polls, 20 ms apart, until a server must listen.
    private static let looksMax = 500

    /// - Parameters:
    ///   - rangers: The server's program.
    ///   - tools: The simulator's program.
    ///   - sources: The folder of the references' sources and of wrk's script.
    /// - Throws: When a tool is missing, in a sentence with its package.
    init(rangers: String, tools: String, sources: String) throws {
        try Tool.require([.wrk, .taskset])
        try References.require(folder: sources)
        self.rangers = rangers
        self.tools = tools
        folder = try StageFolder(nil)
        path = folder.path
        references = References(folder: sources, output: URL(fileURLWithPath: path))
        closedPort = try LoopbackPort.free()
    }

    deinit { folder.removeIfTemporary() }

    /// Ends all programs; called when the bench is interrupted.
    func abandon() { processes.abandon() }

    func stop(_ server: Server) { processes.stop(server.process) }

    // MARK: Servers

    /// Starts `rangers serve` on a file of this stage.
    ///
    /// - Parameters:
    ///   - speed: The speed of the adventures' clock.
    ///   - file: The data's name.
    ///   - apns: The simulator; `nil`: none, for parties without pushes.
    /// - Returns: The server, and the means to create parties on it.
    /// - Throws: When it is not ready in time.
    func serve(
        speed: Double, file: String = "rangers.db", apns: Server? = nil
    ) async throws -> (Server, PartyGathering) {
        let key = try folder.adminKey()
        let credentials = try SimulatorCredentials(
            directory: folder.simulator, now: Int64(Date().timeIntervalSince1970))
        let port = try LoopbackPort.free()
        let process = try start(
            rangers,
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--data", "\(path)/\(file)",
                "--admin-key-file", folder.adminKeyFile, "--apns-host", "127.0.0.1",
                "--apns-port", "\(apns?.port ?? closedPort)", "--apns-ca", credentials.caFile,
                "--apns-key", credentials.providerKeyFile, "--apns-key-id", credentials.keyID,
                "--apns-team-id", credentials.teamID, "--bundle-id", SamplePush.bundleID,
                "--speed", "\(speed)", "--log-level", "error",
            ])
        let gathering = try PartyGathering(port: port, adminKey: key)
        try await gathering.untilReady()
        return (Server(port: port, process: process), gathering)
    }

    /// Starts the simulator, on the clients' core.
    func simulateAPNs() async throws -> Server {
        var settings = BenchServer.Settings(folder: folder.simulator)
        settings.kind = .simulator
        let process = try start(tools, settings.arguments, on: .client)
        for _ in 0..<Self.looksMax {
            // "port 40123"
            let words = process.output.split { $0 == " " || $0 == "\n" }
            if words.count == 2, let port = UInt16(words[1]) {
                return Server(port: port, process: process)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        processes.stop(process)
        throw BenchError("the simulator did not say its port within 10 seconds")
    }

    /// Starts a reference, which listens on the port in its first argument.
    func serve(_ program: String, _ arguments: [String]) async throws -> Server {
        let port = try LoopbackPort.free()
        let server = Server(port: port, process: try start(program, [String(port)] + arguments))
        for _ in 0..<Self.looksMax {
            if LoopbackPort.isOpen(port) { return server }
            try await Task.sleep(for: .milliseconds(20))
        }
        stop(server)
        throw BenchError("\(program) did not listen within 10 seconds")
    }

    private func start(
        _ program: String, _ arguments: [String], on core: PinnedProcesses.Core = .server
    ) throws(BenchError) -> PinnedProcess {
        try processes.start(
            program, arguments, on: core, outputFile: path + "/output-\(UUID().uuidString)")
    }

    // MARK: Clients

    /// Repeats the same request for this many seconds.
    func repeated(_ request: String, to server: Server, seconds: Int) throws -> APIRun {
        try run([request], to: server, .again, seconds: seconds)
    }

    /// Sends each request of the list once.
    func once(
        _ list: [String], to server: Server, connections: Int = Wrk.many
    ) throws -> APIRun {
        let run = try run(
            list, to: server, .once, seconds: Self.listLimitSeconds, connections: connections)
        guard run.didFinishList else {
            throw BenchError(
                "\(list.count) requests were not answered within \(Self.listLimitSeconds) seconds")
        }
        return run
    }

    /// Sends as many requests of the list as the time allows, each once.
    func begun(_ list: [String], to server: Server, seconds: Int) throws -> APIRun {
        try run(list, to: server, .once, seconds: seconds)
    }

    private func run(
        _ list: [String], to server: Server, _ mode: Wrk.Mode, seconds: Int,
        connections: Int = Wrk.many
    ) throws -> APIRun {
        let file = path + "/list"
        try Data((list.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
        let wrk = Wrk(
            script: references.script("requests.lua"), listFile: file, port: server.port,
            mode: mode, seconds: seconds, connections: connections)
        let before = server.cpuSeconds
        let end = try processes.run(
            Tool.wrk.rawValue, wrk.arguments, on: .client, outputFile: path + "/wrk",
            withinSeconds: seconds + 60)
        return APIRun(
            try WrkResult(output: end.output), ofList: mode == .once ? list.count : nil,
            connections: connections, cpuSeconds: server.cpuSeconds - before)
    }
}
