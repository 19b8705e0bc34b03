import Foundation
import Glibc
import HTTP2
import HTTP2Server
import Programs
import Testing

/// curl, a client that nobody here wrote.
private enum Curl {
    static let path = "/usr/bin/curl"
    static var isInstalled: Bool { Program.isInstalled(path) }
}

@Suite("HTTP/2 server")
struct HTTP2ServerTests {
    /// A server with a fresh identity, and its CA's certificate.
    private func server(
        _ configure: (inout HTTP2Server.Settings) -> Void = { _ in },
        handler: @escaping HTTP2Server.Handler
    ) throws -> (server: HTTP2Server, authorityPEM: String) {
        let authority = try CertificateAuthority(
            commonName: "Test CA", validFrom: 0, validDays: 36_500)
        let identity = try authority.issue(
            hosts: ["localhost", "127.0.0.1"], validFrom: 0, validDays: 36_500)
        var settings = HTTP2Server.Settings(identity)
        configure(&settings)
        return (try HTTP2Server(settings, handler: handler), authority.certificatePEM)
    }

    /// Runs curl and returns what it printed.
    private func curl(_ arguments: [String]) async throws -> String {
        try await Program(
            Curl.path, ["--silent", "--show-error", "--max-time", "60"] + arguments
        ).printed(.printed).text
    }

    @Test(
        "curl is served over HTTP/2",
        .enabled(if: Curl.isInstalled, "curl is missing: apt-get install curl"))
    func servesCurl() async throws {
        let (server, authorityPEM) = try server { request, _ in
            .respond(
                HTTP2Response(
                    status: 201, headers: [HTTP2Header("x-topic", request.header("t") ?? "")],
                    body: Array("\(request.method) \(request.path) ".utf8) + request.body))
        }
        let file = NSTemporaryDirectory() + "/\(UUID().uuidString).pem"
        try Data(authorityPEM.utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let printed = try await curl([
            "--http2", "--cacert", file, "--header", "t: a topic", "--data", "hello",
            "--write-out", " %{http_version} %{http_code} %header{x-topic}",
            "https://localhost:\(server.port)/3/device/1",
        ])
        #expect(printed == "POST /3/device/1 hello 2 201 a topic")
        await server.stop(graceMilliseconds: 1_000)
    }

    @Test("Garbage instead of TLS ends that connection only", arguments: [1, 100, 20_000])
    func garbage(bytes: Int) async throws {
        // Noise may look like the beginning of a long record, which ends by time only.
        let (server, _) = try server({ $0.handshakeTimeoutMilliseconds = 200 }) { _, _ in .ignore }
        // A first byte that no TLS record begins with.
        let noise =
            [0xFF] + (1..<max(2, bytes)).map { UInt8(truncatingIfNeeded: $0 &* 40_503 >> 7) }
        #expect(try await RawClient.sends(noise, to: server.port) == .closedByServer)
        #expect(try await RawClient.sends(noise, to: server.port) == .closedByServer)
        await server.stop(graceMilliseconds: 0)
    }

    @Test("A client that never ends its handshake is cut off")
    func slowHandshake() async throws {
        let (server, _) = try server({ $0.handshakeTimeoutMilliseconds = 50 }) { _, _ in .ignore }
        #expect(try await RawClient.sends([], to: server.port) == .closedByServer)
        // The beginning of a ClientHello.
        #expect(
            try await RawClient.sends([0x16, 0x03, 0x01], to: server.port) == .closedByServer)
        await server.stop(graceMilliseconds: 0)
    }

    @Test("A client beyond the limit is cut off")
    func tooManyClients() async throws {
        let (server, _) = try server({ $0.connectionsMax = 0 }) { _, _ in .ignore }
        #expect(try await RawClient.sends([], to: server.port) == .closedByServer)
        await server.stop(graceMilliseconds: 0)
    }

    @Test("A stopped server gives its port back")
    func portIsFree() async throws {
        let (first, _) = try server { _, _ in .ignore }
        await first.stop(graceMilliseconds: 0)
        #expect(try await RawClient.sends([], to: first.port) == .refused)
        await first.stop(graceMilliseconds: 0)
    }

    @Test("A port that is taken and an identity that is none are said at once")
    func badStarts() async throws {
        let (first, _) = try server { _, _ in .ignore }
        #expect(throws: HTTP2ServerError.self) {
            _ = try server({ $0.port = first.port }) { _, _ in .ignore }
        }
        #expect(throws: HTTP2ServerError.self) {
            _ = try server({
                $0.identity = ServerIdentity(certificatePEM: "none", privateKeyPEM: "none")
            }) { _, _ in .ignore }
        }
        await first.stop(graceMilliseconds: 0)
    }
}

/// A TCP client without TLS.
private enum RawClient {
    enum End {
        case closedByServer, refused
    }

    /// Sends bytes and waits for the server to close, on a thread that may block.
    static func sends(_ bytes: [UInt8], to port: UInt16) async throws -> End {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: talk(bytes, port))
            }
        }
    }

    private static func talk(_ bytes: [UInt8], _ port: UInt16) -> End {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return .refused }
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var answer = [UInt8](repeating: 0, count: 4_096)
        // An alert may come first; then the end, or a reset.
        while recv(descriptor, &answer, answer.count, 0) > 0 {}
        return .closedByServer
    }
}
