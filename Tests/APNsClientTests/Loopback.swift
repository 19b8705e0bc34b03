internal import Foundation
internal import HTTP2Server
internal import Isolation

@testable internal import APNsClient

/// A server in Apple's place on loopback, over real TLS, and a client that trusts it.
final class Loopback: Sendable {
    /// What the server has seen.
    struct Seen: Sendable {
        let request: HTTP2Request
        let connection: HTTP2Server.ConnectionID
    }

    let clock = TestClock()
    let client: APNsClient
    let publicKey: ES256PublicKey
    private let server: HTTP2Server
    private let seen: Locked<[Seen]>
    private let folder: URL

    /// The script gets each request, its connection and its number, from 0.
    init(
        host: String = "127.0.0.1", trust: Trust = .server, connections: Int = 1,
        _ script: @escaping @Sendable (HTTP2Request, Int, Int) -> HTTP2Server.Action
    ) throws {
        let authority = try Self.authority()
        let identity = try authority.issue(
            hosts: ["127.0.0.1"], validFrom: Self.validFrom, validDays: Self.validDays)
        let seen = Locked<[Seen]>([])
        self.seen = seen
        server = try HTTP2Server(HTTP2Server.Settings(identity)) { request, connection in
            let number = seen.withLock { seen in
                seen.append(Seen(request: request, connection: connection))
                return seen.count - 1
            }
            return script(request, connection, number)
        }

        folder = FileManager.default.temporaryDirectory.appending(path: "apns-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "ca.pem")
        let trusted = trust == .server ? authority : try Self.authority()
        try trusted.certificatePEM.write(to: file, atomically: false, encoding: .utf8)

        let pem = try ES256PrivateKey.generate()
        publicKey = try ES256PublicKey(of: ES256PrivateKey(pem))
        var configuration = APNsClient.Configuration(
            host: host, keyID: Sample.keyID, teamID: Sample.teamID, privateKeyPEM: pem)
        configuration.port = server.port
        configuration.trustedCAFile = file.path
        configuration.connections = connections
        configuration.connectTimeoutMilliseconds = 5_000
        // The bound of the test in which no connection ever comes up.
        if trust == .somebodyElse { configuration.queueWaitMilliseconds = 100 }
        client = try APNsClient(configuration, dependencies: clock.dependencies)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Whose certificates the client trusts.
    enum Trust: Hashable {
        case server, somebodyElse
    }

    var requests: [Seen] { seen.withLock { $0 } }

    /// Sends copies of the sample, each with an id of its own, and waits for all.
    func send(_ count: Int) async -> [APNsClient.Outcome] {
        let requests = (0..<count).map { Sample.request(id: PushID.derived(from: "\($0)")) }
        let outcomes = Locked<[APNsClient.Outcome]>([])
        return await withCheckedContinuation { continuation in
            client.send(requests) { _, outcome in
                let all = outcomes.withLock { outcomes in
                    outcomes.append(outcome)
                    return outcomes
                }
                if all.count == count { continuation.resume(returning: all) }
            }
        }
    }

    func stop() async {
        await client.shutdown(graceMilliseconds: 1_000)
        await server.stop(graceMilliseconds: 1_000)
    }

    private static func authority() throws -> CertificateAuthority {
        try CertificateAuthority(
            commonName: "Test", validFrom: validFrom, validDays: validDays)
    }

    /// 2020, and long enough.
    private static let validFrom: Int64 = 1_577_836_800
    private static let validDays = 36_500
}
