internal import Foundation
internal import Glibc
internal import Isolation
internal import Playtest
internal import Programs
internal import PushLoad

/// A node over a SQLite file, a node over PostgreSQL, and the reference over PostgreSQL, in turns.
///
/// Nodes and the reference run on core 0. PostgreSQL, which syncs its log at every commit, runs on
/// core 1 and belongs to the bench.
final class ClusterTestbed: Sendable {
    private let executable: String
    private let folder: TestbedFolder
    private let reference: String
    private let database: PinnedDatabase
    private let processes = PinnedProcesses()

    private static let runSeconds = 900

    /// Builds the reference and starts PostgreSQL.
    ///
    /// - Parameters:
    ///   - executable: `rangers-tools` itself.
    ///   - sources: The folder of the reference's source.
    /// - Throws: When a tool is missing, in a sentence with its package.
    init(executable: String, sources: String) async throws {
        try Tool.require([.gcc, .taskset])
        try References.require(folder: sources)
        self.executable = executable
        folder = try TestbedFolder(nil)
        reference = try await References(
            folder: sources, output: URL(fileURLWithPath: folder.path)
        ).buildC(
            ClusterReference.name, libraries: ClusterReference.libraries,
            headers: ClusterReference.headers)
        database = try await PinnedDatabase()
        try Data((ClusterReference.lines.joined(separator: "\n") + "\n").utf8)
            .write(to: URL(fileURLWithPath: sqlFile))
    }

    deinit { folder.removeIfTemporary() }

    private var sqlFile: String { folder.path + "/statements" }

    /// Ends all programs; called when the bench is interrupted.
    func abandon() { processes.abandon() }

    /// Runs a node on a new file.
    func file(parties: Int, ticks: Int) throws -> HeartSample {
        let file = folder.path + "/\(UUID().uuidString).db"
        defer {
            for ending in ["", "-wal", "-shm"] {
                // Leftovers are removed with the folder.
                try? FileManager.default.removeItem(atPath: file + ending)
            }
        }
        return try run(settings(parties, ticks, file))
    }

    /// Runs the store alone and a node, each on an empty database, and the reference on what the
    /// node left, in batches of the same size; then the reference once more, each party once after a
    /// checkpoint.
    func database(parties: Int, ticks: Int) async throws -> DatabaseRound {
        try await empty()
        var writing = self.settings(parties, ticks, database.uri)
        writing.mode = .write
        let store = try run(writing)
        try await empty()
        var settings = self.settings(parties, ticks, database.uri)
        settings.database = database.postmaster
        let ours = try run(settings)
        let plain = try await reference(ticks: ticks, batch: ours.batchSize)
        try await database.query("CHECKPOINT")
        let fresh = try await reference(ticks: parties, batch: ours.batchSize)
        return DatabaseRound(
            duel: HeartDuel(ours: ours, reference: plain), store: store,
            afterCheckpoint: fresh)
    }

    /// Runs nodes that share the database and the parties, all at the same time.
    func nodes(_ count: Int, parties: Int, ticks: Int) async throws -> HeartSample {
        try await empty()
        var settings = settings(parties, ticks, database.uri)
        (settings.database, settings.nodes) = (database.postmaster, count)
        return try run(settings)
    }

    private func empty() async throws {
        try await database.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CHECKPOINT")
    }

    /// Its reading of the parties counts as the database's work too.
    private func reference(ticks: Int, batch: Double) async throws -> HeartSample {
        let before = try await database.meter.before()
        let end = try processes.run(
            reference,
            ClusterReference.arguments(
                address: database.uri, sqlFile: sqlFile, ticks: ticks, batch: batch),
            on: .server, outputFile: folder.path + "/reference", withinSeconds: Self.runSeconds)
        let after = try await database.meter.after()
        var sample = try HeartSample(output: end.output)
        sample.note(before, after)
        return sample
    }

    private func settings(_ parties: Int, _ ticks: Int, _ data: String) -> HeartRun.Settings {
        var settings = HeartRun.Settings(
            parties: parties, ticks: ticks, batch: ClusterBench.Shape.batch, mode: .tick,
            data: data)
        settings.due = ClusterBench.Shape.due
        return settings
    }

    private func run(_ settings: HeartRun.Settings) throws(BenchError) -> HeartSample {
        let end = try processes.run(
            executable, settings.arguments, on: .server, outputFile: folder.path + "/heart",
            withinSeconds: Self.runSeconds)
        return try HeartSample(output: end.output)
    }
}
