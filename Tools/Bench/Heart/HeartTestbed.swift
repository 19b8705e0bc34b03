internal import Foundation
internal import Playtest
internal import PushLoad

/// Alternating runs of the heart and its reference, each in a process on one core.
final class HeartTestbed: Sendable {
    private let executable: String
    private let folder: TestbedFolder
    private let reference: String
    private let pack: String
    private let processes = PinnedProcesses()

    private static let runSeconds = 900
    /// Polls, 20 ms apart, until the parties must be ready.
    private static let pollsMax = 30_000

    /// Builds the reference.
    ///
    /// - Parameters:
    ///   - executable: `rangers-tools` itself.
    ///   - sources: The folder of the reference's source.
    ///   - pack: The adventure pack that the parties play.
    /// - Throws: When a tool is missing, in a sentence with its package.
    init(executable: String, sources: String, pack: String) async throws {
        try Tool.require([.gcc, .taskset])
        try References.require(folder: sources)
        self.executable = executable
        self.pack = pack
        folder = try TestbedFolder(nil)
        let output = URL(fileURLWithPath: folder.path)
        reference = try await References(folder: sources, output: output)
            .buildC(HeartReference.name, libraries: HeartReference.libraries)
        try Data((HeartReference.lines.joined(separator: "\n") + "\n").utf8)
            .write(to: URL(fileURLWithPath: sqlFile))
    }

    deinit { folder.removeIfTemporary() }

    private var sqlFile: String { folder.path + "/statements" }

    /// Ends all programs; called when the bench is interrupted.
    func abandon() { processes.abandon() }

    /// Runs the heart on a new file, and removes the file.
    func ours(
        _ mode: HeartRun.Mode, parties: Int, ticks: Int, batch: Int
    ) throws -> HeartSample {
        let file = newFile()
        defer { remove(file) }
        return try run(settings(mode, parties, ticks, batch, file))
    }

    /// Runs the heart, and the reference on its file, in batches of the same size.
    func duel(
        _ mode: HeartRun.Mode, parties: Int, ticks: Int, batch: Int
    ) throws -> HeartDuel {
        let file = newFile()
        defer { remove(file) }
        let ours = try run(settings(mode, parties, ticks, batch, file))
        let end = try processes.run(
            reference,
            HeartReference.arguments(
                file: file, sqlFile: sqlFile, ticks: ticks, batch: ours.batchSize),
            on: .server, outputFile: folder.path + "/reference", withinSeconds: Self.runSeconds)
        return HeartDuel(ours: ours, reference: try HeartSample(output: end.output))
    }

    /// Kills a run in the middle, and measures the start on its file.
    func restart(parties: Int) async throws -> HeartSample {
        let file = newFile()
        defer { remove(file) }
        let crashing = settings(.tick, parties, 100_000_000, 256, file)
        let process = try processes.start(
            executable, crashing.arguments, on: .server, outputFile: folder.path + "/crash")
        defer { processes.kill(process) }
        for _ in 0..<Self.pollsMax where !process.output.contains("ready") {
            try await Task.sleep(for: .milliseconds(20))
        }
        guard process.output.contains("ready") else {
            throw BenchError("\(parties) parties were not ready within ten minutes")
        }
        // Kills it in the middle of its work.
        try await Task.sleep(for: .seconds(1))
        processes.kill(process)
        return try run(settings(.start, parties, parties, 256, file))
    }

    private func settings(
        _ mode: HeartRun.Mode, _ parties: Int, _ ticks: Int, _ batch: Int, _ file: String
    ) -> HeartRun.Settings {
        var settings = HeartRun.Settings(
            parties: parties, ticks: ticks, batch: batch, mode: mode, data: file)
        settings.pack = pack
        return settings
    }

    private func run(_ settings: HeartRun.Settings) throws(BenchError) -> HeartSample {
        let end = try processes.run(
            executable, settings.arguments, on: .server, outputFile: folder.path + "/heart",
            withinSeconds: Self.runSeconds)
        return try HeartSample(output: end.output)
    }

    private func newFile() -> String { folder.path + "/\(UUID().uuidString).db" }

    private func remove(_ file: String) {
        for ending in ["", "-wal", "-shm"] {
            // Leftovers are removed with the folder.
            try? FileManager.default.removeItem(atPath: file + ending)
        }
    }
}
