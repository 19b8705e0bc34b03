internal import APNsSimulator
internal import Foundation
internal import PartyStore
internal import Playtest
internal import Programs
internal import PushLoad

/// The real server on one core, wrk and the simulator on the other.
final class ServerTestbed: Sendable {
    let references: References
    let path: String
    private let rangers: String
    private let tools: String
    let folder: TestbedFolder
    private let processes = PinnedProcesses()
    /// A port without a listener.
    private let closedPort: UInt16

    private static let listLimitSeconds = 120

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
        folder = try TestbedFolder(nil)
        path = folder.path
        references = References(folder: sources, output: URL(fileURLWithPath: path))
        closedPort = try LoopbackPort.free()
    }

    deinit { folder.removeIfTemporary() }

    /// Ends all programs; called when the bench is interrupted.
    func abandon() { processes.abandon() }

    func stop(_ server: PinnedServer) { processes.stop(server) }

    // MARK: Servers

    /// Starts `rangers serve` on a file of this testbed.
    ///
    /// - Parameters:
    ///   - speed: The speed of the adventures' clock.
    ///   - file: The data's name.
    ///   - apns: The simulator; `nil`: none, for parties without pushes.
    /// - Returns: The server, and the means to create parties on it.
    /// - Throws: When it is not ready in time.
    func serve(
        speed: Double, file: String = "rangers.db", apns: PinnedServer? = nil
    ) async throws -> (PinnedServer, PartyCreation) {
        try await serve(["--data", "\(path)/\(file)"], speed: speed, apns: apns)
    }

    func serve(
        _ store: [String], speed: Double, apns: PinnedServer?
    ) async throws -> (PinnedServer, PartyCreation) {
        let key = try folder.adminKey()
        let credentials = try SimulatorCredentials(
            directory: folder.simulator, now: Int64(Date().timeIntervalSince1970))
        let port = try LoopbackPort.free()
        let process = try processes.start(
            rangers,
            [
                "serve", "--listen", "127.0.0.1:\(port)",
                "--admin-key-file", folder.adminKeyFile, "--apns-host", "127.0.0.1",
                "--apns-port", "\(apns?.port ?? closedPort)", "--apns-ca", credentials.caFile,
                "--apns-key", credentials.providerKeyFile, "--apns-key-id", credentials.keyID,
                "--apns-team-id", credentials.teamID, "--bundle-id", SamplePush.bundleID,
                "--speed", "\(speed)", "--log-level", "error", "--trusted-clients", "127.0.0.1",
            ] + store, on: .server, outputFile: newOutputFile)
        let creation = try PartyCreation(port: port, adminKey: key)
        try await creation.untilReady()
        return (PinnedServer(name: "rangers", port: port, process: process), creation)
    }

    /// Starts the simulator, on the clients' core.
    func simulateAPNs() throws -> PinnedServer {
        var settings = BenchServer.Settings(folder: folder.simulator)
        settings.kind = .simulator
        return try processes.serve(
            "the simulator", tools, settings.arguments, on: .client, outputFile: newOutputFile)
    }

    /// Starts a reference, which listens on the port in its first argument.
    func serve(_ program: String, _ arguments: [String]) throws -> PinnedServer {
        let port = try LoopbackPort.free()
        return try serve(program, [String(port)] + arguments, port: port)
    }

    /// Starts a reference that its arguments let listen on this port.
    func serve(_ program: String, _ arguments: [String], port: UInt16) throws -> PinnedServer {
        try processes.serve(program, program, arguments, port: port, outputFile: newOutputFile)
    }

    private var newOutputFile: String { path + "/output-\(UUID().uuidString)" }

    // MARK: Clients

    /// Opens event streams and reads them until `stop`, on the clients' core.
    func read(_ streams: [String], of server: PinnedServer) throws -> PinnedProcess {
        let file = path + "/streams"
        try Data((streams.joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: file))
        let reading = StreamReading.Settings(port: server.port, listFile: file)
        return try processes.start(
            tools, reading.arguments, on: .client, outputFile: newOutputFile)
    }

    func stop(_ process: PinnedProcess) { processes.stop(process) }

    /// Repeats the same request for this many seconds, at all servers at the same time.
    func repeated(_ request: String, to servers: [PinnedServer], seconds: Int) throws -> APIRun {
        try run([request], to: servers, .again, seconds: seconds)
    }

    /// Sends each request of the list once, to the servers in turn.
    func once(
        _ list: [String], to servers: [PinnedServer], connections: Int = Wrk.many
    ) throws -> APIRun {
        let run = try run(
            list, to: servers, .once, seconds: Self.listLimitSeconds, connections: connections)
        guard run.didFinishList else {
            throw BenchError(
                "\(list.count) requests had no response within \(Self.listLimitSeconds) seconds")
        }
        return run
    }

    /// Sends as many requests of the list as the time allows, each once, to the servers in turn.
    func begun(_ list: [String], to servers: [PinnedServer], seconds: Int) throws -> APIRun {
        try run(list, to: servers, .once, seconds: seconds)
    }

    /// Runs a program that is a client and a reference at once, on the servers' core.
    func run(
        _ program: String, _ arguments: [String], withinSeconds bound: Int
    ) throws -> PinnedProcess.End {
        try processes.run(
            program, arguments, on: .server, outputFile: newOutputFile, withinSeconds: bound)
    }

    /// Measures how many single rows a second SQLite's shell commits to the servers' disk, each
    /// durable before the next.
    func commitsPerSecond(count: Int) throws -> Double {
        let (file, script) = (path + "/reference.db", path + "/commits.sql")
        let rows = String(
            repeating: "INSERT INTO rows (data) VALUES (randomblob(900));\n", count: count)
        let text = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
            \(rows)
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        let began = ContinuousClock.now
        _ = try processes.run(
            Tool.sqlite3.rawValue, [file, ".read \(script)"], on: .server,
            outputFile: path + "/sqlite3", withinSeconds: Self.listLimitSeconds)
        return Double(count) / ((ContinuousClock.now - began) / .seconds(1))
    }

    /// Runs one wrk for each server, all at the same time; together they have so many connections.
    private func run(
        _ list: [String], to servers: [PinnedServer], _ mode: Wrk.Mode, seconds: Int,
        connections: Int = Wrk.many
    ) throws -> APIRun {
        let lists = servers.indices.map { number in
            stride(from: mode == .once ? number : 0, to: list.count, by: servers.count)
                .map { list[$0] }
        }
        let wrks = try zip(lists, servers).enumerated().map { number, part in
            let file = "\(path)/list-\(number)"
            try Data((part.0.joined(separator: "\n") + "\n").utf8)
                .write(to: URL(fileURLWithPath: file))
            return Wrk(
                script: references.script("requests.lua"), listFile: file, port: part.1.port,
                mode: mode, seconds: seconds, connections: max(1, connections / servers.count))
        }
        let before = servers.map(\.cpuSeconds)
        let running = try wrks.enumerated().map { number, wrk in
            try processes.start(
                Tool.wrk.rawValue, wrk.arguments, on: .client, outputFile: "\(path)/wrk-\(number)")
        }
        let outputs = try running.map {
            try processes.end($0, withinSeconds: seconds + 60).output
        }
        let used = zip(servers, before).map { $0.cpuSeconds - $1 }
        return APIRun(
            together: try servers.indices.map { number in
                APIRun(
                    try WrkResult(output: outputs[number], of: list.first ?? ""),
                    ofList: mode == .once ? lists[number].count : nil,
                    connections: wrks[number].connections, cpuSeconds: used[number])
            })
    }
}
