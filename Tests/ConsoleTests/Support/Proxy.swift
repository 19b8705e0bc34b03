import Foundation
import Programs
import Testing

/// nginx in front of a server, with TLS and a path of its own, as docs/reference/operations.md
/// describes.
final class Proxy: Sendable {
    /// Chosen before the server starts, which must know its public URL.
    let port = Int.random(in: 20_000..<32_000)
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "proxy-\(UUID().uuidString)")
    private let program: String = "/usr/sbin/nginx"

    var url: String { "https://localhost:\(port)/rangers" }

    /// Starts nginx; returns when it listens.
    func start(to server: String) async throws {
        try #require(Program.isInstalled(program), "nginx is missing: run Scripts/setup test")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let certificate = Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-keyout", path("key.pem"), "-out", path("certificate.pem"),
            ])
        #expect(try await certificate.printed().end == 0)
        try Data(configuration(server).utf8).write(to: folder.appending(path: "nginx.conf"))
        // It puts itself into the background once it listens.
        let started = Program(program, ["-p", folder.path, "-c", path("nginx.conf")])
        #expect(try await started.printed(.printed).end == 0)
    }

    func stop() async throws {
        let stopped = Program(
            program, ["-p", folder.path, "-c", path("nginx.conf"), "-s", "stop"])
        _ = try await stopped.printed()
        // nginx may still be deleting files there; the system cleans the temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func configuration(_ server: String) -> String {
        """
        pid nginx.pid; error_log errors.log; worker_processes 1;
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi; scgi_temp_path scgi;
            server {
                listen 127.0.0.1:\(port) ssl;
                ssl_certificate certificate.pem; ssl_certificate_key key.pem;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $http_host;
                proxy_set_header Forwarded "for=$remote_addr";
                location /rangers/ { proxy_pass \(server)/; }
                location / { return 404; }
            }
        }
        """
    }
}
