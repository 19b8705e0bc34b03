internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import Glibc
internal import HTTP2
internal import Programs
internal import PushLoad

/// Starts servers on one core and clients on the other, and measures the clients. All methods
/// block.
final class PushTestbed: Sendable {
    private static let runSeconds = 300

    private let executable: String
    private let client: String
    private let folder: URL
    private let moment: Int64
    private let credentials: SimulatorCredentials
    private let headers: [String]
    private let processes = PinnedProcesses()

    /// Creates keys and certificates in its own folder. `executable` is `rangers-tools`;
    /// `push-load` is in the same folder.
    init(executable: String) throws {
        self.executable = executable
        client =
            URL(fileURLWithPath: executable).deletingLastPathComponent()
            .appendingPathComponent("push-load").path
        guard access(client, X_OK) == 0 else {
            throw BenchError(
                "push-load is not beside rangers-tools: run Scripts/bench, which builds both")
        }
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("rangers-bench-\(UUID().uuidString)")
        moment = Int64(Date().timeIntervalSince1970)
        credentials = try SimulatorCredentials(directory: folder.path, now: moment)
        headers = try Self.headers(credentials, moment)
        try Data(SamplePush.quiet.encoded(at: moment)).write(to: bodyFile)
    }

    deinit {
        // A leftover temporary folder is harmless.
        try? FileManager.default.removeItem(at: folder)
    }

    private var bodyFile: URL { folder.appendingPathComponent("body.json") }

    /// Returns our client's headers, name by name and of equal length, with `:path` and the body.
    private static func headers(
        _ credentials: SimulatorCredentials, _ moment: Int64
    ) throws -> [String] {
        let key = try ES256PrivateKey(PrivateKeyPEM(file: credentials.providerKeyFile))
        let token = try ProviderToken(
            keyID: credentials.keyID, teamID: credentials.teamID, issuedAt: moment, key: key)
        let request = PushRequest.liveActivity(
            [], to: DeviceToken(hex: SamplePush.token), bundleID: SamplePush.bundleID,
            priority: .high, expiration: moment + SamplePush.lifetimeSeconds)
        var head = HTTP2RequestHead(authority: "")
        request.write(to: &head, with: token)
        return head.headers.map { "\($0.name): \($0.value)" }
    }

    // MARK: Servers

    /// Starts our own server or the simulator, with the settings of `rangers-tools bench serve`.
    func serve(
        _ name: String, _ change: (inout BenchServer.Settings) -> Void = { _ in }
    ) throws(BenchError) -> PinnedServer {
        var settings = BenchServer.Settings(folder: folder.path)
        change(&settings)
        return try processes.serve(
            name, executable, settings.arguments, outputFile: newOutputFile)
    }

    /// Starts nghttpd, which responds to a POST to a file's path with 200 and the file.
    func serveByNghttpd(streams: Int) throws -> PinnedServer {
        let site = folder.appendingPathComponent("site/3/device")
        try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
        try Data().write(to: site.appendingPathComponent(SamplePush.token))
        let port = try LoopbackPort.free()
        return try processes.serve(
            "nghttpd", "nghttpd",
            [
                "--address=127.0.0.1", "--max-concurrent-streams=\(streams)", "--window-bits=20",
                "--connection-window-bits=20",
                "--htdocs=\(folder.appendingPathComponent("site").path)", String(port),
                folder.appendingPathComponent("server-key.pem").path,
                folder.appendingPathComponent("server.pem").path,
            ], port: port, outputFile: newOutputFile)
    }

    func stop(_ server: PinnedServer) { processes.stop(server) }

    /// Ends all programs and starts no more; called when the bench is interrupted.
    func abandon() { processes.abandon() }

    private var newOutputFile: String { folder.path + "/server-\(UUID().uuidString)" }

    // MARK: Clients

    /// Runs our client in a separate process.
    func ours(
        _ pushes: Int, to server: PinnedServer, connections: Int, streams: Int,
        sample: SamplePush = .quiet
    ) throws -> Measured {
        let settings = LoadSettings(
            port: server.port, credentials, pushes: pushes, connections: connections,
            streams: streams, sample: sample, moment: moment)
        let before = server.cpuSeconds
        let end = try run(client, settings.arguments)
        let serverCPU = server.cpuSeconds - before
        let result = try LoadResult(line: end.output)
        var measured = Measured(
            requests: pushes, seconds: result.seconds, clientCPU: result.cpuSeconds,
            serverCPU: serverCPU)
        measured.startMegabytes = result.startMegabytes
        measured.peakMegabytes = result.peakMegabytes
        return measured
    }

    /// Runs h2load. Its CPU time is that of the whole process, measured by the kernel: it starts in
    /// a few milliseconds, so nothing is subtracted.
    func h2load(
        _ requests: Int, to server: PinnedServer, connections: Int, streams: Int
    ) throws(BenchError) -> Measured {
        let settings = H2Load.Settings(
            port: server.port, requests: requests, connections: connections, streams: streams,
            bodyFile: bodyFile.path, headers: headers)
        let before = server.cpuSeconds
        let end = try run("h2load", H2Load.arguments(settings))
        let serverCPU = server.cpuSeconds - before
        let rate = try H2Load.rate(in: end.output, requests: requests)
        return Measured(
            requests: requests, seconds: Double(requests) / rate, clientCPU: end.cpuSeconds,
            serverCPU: serverCPU)
    }

    /// Returns the microseconds per payload.
    func encoding(_ sample: SamplePush, payloads: Int) throws(BenchError) -> Double {
        let end = try run(client, EncodeRun(sample: sample, payloads: payloads).arguments)
        let text = end.output.split(separator: "\n").first ?? ""
        guard let microseconds = Double(text) else {
            throw BenchError("push-load did not print a number: \(end.output)")
        }
        return microseconds
    }

    private func run(
        _ program: String, _ arguments: [String]
    ) throws(BenchError) -> PinnedProcess.End {
        let file = folder.appendingPathComponent("client").path
        return try processes.run(
            program, arguments, on: .client, outputFile: file, withinSeconds: Self.runSeconds)
    }
}

extension LoadSettings {
    /// Creates settings for a server with these credentials.
    init(
        port: UInt16, _ credentials: SimulatorCredentials, pushes: Int, connections: Int,
        streams: Int, sample: SamplePush, moment: Int64
    ) {
        self.init(
            port: port, caFile: credentials.caFile, keyFile: credentials.providerKeyFile,
            keyID: credentials.keyID, teamID: credentials.teamID, pushes: pushes,
            connections: connections, streams: streams, sample: sample, moment: moment)
    }
}
