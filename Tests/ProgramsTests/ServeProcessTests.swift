import Foundation
import Glibc
import Programs
import Testing

/// PR16, PR17: the process of `rangers serve`, the program that this build has made.
@Suite("The process of rangers serve", .timeLimit(.minutes(2)))
struct ServeProcessTests {
    /// A folder for the program's files, gone with the test.
    private final class Folder {
        let path = NSTemporaryDirectory() + "/serve-" + UUID().uuidString

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws {
            let file = path + "/" + name
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            chmod(file, 0o600)
        }

        func program(_ more: String...) -> Program {
            let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let arguments = [
                "serve", "--data", path + "/rangers.db", "--admin-key-file", path + "/admin.key",
                "--apns-key", path + "/apns.p8", "--apns-key-id", "ABCDE12345",
                "--apns-team-id", "TEAM123456", "--bundle-id", "com.example.rangers",
            ]
            return Program(
                tests.deletingLastPathComponent().path + "/rangers", arguments + more)
        }
    }

    private static func text(_ file: String) -> String {
        (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    }

    @Test("PR17: core dumps are off before a key is read, and SIGPIPE does not end the process")
    func signals() async throws {
        let folder = try Folder()
        // The program waits for the writer of this pipe.
        try #require(mkfifo(folder.path + "/apns.p8", 0o600) == 0)
        let running = try folder.program().start()
        let process = "/proc/\(running.id)"
        let ignored = #/SigIgn:\s*([0-9a-f]+)/#
        var isIgnored = false
        while !isIgnored, running.isRunning, !Task.isCancelled {
            let mask = Self.text(process + "/status").firstMatch(of: ignored)?.1
            let signals = mask.flatMap { UInt64($0, radix: 16) } ?? 0
            isIgnored = signals >> UInt64(SIGPIPE - 1) & 1 == 1
            await Task.yield()
        }
        #expect(isIgnored)
        let limits = Self.text(process + "/limits")
        #expect(limits.contains(#/Max core file size +0 +0 /#))
        running.send(SIGPIPE)
        #expect(running.isRunning)
        running.send(SIGKILL)
        // Not that of SIGPIPE, which came first.
        #expect(running.waitForEnd().code == SIGKILL)
    }

    @Test("SIGTERM ends a start that waits for its database")
    func stopsWhileStarting() async throws {
        let folder = try Folder()
        try folder.write("admin.key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
        let key = try await Program(
            "/usr/bin/openssl",
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        ).printed(.printed)
        try folder.write("apns.p8", key.text)
        let port = try LoopbackPort.free()
        var program = folder.program("--listen", "127.0.0.1:0")
        program.arguments.replaceSubrange(
            1...2, with: ["--store", "postgresql://rangers@127.0.0.1:\(port)/rangers"])
        let log = folder.path + "/log"
        let descriptor = open(log, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        program.errors = .descriptor(descriptor)
        let running = try program.start()
        while !Self.text(log).contains("the store cannot be opened yet"), running.isRunning,
            !Task.isCancelled
        { await Task.yield() }
        running.send(SIGTERM)
        #expect(running.waitForEnd().code == 0, "\(Self.text(log))")
    }

    @Test(
        "PR16: unsafe settings end the program with a sentence",
        arguments: [
            (["--listen", "0.0.0.0:0"], "--listen"),
            (["--admin-listen", "[::]:0"], "--admin-listen"),
            (["--apns-ca", "/ca.pem"], "--apns-ca"),
            (["--behind-proxy", "10.0.0.1", "--trusted-clients", "10.0.0.1"], "--trusted-clients"),
        ])
    func refused(flags: [String], named: String) async throws {
        let folder = try Folder()
        try folder.write("apns.p8", "a key")
        try folder.write("admin.key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
        var program = folder.program()
        program.arguments += flags
        let printed = try await program.printed(.printed)
        #expect(printed.text.contains("\(named) is "), "\(printed.text)")
        #expect(printed.end != 0 && printed.end != nil)
    }

    @Test("PR16: files that others can read end the program with a sentence")
    func readable() async throws {
        for name in ["rangers.db", "apns.p8", "admin.key"] {
            let folder = try Folder()
            try folder.write("rangers.db", "")
            try folder.write("apns.p8", "a key")
            try folder.write("admin.key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
            chmod(folder.path + "/" + name, 0o644)
            let printed = try await folder.program().printed(.printed)
            #expect(printed.text.contains("chmod 600"), "\(name): \(printed.text)")
            #expect(printed.end != 0 && printed.end != nil)
        }
    }
}
