internal import Isolation
internal import PushLoad

/// `Scripts/bench cluster`: what a tick costs over PostgreSQL, in the node and in the database,
/// beside a SQLite file and beside a C program that writes the same rows.
package actor ClusterBench: RunnableBench {
    /// The amounts and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        package var parties = 20_000
        /// The durable ticks of one run.
        package var ticks = 50_000
        /// The folder of the reference's source.
        package var references = References.folderDefault

        package init() {}
    }

    enum Shape {
        static let batch = 256
        static let nodes = [1, 2, 4]
        /// Due at each step of the clock: sixteen batches, so that pauses between steps are short.
        static let due = 16 * batch
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: ClusterTestbed
    private let say: @Sendable (String) -> Void

    /// Builds the reference, and starts a PostgreSQL.
    ///
    /// - Parameters:
    ///   - settings: The amounts and repetitions.
    ///   - executable: `rangers-tools` itself, which contains the server's modules.
    ///   - say: Receives progress messages.
    /// - Throws: When a tool is missing, in a sentence with its package.
    package init(
        _ settings: Settings, executable: String, say: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.say = say
        testbed = try await ClusterTestbed(executable: executable, sources: settings.references)
    }

    /// Ends the processes of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        var findings = DatabaseFindings(machine: .own)
        for round in 1...settings.rounds {
            let file = try testbed.file(parties: settings.parties, ticks: settings.ticks)
            let database = try await testbed.database(
                parties: settings.parties, ticks: settings.ticks)
            var nodes: [Int: HeartSample] = [:]
            for count in Shape.nodes {
                nodes[count] = try await testbed.nodes(
                    count, parties: settings.parties, ticks: settings.ticks)
            }
            let sample = ClusterRound(file: file, database: database, nodes: nodes)
            findings.add(sample)
            say("round \(round): \(sample)")
        }
        return findings.report(settings)
    }
}
