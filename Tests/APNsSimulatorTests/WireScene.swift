import APNsClient
import Foundation
import Isolation
import JSONReader
import Programs

@testable import APNsSimulator

/// A simulator on a loopback port, its credentials in a folder of its own, and its clock.
final class WireScene: Sendable {
    let folder: TemporaryFolder
    let credentials: SimulatorCredentials
    let simulator: APNsSimulator
    let clock = Locked(Scene.start)
    let recent = RecentRecords()
    private let pushes = Locked<[AcceptedPush]>([])
    private let deliveries = Locked<[AcceptedPush]>([])
    private let published = Locked<[AcceptedBroadcast]>([])

    init(
        policy: TokenRegistry.Policy = .any, firstStreams: UInt32 = 1,
        configure: (inout APNsSimulator.Settings) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        credentials = try SimulatorCredentials(
            directory: folder.path, validity: .century, now: Scene.start / 1_000)
        var settings = credentials.settings(
            bundleID: Scene.bundleID, schema: Scene.schema)
        settings.tokenPolicy = policy
        settings.firstStreamsMax = firstStreams
        configure(&settings)
        let (clock, pushes, recent) = (clock, pushes, recent)
        let (deliveries, published) = (deliveries, published)
        simulator = try APNsSimulator(
            settings, now: { clock.withLock { $0 } },
            onPush: { push in pushes.withLock { $0.append(push) } }, onRecord: recent.append,
            onBroadcast: { broadcast in published.withLock { $0.append(broadcast) } },
            onDelivered: { push in deliveries.withLock { $0.append(push) } })
    }

    var accepted: [AcceptedPush] { pushes.withLock { $0 } }
    var delivered: [AcceptedPush] { deliveries.withLock { $0 } }
    var broadcasts: [AcceptedBroadcast] { published.withLock { $0 } }

    /// `issuedAt` is in seconds since 1970.
    func bearer(issuedAt: Int64 = Scene.start / 1_000) throws -> String {
        let key = try ES256PrivateKey(PrivateKeyPEM(file: credentials.providerKeyFile))
        return try ProviderToken(
            keyID: credentials.keyID, teamID: credentials.teamID, issuedAt: issuedAt, key: key
        ).authorization
    }

    func client(
        connections: Int = 1, configure: (inout APNsClient.Configuration) -> Void = { _ in }
    ) throws -> APNsClient {
        var configuration = try configuration(connections: connections)
        configure(&configuration)
        let clock = clock
        return try APNsClient(configuration, now: { clock.withLock { $0 } })
    }

    /// As the simulator's own provider.
    func configuration(connections: Int = 1) throws -> APNsClient.Configuration {
        var configuration = APNsClient.Configuration(
            host: "localhost", keyID: credentials.keyID, teamID: credentials.teamID,
            privateKeyPEM: try PrivateKeyPEM(file: credentials.providerKeyFile))
        configuration.port = simulator.port
        configuration.trustedCAFile = credentials.caFile
        configuration.connections = connections
        return configuration
    }

    func push(token: String = Scene.token) -> PushRequest {
        .liveActivity(
            Array(Scene.body.utf8), to: DeviceToken(hex: token), bundleID: Scene.bundleID,
            priority: .high)
    }

    /// The talk's curl command, but for what is changed; gives status and reason.
    func curl(_ changes: [String: String] = [:]) async throws -> Answer {
        var headers = [
            "apns-topic": Scene.topic, "apns-push-type": "liveactivity", "apns-priority": "10",
            "authorization": try bearer(),
        ]
        headers.merge(changes) { $1 }
        var arguments = ["--silent", "--http2", "--max-time", "20"]
        arguments += [
            "--cacert", credentials.caFile, "--write-out", "\n%{http_version} %{http_code}",
        ]
        for (name, value) in headers { arguments += ["--header", "\(name): \(value)"] }
        arguments += ["--data", Scene.body]
        arguments.append("https://127.0.0.1:\(simulator.port)/3/device/\(Scene.token)")
        let lines = try await Tool.curl.run(arguments).split(separator: "\n").map(String.init)
        let reason = lines.dropLast().last.flatMap { JSONValue(Array($0.utf8))?["reason"]?.text }
        return Answer(status: lines.last ?? "", reason: reason)
    }

    struct Answer: Equatable {
        /// HTTP's version and the status.
        let status: String
        let reason: String?
    }

    func stop() async { await simulator.stop(graceMilliseconds: 2_000) }
}

/// A folder that goes with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A program of this machine.
enum Tool: String {
    case curl, h2load, sh

    private var path: String { "/usr/bin/\(rawValue)" }

    var isInstalled: Bool { Program.isInstalled(path) }

    /// What it prints, once it has ended.
    func run(_ arguments: [String]) async throws -> String {
        try await Program(path, arguments).printed().text
    }
}
