import Foundation
import Playtest
import Programs
import Testing

/// nginx in front of a server, as Resources/Operations/nginx.conf sets it up.
final class Proxy: Sendable {
    /// Where it serves the server.
    enum Place: CaseIterable {
        /// As the file does.
        case root
        /// At a path of its own, as docs/reference/operations.md describes.
        case path
    }

    let place: Place
    /// Chosen before the server starts, which must know its public URL.
    let port = Int.random(in: 20_000..<32_000)
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "proxy-\(UUID().uuidString)")
    private let program: String = "/usr/sbin/nginx"

    init(_ place: Place = .root) { self.place = place }

    var path: String { place == .root ? "/" : "/rangers/" }
    /// Without the slash at the end.
    var url: String { "https://localhost:\(port)" + path.dropLast() }

    /// The certificate, in PEM.
    var certificate: String {
        get throws {
            try String(contentsOf: folder.appending(path: "certificate.pem"), encoding: .utf8)
        }
    }

    /// Starts nginx; returns when it listens. `changes` are made of the file before.
    func start(to server: String, changing changes: [(String, String)] = []) async throws {
        try #require(Program.isInstalled(program), "nginx is missing: run Scripts/setup test")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let certificate = Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", "-keyout", file("key.pem"), "-out",
                file("certificate.pem"),
            ])
        #expect(try await certificate.printed().end == 0)
        let configuration = try configuration(server, changes)
        try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
        // It puts itself into the background once it listens.
        let started = Program(program, ["-p", folder.path, "-c", file("nginx.conf")])
        #expect(try await started.printed(.printed).end == 0)
    }

    func stop() async throws {
        let stopped = Program(
            program, ["-p", folder.path, "-c", file("nginx.conf"), "-s", "stop"])
        _ = try await stopped.printed()
        // nginx may still be deleting files there; the system cleans the temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }

    private func file(_ name: String) -> String { folder.appending(path: name).path }

    // MARK: The file

    /// Returns the file with what an operator changes, for a test's folder and ports.
    private func configuration(
        _ server: String, _ changes: [(String, String)]
    ) throws -> String {
        let file = String(
            decoding: try Repository.data("Resources/Operations/nginx.conf"), as: UTF8.self)
        let address = try #require(server.split(separator: "//").last)
        let own = [
            ("127.0.0.1:8080", String(address)),
            ("listen 443 ssl http2;", "listen 127.0.0.1:\(port) ssl http2;"),
            ("rangers.example.com", "localhost"),
            ("/etc/ssl/rangers.pem", "certificate.pem"), ("/etc/ssl/rangers.key", "key.pem"),
        ]
        return try atPlace(
            NginxProxy.changed(try NginxProxy.local(file), own + changes))
    }

    /// Returns the file with one location in place of its own, if there is a path.
    private func atPlace(_ text: String) throws -> String {
        guard place == .path else { return text }
        let start = try #require(text.range(of: "# Game masters, from their network only."))
        let end = try #require(text.range(of: "location / { return 404; }"))
        return text.replacingCharacters(
            in: start.lowerBound..<end.lowerBound,
            with: "location \(path) { proxy_pass http://rangers/; }\n")
    }
}
