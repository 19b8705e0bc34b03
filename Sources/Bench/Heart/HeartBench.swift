internal import Isolation
internal import PushLoad

/// `Scripts/bench heart`: what a tick, an action and a Live Activity cost, beside a program in C
/// that writes the same bytes, on one core.
package actor HeartBench {
    /// How much and how often.
    package struct Settings: Hashable, Sendable {
        package var rounds = 5
        package var parties = 5_000
        /// Durable ticks of one run.
        package var ticks = 50_000
        package var extent = Extent.usual
        /// Where the reference's source lies.
        package var references = References.folderDefault

        package init() {}
    }

    /// What is measured.
    package enum Extent: Hashable, Sendable {
        case usual
        /// Many more parties too, and starts after a crash.
        case scale
    }

    enum Shape {
        static let batch = 256
        /// Changes that share a commit when little is going on.
        static let smallBatch = 4
        /// Memory is the slope between these.
        static let memoryParties = (few: 5_000, many: 20_000)
        static let scaleParties = [1_000, 10_000, 100_000]
        /// With four Live Activities each.
        static let restartParties = 25_000
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let stage: HeartStage
    private let say: @Sendable (String) -> Void

    /// Builds the reference.
    ///
    /// - Parameters:
    ///   - settings: How much and how often.
    ///   - executable: `rangers` itself, which is measured.
    ///   - say: Hears what is being done.
    /// - Throws: When a tool is missing, in a sentence that names its package.
    package init(
        _ settings: Settings, executable: String, say: @escaping @Sendable (String) -> Void
    ) async throws {
        self.settings = settings
        self.say = say
        stage = try await HeartStage(executable: executable, sources: settings.references)
    }

    /// Ends the processes of a bench that is not waited for any more.
    package nonisolated func abandon() { stage.abandon() }

    /// Measures everything; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        var findings = HeartFindings(machine: .own)
        for round in 1...settings.rounds {
            let sample = try sample()
            findings.add(sample)
            say("round \(round): \(sample)")
            guard settings.extent == .scale else { continue }
            for parties in Shape.scaleParties {
                let duel = try duel(.tick, parties: parties)
                findings.add(duel, parties: parties)
                say("round \(round), \(parties) parties: \(duel)")
            }
            findings.add(restart: try await stage.restart(parties: Shape.restartParties))
            say("round \(round): a start after a crash")
        }
        return findings.report(settings)
    }

    private func sample() throws -> HeartRound {
        HeartRound(
            tick: try duel(.tick, parties: settings.parties),
            small: try stage.ours(
                .tick, parties: settings.parties, ticks: settings.ticks, batch: Shape.smallBatch),
            action: try duel(.action, parties: settings.parties),
            few: try stage.ours(
                .memory, parties: Shape.memoryParties.few, ticks: 1, batch: Shape.batch),
            many: try stage.ours(
                .memory, parties: Shape.memoryParties.many, ticks: 1, batch: Shape.batch))
    }

    private func duel(_ mode: HeartRun.Mode, parties: Int) throws -> HeartDuel {
        try stage.duel(
            mode, parties: parties, ticks: settings.ticks, batch: Shape.batch)
    }
}
