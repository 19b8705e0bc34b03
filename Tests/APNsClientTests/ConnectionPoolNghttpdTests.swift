import HTTP2
import APNsClient
import Foundation
import HTTP2Server
import Programs
import Testing

/// Debian's nghttpd, from the package nghttp2-server: a server that nobody here wrote.
private enum Nghttpd {
    static let path = "/usr/sbin/nghttpd"
    static var isInstalled: Bool { Program.isInstalled(path) }
}

@Suite(
    "Connection pool with nghttpd",
    .enabled(if: Nghttpd.isInstalled, "nghttpd is missing: apt-get install nghttp2-server"))
struct ConnectionPoolNghttpdTests {
    @Test("nghttpd answers thousands of requests, each with its own body", arguments: [1, 100])
    func echo(streamLimit: Int) async throws {
        let directory = try TemporaryDirectory()
        let authority = try PoolFixture.authority()
        let identity = try authority.issue(
            hosts: ["127.0.0.1"], validFrom: 0, validDays: 36_500)
        let server = try Program(
            Nghttpd.path,
            [
                "--address=127.0.0.1", "--echo-upload", "--max-concurrent-streams=\(streamLimit)",
                "0", try directory.write(identity.privateKeyPEM, to: "key.pem"),
                try directory.write(identity.certificatePEM, to: "certificate.pem"),
            ]
        ).start()
        defer {
            server.send(SIGKILL)
            server.waitForEnd()
        }

        var settings = ConnectionPool.Settings.patient
        settings.port = try await server.listeningPort()
        settings.trustedCAFile = try directory.write(authority.certificatePEM, to: "ca.pem")
        let pool = try ConnectionPool(settings)
        let requests = (0..<2_000).map {
            HTTP2Request.numbered($0, body: Array("push \($0)".utf8))
        }
        let outcomes = await pool.outcomes(of: requests)
        for (request, outcome) in zip(requests, outcomes) {
            #expect(try outcome.get().body == request.body)
        }
        await pool.shutdown(graceMilliseconds: 1_000)
    }
}
