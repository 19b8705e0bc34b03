import APNsClient
import Foundation
import HTTP2
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
            _ = server.waitForEnd()
        }

        var settings = ConnectionPool.Settings.patient
        settings.port = try await listeningPort(of: server)
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

    /// The port that the process listens on, from the kernel's tables; it was started with 0.
    private func listeningPort(of server: RunningProgram) async throws -> UInt16 {
        let folder = "/proc/\(server.id)"
        for _ in 0..<Self.looksMax where server.isRunning {
            let inodes = sockets(in: "\(folder)/fd")
            let table = whole("\(folder)/net/tcp")
            for line in table.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                // Local address, state (0A listens) and inode.
                guard fields.count > 9, fields[3] == "0A", inodes.contains(String(fields[9])),
                    let port = fields[1].split(separator: ":").last.flatMap({
                        UInt16($0, radix: 16)
                    })
                else { continue }
                return port
            }
            await Task.yield()
        }
        throw StartFailure()
    }

    /// Looks into the kernel's tables until a server that starts must listen.
    private static let looksMax = 100_000

    /// All of a kernel's file, which says that it has no bytes and comes page by page.
    private func whole(_ path: String) -> String {
        let data = try? FileHandle(forReadingAtPath: path)?.readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    private struct StartFailure: Error {}

    private func sockets(in folder: String) -> Set<String> {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap { name in
                guard
                    let target = try? manager.destinationOfSymbolicLink(
                        atPath: "\(folder)/\(name)"),
                    target.hasPrefix("socket:[")
                else { return nil }
                return String(target.dropFirst("socket:[".count).dropLast())
            })
    }
}
