internal import APNsSimulator
internal import Foundation
internal import Playtest
internal import PushLoad

/// The real server on one core, wrk on the other, and the references in the server's place.
final class APIStage: Sendable {
    /// A server that answers.
    struct Server: Sendable {
        let port: UInt16
        fileprivate let process: PinnedProcess

        /// User and system time so far.
        fileprivate var cpuSeconds: Double { Usage.cpuSeconds(of: process.id) ?? 0 }
    }

    private let executable: String
    private let folder: StageFolder
    private let references: References
    private let processes = PinnedProcesses()
    /// Nobody listens there: no party of this bench is owed a push.
    private let closedPort: UInt16
    private let goProgram: String
    private let cProgram: String

    private static let listLimitSeconds = 120
    /// Looks, 20 ms apart, until a server must listen.
    private static let looksMax = 500

    /// Builds the references.
    ///
    /// - Parameters:
    ///   - executable: `rangers` itself.
    ///   - sources: The folder of the references' sources.
    /// - Throws: When a tool is missing, in a sentence that names its package.
    init(executable: String, sources: String) async throws {
        try Tool.require([.wrk, .go, .gcc, .taskset])
        self.executable = executable
        folder = try StageFolder(nil)
        let output = URL(fileURLWithPath: folder.path)
        references = try References(folder: sources, output: output)
        goProgram = try await references.buildGo("prepared_responses")
        cProgram = try await references.buildC("static_response", libraries: ["microhttpd"])
        closedPort = try LoopbackPort.free()
    }

    deinit { folder.removeIfTemporary() }

    /// Ends whatever runs; called when the bench is interrupted.
    func abandon() { processes.abandon() }

    func stop(_ server: Server) { processes.stop(server.process) }

    // MARK: Servers

    /// `rangers serve` on the file of this stage.
    func serve(speed: Int) async throws -> (Server, PartyGathering) {
        let key = try folder.adminKey()
        let credentials = try SimulatorCredentials(
            directory: folder.simulator, now: Int64(Date().timeIntervalSince1970))
        let port = try LoopbackPort.free()
        let process = try start(
            executable,
            [
                "serve", "--listen", "127.0.0.1:\(port)", "--data", folder.database,
                "--admin-key-file", folder.adminKeyFile, "--apns-host", "127.0.0.1",
                "--apns-port", "\(closedPort)", "--apns-ca", credentials.caFile,
                "--apns-key", credentials.providerKeyFile, "--apns-key-id", credentials.keyID,
                "--apns-team-id", credentials.teamID, "--bundle-id", SamplePush.bundleID,
                "--speed", "\(speed)", "--log-level", "error",
            ])
        let gathering = try PartyGathering(port: port, adminKey: key)
        try await gathering.untilReady()
        return (Server(port: port, process: process), gathering)
    }

    /// Go's net/http with these responses.
    func serveByGo(_ responses: PreparedResponses) async throws -> Server {
        try await serve(goProgram, responses)
    }

    /// libmicrohttpd with the first of them.
    func serveByC(_ responses: PreparedResponses) async throws -> Server {
        try await serve(cProgram, responses)
    }

    private func serve(_ program: String, _ responses: PreparedResponses) async throws -> Server {
        let file = folder.path + "/responses"
        try Data(responses.bytes).write(to: URL(fileURLWithPath: file))
        let port = try LoopbackPort.free()
        let server = Server(port: port, process: try start(program, [String(port), file]))
        for _ in 0..<Self.looksMax {
            if LoopbackPort.isOpen(port) { return server }
            try await Task.sleep(for: .milliseconds(20))
        }
        stop(server)
        throw BenchError("\(program) did not listen within 10 seconds")
    }

    private func start(
        _ program: String, _ arguments: [String]
    ) throws(BenchError) -> PinnedProcess {
        try processes.start(
            program, arguments, on: .server,
            outputFile: folder.path + "/output-\(UUID().uuidString)")
    }

    // MARK: Clients

    /// The same request for so many seconds.
    func repeated(_ request: String, to server: Server, seconds: Int) throws -> APIRun {
        try run([request], to: server, .again, seconds: seconds)
    }

    /// Each request of the list, once.
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

    /// As many requests of the list as the time allows, each once.
    func begun(_ list: [String], to server: Server, seconds: Int) throws -> APIRun {
        try run(list, to: server, .once, seconds: seconds)
    }

    private func run(
        _ list: [String], to server: Server, _ mode: Wrk.Mode, seconds: Int,
        connections: Int = Wrk.many
    ) throws -> APIRun {
        let file = folder.path + "/list"
        try Data((list.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
        let wrk = Wrk(
            script: references.script("requests.lua"), listFile: file, port: server.port,
            mode: mode, seconds: seconds, connections: connections)
        let before = server.cpuSeconds
        let end = try processes.run(
            Tool.wrk.rawValue, wrk.arguments, on: .client, outputFile: folder.path + "/wrk",
            withinSeconds: seconds + 60)
        return APIRun(
            try WrkResult(output: end.output), ofList: mode == .once ? list.count : nil,
            connections: connections, cpuSeconds: server.cpuSeconds - before)
    }
}
