internal import Playtest

/// The real server's results at one speed of the game.
struct LiveRun: Hashable, Sendable {
    let ticksPerSecond: Double
    /// Pushes that APNs accepted.
    let pushesPerSecond: Double
    /// The server's user and system time, in shares of a core.
    let busy: Double
    /// The time from an event's commit to the acceptance of its push, in milliseconds.
    let median: Double?
    let slowestPercent: Double?

    /// - Parameters:
    ///   - counted: The difference of `/metrics` over that time.
    ///   - seconds: The length of the run.
    ///   - cpuSeconds: The server's CPU time.
    init(_ counted: ServerMetrics, seconds: Double, cpuSeconds: Double) {
        let histogram = "rangers_tick_to_acceptance_seconds"
        ticksPerSecond = counted.count("rangers_ticks_total") / seconds
        pushesPerSecond =
            counted.count("rangers_pushes_total", with: "status=\"200\"") / seconds
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

/// One round of the live bench, as far as it was measured.
struct LiveSample: Hashable, Sendable {
    /// At game speed 1.
    var calm: LiveRun?
    /// At the server's maximum speed.
    var full: LiveRun?
    /// At half of these ticks.
    var half: LiveRun?
    /// The cost of owed pushes while APNs is down, in shares of a core.
    var outage: Double?
}

/// All samples of a live bench, and the figures computed from them.
struct LiveFindings: Sendable {
    let machine: Machine
    private(set) var samples: [LiveSample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ sample: LiveSample) { samples.append(sample) }

    func report(_ settings: LiveBench.Settings) -> BenchReport {
        let parties = FigureText.number(Double(settings.parties))
        return BenchReport(
            name: "live", on: machine, "server on core 0, trusting simulator on core 1",
            conditions: [
                "\(settings.rounds) rounds, \(settings.seconds) s a figure, \(parties) parties "
                    + "with four Live Activities each"
            ],
            figures: figures())
    }

    private func figures() -> [Figure?] {
        [
            figure("ticks_per_s", "ticks/s at saturation", \.full?.ticksPerSecond),
            figure("pushes_per_s", "accepted pushes/s at saturation", \.full?.pushesPerSecond),
            figure(
                "tick_cpu_us", "CPU µs a tick at saturation, TLS included",
                { sample in sample.full.map { $0.busy / $0.ticksPerSecond * 1e6 } }),
            figure("half_ticks_per_s", "ticks/s at half of that", \.half?.ticksPerSecond),
            figure("half_p50_ms", "ms from tick to acceptance, p50, at half", \.half?.median),
            figure("half_p99_ms", "p99", \.half?.slowestPercent),
            figure("calm_ticks_per_s", "ticks/s at game speed 1", \.calm?.ticksPerSecond),
            figure("calm_p50_ms", "ms from tick to acceptance, p50, at speed 1", \.calm?.median),
            figure("calm_p99_ms", "p99", \.calm?.slowestPercent),
            figure("calm_busy", "share of a core at game speed 1", \.calm?.busy),
            figure(
                "outage_busy",
                "APNs closed, game speed 1: share of a core beyond that of the adventures alone",
                \.outage, .atMost(0.01)),
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ value: (LiveSample) -> Double?,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        Figure(key, title, of: samples.map(value), target: target)
    }
}
