internal import APNsClient
internal import APNsSimulator
internal import Foundation
internal import HTTP2
internal import PushLoad

/// One run of one client, with its cost on both sides.
struct PushRun: Hashable, Sendable {
    /// Requests per second.
    let rate: Double
    let cpuPer100k: Double
    /// The share of its core that each side used: near 1 is the limit.
    let clientBusy: Double
    let serverBusy: Double
    /// Our client's memory before its creation, and its peak.
    var startMegabytes: Double?
    var peakMegabytes: Double?

    init(requests: Int, seconds: Double, clientCPU: Double, serverCPU: Double) {
        rate = Double(requests) / seconds
        cpuPer100k = clientCPU / Double(requests) * 100_000
        clientBusy = clientCPU / seconds
        serverBusy = serverCPU / seconds
    }
}

/// Our client and h2load on one core, and their servers on the other. All methods block.
struct PushClients: Sendable {
    private static let runSeconds = 300

    private let testbed: BenchTestbed
    private let moment: Int64
    private let credentials: SimulatorCredentials
    private let bodyFile: String
    private let headers: [String]

    /// Creates keys and certificates.
    init(_ testbed: BenchTestbed) throws {
        guard FileManager.default.isExecutableFile(atPath: testbed.programs.pushLoad) else {
            throw BenchError(
                "push-load is not beside rangers-tools: run Scripts/bench, which builds both")
        }
        self.testbed = testbed
        moment = Int64(Date().timeIntervalSince1970)
        credentials = try SimulatorCredentials(directory: testbed.keysFolder, now: moment)
        headers = try Self.headers(credentials, moment)
        bodyFile = testbed.newFile(".json")
        try Data(SamplePush.quiet.encoded(at: moment)).write(to: URL(fileURLWithPath: bodyFile))
    }

    /// Returns our client's headers, name by name and of equal length.
    private static func headers(_ credentials: SimulatorCredentials, _ moment: Int64) throws
        -> [String]
    {
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

    /// Starts our plain server.
    func serve(_ change: (inout BenchServer.Settings) -> Void = { _ in }) throws -> PinnedServer {
        var settings = BenchServer.Settings(folder: testbed.keysFolder)
        settings.streams = PushBench.Shape.streams
        change(&settings)
        return try testbed.serve(settings)
    }

    // MARK: Clients

    /// Runs our client in a separate process.
    func ours(
        _ pushes: Int, to server: PinnedServer, connections: Int = PushBench.Shape.connections,
        sample: SamplePush = .quiet
    ) throws -> PushRun {
        let settings = LoadSettings(
            port: server.port, credentials, pushes: pushes, connections: connections,
            streams: PushBench.Shape.streams, sample: sample, moment: moment)
        let before = server.cpuSeconds
        let end = try run(testbed.programs.pushLoad, settings.arguments)
        let serverCPU = server.cpuSeconds - before
        let result = try LoadResult(line: end.output)
        var measured = PushRun(
            requests: pushes, seconds: result.seconds, clientCPU: result.cpuSeconds,
            serverCPU: serverCPU)
        measured.startMegabytes = result.startMegabytes
        measured.peakMegabytes = result.peakMegabytes
        return measured
    }

    /// Runs h2load. Its CPU time is that of the whole process, measured by the kernel: it starts in
    /// a few milliseconds, so nothing is subtracted.
    func h2load(_ requests: Int, to server: PinnedServer) throws(BenchError) -> PushRun {
        let settings = H2Load.Settings(
            port: server.port, requests: requests, connections: PushBench.Shape.connections,
            streams: PushBench.Shape.streams, bodyFile: bodyFile, headers: headers)
        let before = server.cpuSeconds
        let end = try run(Tool.h2load.rawValue, H2Load.arguments(settings))
        let serverCPU = server.cpuSeconds - before
        let rate = try H2Load.rate(in: end.output, requests: requests)
        return PushRun(
            requests: requests, seconds: Double(requests) / rate, clientCPU: end.cpuSeconds,
            serverCPU: serverCPU)
    }

    /// Returns the microseconds per payload.
    func encoding(_ sample: SamplePush, payloads: Int) throws(BenchError) -> Double {
        let end = try run(
            testbed.programs.pushLoad, EncodeRun(sample: sample, payloads: payloads).arguments)
        guard let microseconds = Double(end.output.split(separator: "\n").first ?? "") else {
            throw BenchError("push-load did not print a number: \(end.output)")
        }
        return microseconds
    }

    private func run(_ program: String, _ arguments: [String]) throws(BenchError)
        -> PinnedProcess.End
    { try testbed.run(program, arguments, on: .client, withinSeconds: Self.runSeconds) }
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
