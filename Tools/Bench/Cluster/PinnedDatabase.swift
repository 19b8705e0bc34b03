internal import Glibc
internal import Programs
internal import PushLoad

/// A throwaway PostgreSQL. It syncs its log at every commit, and makes no
/// checkpoint but the bench's.
final class PinnedDatabase: Sendable {
    let server: PostgreSQLServer
    /// The process that starts all others.
    let postmaster: pid_t

    /// Memory as for a server of its own.
    private static let lines = [
        "shared_buffers = 512MB", "max_wal_size = 32GB", "checkpoint_timeout = 1d",
    ]

    /// Starts it on a core.
    init(on core: PinnedProcess.Core = .client) async throws {
        var settings = PostgreSQLServer.Settings()
        settings.durability = .fsync
        settings.lines = Self.lines
        server = try PostgreSQLServer(settings)
        postmaster = try Self.postmaster(in: server.folder)
        for process in [postmaster] + DatabaseMeter.children(of: postmaster).map(\.id) {
            try await Self.pin(process, to: core)
        }
    }

    var uri: String { server.uri }
    var meter: DatabaseMeter { DatabaseMeter(postmaster, uri) }

    @discardableResult func query(_ statements: String) async throws -> String {
        try await server.query(statements)
    }

    /// Removes all tables, and writes a checkpoint.
    func empty() async throws {
        try await query(
            """
            DROP SCHEMA public CASCADE; CREATE SCHEMA public;
            DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench; CHECKPOINT
            """)
    }

    /// Returns the number that a query prints.
    func number(_ query: String) async throws -> Double {
        let text = try await self.query(query)
        guard let number = Double(text.filter { !$0.isWhitespace }) else {
            throw BenchError("PostgreSQL printed '\(text)' instead of a number: \(query)")
        }
        return number
    }

    /// Returns the process that the server's folder names.
    private static func postmaster(in folder: String) throws(BenchError) -> pid_t {
        let file = KernelFile.text(folder + "/data/postmaster.pid") ?? ""
        guard let id = file.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
            throw BenchError("PostgreSQL does not say which process it is")
        }
        return id
    }

    /// The process's own children follow it to the core.
    private static func pin(_ process: pid_t, to core: PinnedProcess.Core) async throws {
        let printed = try await Program(
            Tool.taskset.file() ?? "taskset", ["-a", "-c", "-p", core.list, "\(process)"]
        ).printed(.printed)
        guard printed.end == 0 else {
            throw BenchError("PostgreSQL could not be moved to \(core): \(printed.text)")
        }
    }
}
