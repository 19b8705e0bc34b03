package import OptionParsing
internal import Playtest
internal import PushLoad

/// `Scripts/bench live`: the real server on one core, from a due party to the acceptance of its
/// pushes by the simulator on the other.
package struct LiveBench: RunnableBench {
    package static let about = BenchAbout(
        name: "live", summary: "The real server, from a due party to the acceptance of its pushes",
        setting: "server on core 0, trusting simulator on core 1", rounds: .rounds(3),
        amounts: [secondsAmount, partiesAmount],
        options: [.toggle("outage", "Measure the cost of an outage only")], tools: [.taskset, .wrk])

    private static let secondsAmount = Amount(
        "seconds", "Seconds of each measurement, at most", 10, quick: 2, in: 1...600)
    private static let partiesAmount = Amount(
        "parties", "Parties, with four Live Activities each", 2_500, quick: 200, in: 1...100_000)

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

    let seconds: Int
    let parties: Int
    let onlyOutage: Bool

    package init(_ values: OptionValues) throws(OptionsError) {
        seconds = try Self.secondsAmount.value(values)
        parties = try Self.partiesAmount.value(values)
        onlyOutage = values.isOn("outage")
    }

    package func measure(_ run: BenchRun) async throws {
        try await run.eachRound { _ in
            if !onlyOutage {
                let calm = try await play(speed: 1, run)
                let (full, half) = try await saturation(run)
                Self.add(calm: calm, full: full, half: half, to: &run.findings)
            }
            run.findings.add(
                "outage_busy", try await outage(run),
                "of a core beyond that of the adventures, at speed 1 with APNs closed",
                .atMost(0.01))
        }
    }

    static func add(calm: LiveRun, full: LiveRun, half: LiveRun, to findings: inout Findings) {
        findings.add("ticks_per_s", full.ticksPerSecond, "ticks at saturation")
        findings.add("pushes_per_s", full.pushesPerSecond, "accepted pushes at saturation")
        findings.add(
            "tick_cpu_us", full.busy / full.ticksPerSecond * 1e6,
            "CPU of a tick at saturation, TLS included")
        for (key, run, what) in [("half", half, "at half of that"), ("calm", calm, "at speed 1")] {
            findings.add("\(key)_ticks_per_s", run.ticksPerSecond, "ticks \(what)")
            findings.add("\(key)_p50_ms", run.median, "of a push's latency, p50, \(what)")
            findings.add("\(key)_p99_ms", run.slowestPercent, "the same, p99")
        }
        findings.add("calm_busy", calm.busy, "of a core at speed 1")
    }

    /// Returns the server's maximum, found by increasing the game's speed, and half of it.
    private func saturation(_ run: BenchRun) async throws -> (full: LiveRun, half: LiveRun) {
        var speed = Shape.step
        var kept = (speed: speed, run: try await play(speed: speed, run))
        var full = kept.run
        while kept.run.ticksPerSecond > 0, kept.speed < Shape.speedMax {
            speed *= Shape.step
            let next = try await play(speed: speed, run)
            if next.ticksPerSecond > full.ticksPerSecond { full = next }
            let due = kept.run.ticksPerSecond * speed / kept.speed
            guard next.ticksPerSecond > Shape.keepingUp * due else { break }
            kept = (speed, next)
        }
        guard full.ticksPerSecond > 0 else {
            throw BenchError("nothing happened in \(seconds) s: increase --seconds")
        }
        let share = full.ticksPerSecond / 2 / kept.run.ticksPerSecond
        return (full, try await play(speed: max(1, kept.speed * share), run))
    }

    /// Returns the cost of owed pushes while nothing listens on APNs' port, in shares of a core:
    /// with Live Activities, minus the same adventures without any.
    private func outage(_ run: BenchRun) async throws -> Double {
        let seconds = min(Shape.outageSeconds, seconds * 6)
        let undisturbed = try await play(speed: 1, activities: 0, seconds: seconds, run)
        let owed = try await play(
            speed: 1, activities: PreparedParty.activities, seconds: seconds, run)
        return owed.busy - undisturbed.busy
    }

    private func play(speed: Double, _ run: BenchRun) async throws -> LiveRun {
        let simulator = try run.testbed.simulateAPNs()
        defer { run.testbed.stop(simulator) }
        return try await play(
            speed: speed, at: simulator, activities: PreparedParty.activities,
            seconds: min(seconds, max(1, Int(Shape.gameSecondsMax / speed))), run)
    }

    /// Plays new parties on a new file, whose adventures have just begun.
    private func play(
        speed: Double, at apns: PinnedServer? = nil, activities: Int, seconds: Int, _ run: BenchRun
    ) async throws -> LiveRun {
        let testbed = run.testbed
        var settings = GameServer.Settings(store: ["--data", testbed.newFile(".db")])
        (settings.speed, settings.apns) = (speed, apns?.port)
        let game = try await GameServer.start(settings, in: testbed)
        defer { testbed.stop(game.server) }
        let parties = try await game.creation.waiting(self.parties)
        if activities > 0 {
            let registrations = PreparedParty.registrations(
                of: parties, from: 0, count: parties.count * activities)
            try testbed.once(registrations, to: game.server.target)
        }
        try testbed.once(parties.map(\.start), to: game.server.target)
        try await Task.sleep(for: .seconds(Shape.gameSecondsBefore / speed))
        let (before, cpu, began) = (
            try await game.creation.metrics(), game.server.cpuSeconds, Usage.now
        )
        try await Task.sleep(for: .seconds(seconds))
        let counted = try await game.creation.metrics().since(before)
        let live = LiveRun(
            counted, seconds: Usage.now - began, cpuSeconds: game.server.cpuSeconds - cpu)
        run.say("speed \(Int(speed)): \(live)")
        return live
    }
}

/// The real server's results at one speed of the game.
struct LiveRun: Hashable, Sendable {
    let ticksPerSecond: Double
    /// Pushes that APNs accepted.
    let pushesPerSecond: Double
    /// The server's user and system time, in shares of a core.
    let busy: Double
    /// The time from when a push may leave to its acceptance, in milliseconds.
    let median: Double?
    let slowestPercent: Double?

    /// `counted` is the difference of `/metrics` over that time.
    init(_ counted: ServerMetrics, seconds: Double, cpuSeconds: Double) {
        let histogram = "rangers_push_latency_seconds"
        ticksPerSecond = counted.count("rangers_ticks_total") / seconds
        pushesPerSecond = counted.count("rangers_pushes_total", with: "status=\"200\"") / seconds
        busy = cpuSeconds / seconds
        median = counted.quantile(0.5, of: histogram).map { $0 * 1_000 }
        slowestPercent = counted.quantile(0.99, of: histogram).map { $0 * 1_000 }
    }
}

extension LiveRun: CustomStringConvertible {
    /// A progress line.
    var description: String {
        "\(Int(ticksPerSecond)) ticks/s, \(Int(pushesPerSecond)) pushes/s, core "
            + "\(Int((busy * 100).rounded()))% busy, p50 \(FigureText.number(median ?? 0)) ms, "
            + "p99 \(FigureText.number(slowestPercent ?? 0)) ms"
    }
}
