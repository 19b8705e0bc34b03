internal import Isolation
internal import PushLoad

/// `Scripts/bench heart`: the cost of a tick, an action and a Live Activity, compared with a C
/// program that writes the same bytes, on one core.
package actor HeartBench: RunnableBench {
    /// The amounts and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 5
        package var parties = 5_000
        /// The durable ticks of one run.
        package var ticks = 50_000
        package var extent = Extent.usual
        /// The folder of the reference's source.
        package var references = References.folderDefault
        /// The adventure pack that the parties play.
        package var pack = Self.packDefault

        package static let packDefault = "classic"

        package init() {}

        var ticksPerPartyAtScale: Int {
            max(1, min(Shape.scaleTicksPerParty, ticks / parties))
        }
    }

    /// The extent of the measurements.
    package enum Extent: Hashable, Sendable {
        case usual
        /// With many more parties, and starts after a crash.
        case scale
    }

    enum Shape {
        static let batch = 256
        /// The changes in one commit under light load.
        static let smallBatch = 4
        /// The party counts between which the slope of memory is measured.
        static let memoryParties = (few: 5_000, many: 20_000)
        static let scaleParties = [1_000, 10_000, 100_000]
        /// The ticks of each party at each of these sizes, at most: the same number, because the
        /// first ticks of an adventure send more pushes and write less than later ones.
        static let scaleTicksPerParty = 5
        /// The parties of a restart, with four Live Activities each.
        static let restartParties = 25_000
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: HeartTestbed
    private let say: @Sendable (String) -> Void

    /// Builds the reference.
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
        testbed = try await HeartTestbed(
            executable: executable, sources: settings.references, pack: settings.pack)
    }

    /// Ends the processes of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        var findings = HeartFindings(machine: .own)
        for round in 1...settings.rounds {
            let sample = try sample()
            findings.add(sample)
            say("round \(round): \(sample)")
            guard settings.extent == .scale else { continue }
            for parties in Shape.scaleParties {
                let duel = try scaleDuel(parties: parties)
                findings.add(duel, parties: parties)
                say("round \(round), \(parties) parties: \(duel)")
            }
            findings.add(restart: try await testbed.restart(parties: Shape.restartParties))
            say("round \(round): a start after a crash")
        }
        return findings.report(settings)
    }

    private func sample() throws -> HeartRound {
        HeartRound(
            tick: try duel(.tick, parties: settings.parties),
            small: try testbed.ours(
                .tick, parties: settings.parties, ticks: settings.ticks, batch: Shape.smallBatch),
            action: try duel(.action, parties: settings.parties),
            fold: try testbed.ours(
                .fold, parties: settings.parties, ticks: settings.ticks, batch: Shape.batch),
            few: try testbed.ours(
                .memory, parties: Shape.memoryParties.few, ticks: 1, batch: Shape.batch),
            many: try testbed.ours(
                .memory, parties: Shape.memoryParties.many, ticks: 1, batch: Shape.batch))
    }

    private func duel(_ mode: HeartRun.Mode, parties: Int) throws -> HeartDuel {
        try testbed.duel(
            mode, parties: parties, ticks: settings.ticks, batch: Shape.batch)
    }

    /// Each party has as many ticks at every size. So runs of few parties are short: returns the
    /// one with the median ratio of as many runs as have the usual ticks.
    private func scaleDuel(parties: Int) throws -> HeartDuel {
        let ticks = parties * settings.ticksPerPartyAtScale
        let duels = try (0..<max(1, settings.ticks / ticks)).map { _ in
            try testbed.duel(.tick, parties: parties, ticks: ticks, batch: Shape.batch)
        }
        return duels.sorted { $0.cpuRatio < $1.cpuRatio }[duels.count / 2]
    }
}
