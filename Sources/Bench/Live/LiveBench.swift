internal import Isolation
internal import PushLoad

/// `Scripts/bench live`: the real server on one core, from a due party to the acceptance of its
/// pushes by the simulator on the other.
package actor LiveBench {
    /// How long and how often.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        /// Of each measurement, at most.
        package var seconds = 10
        /// Of four Live Activities each.
        package var parties = 2_500
        /// Where wrk's script lies.
        package var references = References.folderDefault

        package init() {}
    }

    private enum Shape {
        /// From one speed of the game to the next, until the server falls behind.
        static let step = 4.0
        static let speedMax = 4_096.0
        /// Of the ticks that are due, those that a server keeps up with at least.
        static let keepingUp = 0.7
        /// Game seconds until every adventure has its first events.
        static let gameSecondsBefore = 30.0
        /// Game seconds of a measurement at most: adventures end.
        static let gameSecondsMax = 600.0
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let stage: ServerStage
    private let say: @Sendable (String) -> Void
    private var runs = 0

    /// - Parameters:
    ///   - settings: How long and how often.
    ///   - executable: `rangers` itself, which is measured.
    ///   - say: Hears what is being done.
    /// - Throws: When a tool is missing, in a sentence that names its package.
    package init(
        _ settings: Settings, executable: String, say: @escaping @Sendable (String) -> Void
    ) throws {
        self.settings = settings
        self.say = say
        stage = try ServerStage(executable: executable, sources: settings.references)
    }

    /// Ends the servers and clients of a bench that is not waited for any more.
    package nonisolated func abandon() { stage.abandon() }

    /// Measures everything; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        var findings = LiveFindings(machine: .own)
        for round in 1...settings.rounds {
            let calm = try await play(speed: 1)
            let (full, half) = try await saturation()
            findings.add(LiveSample(calm: calm, full: full, half: half))
            say("round \(round): \(Int(full.ticksPerSecond)) ticks/s at most")
        }
        return findings.report(settings)
    }

    /// The most that the server does, by faster and faster games, and half of it.
    private func saturation() async throws -> (full: LiveRun, half: LiveRun) {
        var speed = Shape.step
        var kept = (speed: speed, run: try await play(speed: speed))
        var full = kept.run
        while kept.run.ticksPerSecond > 0, kept.speed < Shape.speedMax {
            speed *= Shape.step
            let run = try await play(speed: speed)
            if run.ticksPerSecond > full.ticksPerSecond { full = run }
            let due = kept.run.ticksPerSecond * speed / kept.speed
            guard run.ticksPerSecond > Shape.keepingUp * due else { break }
            kept = (speed, run)
        }
        guard full.ticksPerSecond > 0 else {
            throw BenchError("nothing happened in \(settings.seconds) s: say more --seconds")
        }
        let share = full.ticksPerSecond / 2 / kept.run.ticksPerSecond
        return (full, try await play(speed: max(1, kept.speed * share)))
    }

    /// New parties on a new file, whose adventures have just begun.
    private func play(speed: Double) async throws -> LiveRun {
        runs += 1
        let simulator = try await stage.simulateAPNs()
        defer { stage.stop(simulator) }
        let (server, gathering) = try await stage.serve(
            speed: speed, file: "live-\(runs).db", apns: simulator)
        defer { stage.stop(server) }
        let parties = try await gathering.waiting(settings.parties)
        let registrations = PreparedParty.registrations(
            of: parties, from: 0, count: parties.count * PreparedParty.activities)
        _ = try stage.once(registrations, to: server)
        _ = try stage.once(parties.map(\.start), to: server)
        try await Task.sleep(for: .seconds(Shape.gameSecondsBefore / speed))
        let (before, cpu, began) = (
            try await gathering.metrics(), server.cpuSeconds, Usage.now
        )
        let seconds = min(Double(settings.seconds), max(1, Shape.gameSecondsMax / speed))
        try await Task.sleep(for: .seconds(seconds))
        let counted = try await gathering.metrics().since(before)
        let run = LiveRun(
            counted, seconds: Usage.now - began, cpuSeconds: server.cpuSeconds - cpu)
        say("speed \(Int(speed)): \(run)")
        return run
    }
}
