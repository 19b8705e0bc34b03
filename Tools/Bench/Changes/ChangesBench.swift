internal import Isolation
internal import PushLoad

/// `Scripts/bench changes`: what players change on several nodes over PostgreSQL, beside pgbench
/// with the same rows; and what a node that forwards a request adds to it, beside nginx.
package actor ChangesBench: RunnableBench {
    /// The amounts and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        /// The length of each measurement in a round.
        package var seconds = 5
        package var parties = 1_000
        /// The folder of wrk's script and pgbench's.
        package var references = References.folderDefault

        package init() {}
    }

    enum Shape {
        static let nodes = [1, 2, 4]
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: ChangesTestbed
    private let say: @Sendable (String) -> Void

    /// Starts a PostgreSQL.
    ///
    /// - Parameters:
    ///   - settings: The amounts and repetitions.
    ///   - rangers: The server's program, which is measured.
    ///   - tools: The simulator's program.
    ///   - say: Receives progress messages.
    /// - Throws: When a tool is missing, in a sentence with its package.
    package init(
        _ settings: Settings, rangers: String, tools: String,
        say: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.say = say
        testbed = try ChangesTestbed(
            await PinnedDatabase(), rangers: rangers, tools: tools, sources: settings.references,
            seconds: settings.seconds)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        say("creating \(settings.parties) parties")
        let parties = try await testbed.prepare(settings.parties)
        var findings = ChangesFindings(machine: .own)
        var next = settings.parties * PreparedParty.activities
        for number in 1...settings.rounds {
            var round = ChangesRound()
            for count in Shape.nodes {
                let measured = try await testbed.nodes(count, parties: parties, from: next)
                round.add(measured.samples, ofNodes: count)
                next = measured.next
            }
            round.forwarding = try await testbed.forwarding(of: parties)
            round.reference = try await testbed.reference()
            findings.add(round)
            say("round \(number): \(round)")
        }
        return findings.report(settings)
    }
}
