internal import Isolation
internal import PushLoad

/// `Scripts/bench takeover`: how long nodes take to start with many parties, to take over those of
/// one that is killed, and to give it its share when it is back.
package actor TakeoverBench: RunnableBench {
    /// The amounts and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        /// The parties of four, on an adventure.
        package var parties = 100_000

        package init() {}
    }

    enum Shape {
        static let nodes = 3
        /// The longest that a shard may be without an owner: its lease, and the looks of others.
        static let ownerlessSecondsMax = 8.0
        /// Between the moment when the nodes keep up and the kill: pushes have arrived by then.
        static let calm = Duration.seconds(5)
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: TakeoverTestbed
    private let say: @Sendable (String) -> Void

    /// Starts a PostgreSQL and the simulator.
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
    ) throws {
        self.settings = settings
        self.say = say
        testbed = try TakeoverTestbed(rangers: rangers, tools: tools)
    }

    /// Ends the simulator of an interrupted bench; the nodes end with it.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements.
    package func run() async throws -> BenchReport {
        defer { testbed.abandon() }
        var findings = TakeoverFindings(machine: .own)
        let bytesBefore = try await testbed.bytesOfEmptyNode()
        for round in 1...settings.rounds {
            try await testbed.seed(settings.parties)
            var sample = try await play()
            sample.bytesBefore = bytesBefore
            findings.add(sample)
            say("round \(round): \(sample)")
        }
        return findings.report(settings)
    }

    /// Starts all nodes at once. Kills the last one when they keep up, and starts it again.
    private func play() async throws -> TakeoverRound {
        var round = TakeoverRound(parties: settings.parties)
        let nodes = try testbed.nodes(Shape.nodes)
        do {
            let began = ContinuousClock.now
            let beganAt = testbed.now
            try await nodes.start()
            round.readySeconds = began.duration(to: .now) / .seconds(1)
            round.startSeconds = try await nodes.untilKeepingUp(
                parties: settings.parties, since: began
            ).keepsUpSeconds
            round.firstTickSeconds = try await testbed.firstTick(since: beganAt)
            try await Task.sleep(for: Shape.calm)
            round.bytes = nodes.residentBytes
            try await kill(in: nodes, &round)
            try await Task.sleep(for: Shape.calm)
            try await startAgain(in: nodes, &round)
        } catch {
            await nodes.stop()
            throw error
        }
        await nodes.stop()
        return round
    }

    private func kill(in nodes: TakeoverNodes, _ round: inout TakeoverRound) async throws {
        round.lostParties = try await testbed.note(lost: nodes.lastName)
        round.readSeconds = try await testbed.secondsToReadLost()
        let parties = try await nodes.partiesInMemory()
        let began = ContinuousClock.now
        let killedAt = testbed.now
        try await nodes.killLast()
        round.takeover = try await nodes.untilKeepingUp(parties: parties, since: began)
        round.firstLostTickSeconds = try await testbed.firstLostTick(since: killedAt)
    }

    /// Starts the killed node, which gets its share of what the others have.
    private func startAgain(in nodes: TakeoverNodes, _ round: inout TakeoverRound) async throws {
        let parties = try await nodes.partiesInMemory()
        try await nodes.startLast()
        round.giftSeconds = try await nodes.untilKeepingUp(
            parties: parties, since: ContinuousClock.now
        ).keepsUpSeconds
    }
}
