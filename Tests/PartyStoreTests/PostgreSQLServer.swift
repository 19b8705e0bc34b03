import Foundation
import Glibc
import Isolation
import Programs

@testable import PartyStore

/// A PostgreSQL of this test run's own, in a temporary folder, reached through a Unix socket.
///
/// A shell keeps it, and stops and removes it when our end of its input closes: also after a crash.
final class PostgreSQLServer: Sendable {
    /// The one that the store's contract runs on.
    static let shared = Result { try PostgreSQLServer() }

    /// Debian keeps the programs of each version apart.
    private static let programs = "/usr/lib/postgresql/15/bin"
    /// What the shell does: as `postgres` if we are root, who may not run a server.
    private static let script = """
        bin=$0; folder=$1; cd /; umask 077
        as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres \
        --clear-groups "$@"; else "$@"; fi; }
        start() { as "$bin/pg_ctl" -w -s -t 60 -D "$folder/data" -l "$folder/log" -o \
        "-k $folder -c listen_addresses= -c fsync=off -c max_connections=200" start; }
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        as "$bin/initdb" -D "$folder/data" -A trust -U rangers -E UTF8 --no-sync \
        --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US >"$folder/initdb" 2>&1 \
        && start 2>>"$folder/initdb" && echo ready || echo wrong
        while read -r command; do
            case $command in
                crash) id=$(head -1 "$folder/data/postmaster.pid")
                    kill -9 "$id" $(ps -o pid= --ppid "$id") ;;
                start) until start 2>>"$folder/initdb"; do sleep 0.2; done ;;
                stop) as "$bin/pg_ctl" -w -s -m fast -D "$folder/data" stop ;;
            esac
            echo ready
        done
        as "$bin/pg_ctl" -w -s -m immediate -D "$folder/data" stop 2>/dev/null
        rm -rf "$folder"
        """

    private let folder: URL
    private let shell: RunningProgram
    private let commands: Int32
    private let answers: Int32

    /// Initializes a database cluster and starts it.
    init() throws {
        guard Program.isInstalled("\(Self.programs)/initdb") else {
            throw ServerFailure(description: "PostgreSQL is missing: run Scripts/setup test")
        }
        folder = URL(fileURLWithPath: "/tmp/rangers-postgres-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&input) == 0, pipe(&output) == 0 else {
            throw ServerFailure(description: "no pipe: \(errno)")
        }
        (commands, answers) = (input[1], output[0])
        for end in [commands, answers] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var program = Program("/bin/sh", ["-c", Self.script, Self.programs, folder.path])
        program.input = .descriptor(input[0])
        program.output = .descriptor(output[1])
        shell = try program.start()
        Glibc.close(input[0])
        Glibc.close(output[1])
        try waitUntilReady("start")
    }

    deinit {
        Glibc.close(commands)
        Glibc.close(answers)
        shell.waitForEnd()
    }

    /// Tells the shell what to do, and waits until it is done.
    func order(_ command: String) throws {
        let line = command + "\n"
        guard Glibc.write(commands, line, line.utf8.count) == line.utf8.count else {
            throw ServerFailure(description: "the shell of PostgreSQL is gone")
        }
        try waitUntilReady(command)
    }

    private func waitUntilReady(_ command: String) throws {
        var bytes = [UInt8](repeating: 0, count: 6)
        guard read(answers, &bytes, bytes.count) == bytes.count, bytes == Array("ready\n".utf8)
        else {
            let logs = ["initdb", "log"].map { name in
                (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
                    ?? ""
            }
            throw ServerFailure(description: "PostgreSQL: \(command) failed: \(logs)")
        }
    }

    /// Returns the address of a schema.
    func address(schema: String = "public") throws -> PostgreSQLAddress {
        try PostgreSQLAddress(
            "postgresql:///postgres?host=\(folder.path)&user=rangers"
                + "&options=-csearch_path%3D\(schema)")
    }

    /// Runs statements that an operator could run.
    func run(_ script: String) throws {
        try PostgreSQLLink(address()).run(script: script)
    }
}

struct ServerFailure: Error, CustomStringConvertible {
    let description: String
}
