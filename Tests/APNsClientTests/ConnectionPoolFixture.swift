import APNsClient
import Foundation
import HTTP2
import HTTP2Server
import Isolation

/// A CA, a server that it vouches for, and a pool that trusts it.
final class PoolFixture: Sendable {
    let server: HTTP2Server
    let pool: ConnectionPool
    private let directory: TemporaryDirectory

    init(
        hosts: [String] = ["localhost", "127.0.0.1"], validDays: Int = 36_500,
        trust: Trust = .serversAuthority,
        server configureServer: (inout HTTP2Server.Settings) -> Void = { _ in },
        pool configurePool: (inout ConnectionPool.Settings) -> Void = { _ in },
        handler: @escaping HTTP2Server.Handler
    ) throws {
        directory = try TemporaryDirectory()
        let authority = try Self.authority()
        let identity = try authority.issue(hosts: hosts, validFrom: 0, validDays: validDays)
        var settings = HTTP2Server.Settings(identity)
        settings.handshakeTimeoutMilliseconds = 60_000
        configureServer(&settings)
        server = try HTTP2Server(settings, handler: handler)

        let trusted =
            switch trust {
            case .serversAuthority: authority
            case .anotherAuthority: try Self.authority()
            }
        let file = try directory.write(trusted.certificatePEM, to: "ca.pem")
        var wanted = ConnectionPool.Settings.patient
        wanted.port = server.port
        wanted.trustedCAFile = file
        configurePool(&wanted)
        pool = try ConnectionPool(wanted)
    }

    enum Trust {
        case serversAuthority, anotherAuthority
    }

    /// Valid for a hundred years from 1970 on.
    static func authority() throws -> CertificateAuthority {
        try CertificateAuthority(commonName: "Test CA", validFrom: 0, validDays: 36_500)
    }

    /// Ends both sides; to be called at the end of each test.
    func stop() async {
        await pool.shutdown(graceMilliseconds: 2_000)
        await server.stop(graceMilliseconds: 0)
    }
}

extension ConnectionPool.Settings {
    /// To this machine, with what a client has by default.
    static var toLoopback: Self {
        Self(APNsClient.Configuration(host: "127.0.0.1", identity: .keys([])))
    }

    /// For tests: reconnects quickly, and gives a busy machine all the time it may need.
    static var patient: Self {
        var settings = toLoopback
        settings.reconnect = .quick
        settings.connectTimeoutMilliseconds = 60_000
        settings.requestTimeoutMilliseconds = 120_000
        settings.queueWaitMaxMilliseconds = 120_000
        settings.pingTimeoutMilliseconds = 60_000
        return settings
    }
}

extension ReconnectBackoff.Limits {
    /// For tests that wait for reconnects.
    static var quick: Self {
        var limits = Self()
        limits.minMilliseconds = 5
        limits.maxMilliseconds = 20
        return limits
    }
}

extension ConnectionPool {
    typealias Outcome = Result<HTTP2Response, HTTP2Failure>

    /// Sends one request and waits for its end.
    func outcome(of request: HTTP2Request) async -> Outcome {
        await withCheckedContinuation { continuation in
            send([Exchange(request: request) { continuation.resume(returning: $0) }])
        }
    }

    /// Sends requests together; their ends in the requests' order.
    func outcomes(of requests: [HTTP2Request]) async -> [Outcome] {
        let ends = Locked<(left: Int, outcomes: [Outcome?])>(
            (requests.count, Array(repeating: nil, count: requests.count)))
        return await withCheckedContinuation { continuation in
            send(
                requests.enumerated().map { index, request in
                    Exchange(request: request) { outcome in
                        let all: [Outcome]? = ends.withLock { ends in
                            precondition(ends.outcomes[index] == nil, "settled twice")
                            ends.outcomes[index] = outcome
                            ends.left -= 1
                            return ends.left == 0 ? ends.outcomes.compactMap { $0 } : nil
                        }
                        if let all { continuation.resume(returning: all) }
                    }
                })
        }
    }
}

extension HTTP2Request {
    /// A push-like request with a number in its path.
    static func numbered(_ number: Int, body: [UInt8] = Array("{}".utf8)) -> HTTP2Request {
        HTTP2Request(
            method: "POST", path: "/3/device/\(number)",
            headers: [
                HTTP2Header("authorization", "bearer secret"),
                HTTP2Header("apns-id", "\(number)", indexing: .never),
            ], body: body)
    }
}

/// A directory that is removed with its content.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("http2-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the file's path.
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
