import HTTP2Server
import APNsClient
import Foundation
import Programs
import Testing

/// A server of OpenSSL's own that says how TLS is spoken, and writes down what comes through it.
private final class ForeignServer {
    static let path = "/usr/bin/openssl"
    static var isInstalled: Bool { Program.isInstalled(path) }

    let pool: ConnectionPool
    private let server: RunningProgram
    private let directory: TemporaryDirectory
    /// Both ends of its input, where nothing is ever written: at its end it would stop.
    private let input = Pipe()
    private let output: FileHandle
    private var heard: String { "\(directory.path)/heard" }

    init(_ arguments: [String]) async throws {
        directory = try TemporaryDirectory()
        let authority = try PoolFixture.authority()
        let identity = try authority.issue(hosts: ["127.0.0.1"], validFrom: 0, validDays: 36_500)
        output = try FileHandle(
            forWritingTo: URL(fileURLWithPath: directory.write("", to: "heard")))
        var program = try Program(
            Self.path,
            [
                "s_server", "-quiet", "-accept", "127.0.0.1:0",
                "-key", directory.write(identity.privateKeyPEM, to: "key.pem"),
                "-cert", directory.write(identity.certificatePEM, to: "certificate.pem"),
            ] + arguments)
        program.input = .descriptor(input.fileHandleForReading.fileDescriptor)
        program.output = .descriptor(output.fileDescriptor)
        server = try program.start()
        var settings = ConnectionPool.Settings.patient
        do {
            settings.port = try await server.listeningPort()
        } catch {
            server.send(SIGKILL)
            server.waitForEnd()
            throw error
        }
        settings.trustedCAFile = try directory.write(authority.certificatePEM, to: "ca.pem")
        settings.queueWaitMaxMilliseconds = 500
        pool = try ConnectionPool(settings)
    }

    /// What a client has said inside of TLS.
    var plaintext: String {
        get throws {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: heard)), as: UTF8.self)
        }
    }

    /// Why a request does not get through, once the words are there or the client has failed in
    /// many other ways: on a busy machine its bound may pass before the first handshake.
    func failure(with words: String) async -> String {
        var text = ""
        for _ in 0..<40 where !text.contains(words) {
            guard case .failure(let failure) = await pool.outcome(of: .numbered(1)) else {
                return "it was answered"
            }
            text = "\(failure)"
        }
        return text
    }

    func stop() async {
        await pool.shutdown(graceMilliseconds: 0)
        server.send(SIGKILL)
        server.waitForEnd()
    }
}

@Suite(
    "Whose TLS the client speaks",
    .enabled(if: ForeignServer.isInstalled, "openssl is missing: apt-get install openssl"))
struct ForeignTLSTests {
    /// What comes first inside of TLS (RFC 9113 section 3.4).
    private static let preface = "PRI * HTTP/2.0"

    /// TLS 1.1 is not offered, so the peer itself has nothing to choose and says so.
    @Test("a peer that speaks no more than TLS 1.1 is not spoken to")
    func oldVersion() async throws {
        let server = try await ForeignServer([
            "-alpn", "h2", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0",
        ])
        let text = await server.failure(with: "alert protocol version")
        #expect(text.contains("alert protocol version"), "\(text)")
        #expect(try server.plaintext == "")
        await server.stop()
    }

    @Test("a peer that chooses no protocol by ALPN is refused for it, before any HTTP")
    func noALPN() async throws {
        let server = try await ForeignServer([])
        let text = await server.failure(with: "does not speak HTTP/2")
        #expect(text.contains("does not speak HTTP/2 (ALPN h2)"), "\(text)")
        #expect(try server.plaintext == "")
        await server.stop()
    }

    @Test("a peer that wants another protocol by ALPN is refused, before any HTTP")
    func otherALPN() async throws {
        let server = try await ForeignServer(["-alpn", "http/1.1"])
        let text = await server.failure(with: "TLS handshake")
        #expect(text.contains("TLS handshake"), "\(text)")
        #expect(try server.plaintext == "")
        await server.stop()
    }

    @Test("TLS 1.2 and 1.3 with h2 are spoken", arguments: ["-tls1_2", "-tls1_3"])
    func goodTLS(version: String) async throws {
        let server = try await ForeignServer(["-alpn", "h2", version])
        var heard = ""
        for _ in 0..<40 where !heard.hasPrefix(Self.preface) {
            _ = await server.pool.outcome(of: .numbered(1))
            heard = try server.plaintext
        }
        #expect(heard.hasPrefix(Self.preface))
        await server.stop()
    }
}
