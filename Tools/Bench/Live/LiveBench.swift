internal import Isolation
internal import Playtest
internal import PushLoad

/// `Scripts/bench live`: the real server on one core, from a due party to the acceptance of its
/// pushes by the simulator on the other.
package actor LiveBench: RunnableBench {
    /// The durations and repetitions.
    package struct Settings: Hashable, Sendable {
        package var rounds = 3
        /// The limit of each measurement.
        package var seconds = 10
        /// The parties, with four Live Activities each.
        package var parties = 2_500
        package var part = Part.all
        /// The folder of wrk's script.
        package var references = References.folderDefault

        package init() {}
    }

    /// What is measured.
    package enum Part: Hashable, Sendable {
        case all
        /// The cost of an outage only.
        case outage
    }

    private enum Shape {
        /// The factor between game speeds, until the server falls behind.
        static let step = 4.0
        static let speedMax = 4_096.0
        /// The least share of due ticks of a server that keeps up.
        static let keepingUp = 0.7
        /// Game seconds before a measurement: the classic quest's first step comes after 40 to 60,
        /// and its second after 80 or more.
        static let gameSecondsBefore = 45.0
        /// The limit of a measurement in game seconds, because adventures end.
        static let gameSecondsMax = 600.0
        /// The measured length of an outage: the adventures' own share of a core is small, and
        /// varies from second to second.
        static let outageSeconds = 60
    }

    private let executor = QueueExecutor(label: "bench")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: Settings
    private let testbed: ServerTestbed
    private let say: @Sendable (String) -> Void
    private var runs = 0

    /// - Parameters:
    ///   - settings: The durations and repetitions.
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
        testbed = try ServerTestbed(
            rangers: rangers, tools: tools, sources: settings.references)
    }

    /// Ends the servers and clients of an interrupted bench.
    package nonisolated func abandon() { testbed.abandon() }

    /// Runs all measurements; blocks its own executor for minutes.
    package func run() async throws -> BenchReport {
        var findings = LiveFindings(machine: .own)
        for round in 1...settings.rounds {
            var sample = LiveSample()
            if settings.part == .all {
                sample.calm = try await play(speed: 1)
                (sample.full, sample.half) = try await saturation()
            }
            let outage = try await outage()
            sample.outage = outage
            findings.add(sample)
            say("round \(round): an outage takes \(FigureText.number(outage * 100))% of a core")
        }
        return findings.report(settings)
    }

    /// Returns the server's maximum, found by increasing the game's speed, and half of it.
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
            throw BenchError("nothing happened in \(settings.seconds) s: increase --seconds")
        }
        let share = full.ticksPerSecond / 2 / kept.run.ticksPerSecond
        return (full, try await play(speed: max(1, kept.speed * share)))
    }

    /// Returns the cost of owed pushes while nothing listens on APNs' port, in shares of a core:
    /// with Live Activities, minus the same adventures without any.
    private func outage() async throws -> Double {
        let seconds = min(Shape.outageSeconds, settings.seconds * 6)
        let undisturbed = try await play(speed: 1, at: nil, activities: 0, seconds: seconds)
        let owed = try await play(speed: 1, at: nil, seconds: seconds)
        return owed.busy - undisturbed.busy
    }

    private func play(speed: Double) async throws -> LiveRun {
        let simulator = try testbed.simulateAPNs()
        defer { testbed.stop(simulator) }
        let seconds = min(settings.seconds, max(1, Int(Shape.gameSecondsMax / speed)))
        return try await play(speed: speed, at: simulator, seconds: seconds)
    }

    /// Plays new parties on a new file, whose adventures have just begun.
    private func play(
        speed: Double, at apns: PinnedServer?,
        activities: Int = PreparedParty.activities, seconds: Int
    ) async throws -> LiveRun {
        runs += 1
        let (server, creation) = try await testbed.serve(
            speed: speed, file: "live-\(runs).db", apns: apns)
        defer { testbed.stop(server) }
        let parties = try await creation.waiting(settings.parties)
        if activities > 0 {
            let registrations = PreparedParty.registrations(
                of: parties, from: 0, count: parties.count * activities)
            _ = try testbed.once(registrations, to: [server])
        }
        _ = try testbed.once(parties.map(\.start), to: [server])
        try await Task.sleep(for: .seconds(Shape.gameSecondsBefore / speed))
        let (before, cpu, began) = (
            try await creation.metrics(), server.cpuSeconds, Usage.now
        )
        try await Task.sleep(for: .seconds(seconds))
        let counted = try await creation.metrics().since(before)
        let run = LiveRun(
            counted, seconds: Usage.now - began, cpuSeconds: server.cpuSeconds - cpu)
        say("speed \(Int(speed)): \(run)")
        return run
    }
}
