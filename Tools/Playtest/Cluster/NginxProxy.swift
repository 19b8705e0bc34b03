internal import Foundation
internal import Isolation
internal import Programs

/// Debian's nginx in front of servers on this machine, with the ready file for servers.
package final class NginxProxy: Sendable {
    package static let program = "/usr/sbin/nginx"
    /// Looks whether it listens or has ended, 20 ms apart, before it is given up.
    private static let looksMax = 500

    package let port: UInt16
    private let folder: String
    private let running = Locked<RunningProgram?>(nil)

    /// From which address of this machine, 127.0.0.`host`, it connects to servers: they trust what it
    /// says, but not other programs here.
    package static let host: UInt8 = 2
    package static let address = "127.0.0.\(host)"

    /// Writes the file with what an operator changes, for a folder of its own and without TLS.
    package init(_ file: String, in folder: TestbedFolder) throws {
        port = try LoopbackPort.free()
        self.folder = folder.path + "/nginx"
        try FileManager.default.createDirectory(
            atPath: self.folder, withIntermediateDirectories: true)
        let text = try Self.changed(
            try Self.local(file),
            [
                ("listen 443 ssl http2;", "listen 127.0.0.1:\(port);"),
                ("ssl_certificate     /etc/ssl/rangers.pem;", ""),
                ("ssl_certificate_key /etc/ssl/rangers.key;", ""),
                ("proxy_http_version 1.1;", "proxy_http_version 1.1; proxy_bind \(Self.address);"),
            ])
        _ = try folder.write(text, as: "nginx/nginx.conf")
    }

    /// Returns the ready file for a folder of its own, with this machine as the network of game
    /// masters.
    package static func local(_ file: String) throws -> String {
        try changed(
            file,
            [
                ("user www-data;", geteuid() == 0 ? "user root;" : ""),
                ("/run/nginx.pid", "nginx.pid"), ("/var/log/nginx/error.log", "errors.log"),
                (
                    "access_log /var/log/nginx/access.log;",
                    """
                    access_log off;
                    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                    """
                ),
                ("listen [::]:443 ssl http2;", ""), ("allow 10.0.0.0/8;", "allow 127.0.0.0/8;"),
            ])
    }

    /// Returns the file with these changes, each of which it must have room for.
    package static func changed(
        _ file: String, _ changes: [(String, String)]
    ) throws(NginxFault) -> String {
        var text = file
        for (old, new) in changes {
            guard text.contains(old) else { throw NginxFault("nginx.conf has no '\(old)'") }
            text.replace(old, with: new)
        }
        return text
    }

    /// The arguments with which it runs.
    package var arguments: [String] {
        ["-p", folder, "-c", folder + "/nginx.conf", "-g", "daemon off;"]
    }

    package var url: String { "http://127.0.0.1:\(port)" }

    /// Starts it; returns when it listens.
    package func start() async throws {
        guard Program.isInstalled(Self.program) else {
            throw NginxFault("\(Self.program) is missing: run Scripts/setup test")
        }
        let check = try await Program(Self.program, arguments + ["-t"]).printed(.printed)
        guard check.end == 0 else { throw NginxFault("nginx refuses its file: \(check.text)") }
        let started = try Program(Self.program, arguments).start()
        running.withLock { $0 = started }
        for _ in 0..<Self.looksMax {
            if LoopbackPort.isOpen(port) { return }
            await pause()
        }
        throw NginxFault("nginx does not listen on port \(port)")
    }

    /// Kills all its processes.
    package func kill() {
        guard let master = running.withLock({ $0 }), master.isRunning else { return }
        let children = "/proc/\(master.id)/task/\(master.id)/children"
        let workers = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
        // It would start others in their place.
        master.send(SIGKILL)
        for worker in workers.split(separator: " ").compactMap({ Int32($0) }) {
            end(worker)
        }
        master.waitForEnd()
    }

    /// Ends it, with all connections.
    package func stop() async {
        guard let master = running.withLock({ $0 }) else { return }
        master.send(SIGTERM)
        for _ in 0..<Self.looksMax where master.isRunning { await pause() }
        kill()
    }

    private func pause() async {
        // The caller waits for it, in a cancelled task too.
        await Task { try? await Task.sleep(for: .milliseconds(20)) }.value
    }
}

private func end(_ process: Int32) { kill(process, SIGKILL) }

/// Why there is no nginx.
package struct NginxFault: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
