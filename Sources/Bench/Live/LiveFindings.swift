/// What the real server did at one speed of the game.
struct LiveRun: Hashable, Sendable {
    let ticksPerSecond: Double
    /// That APNs accepted.
    let pushesPerSecond: Double
    /// The server's user and system time, in shares of a core.
    let busy: Double
    /// From an event's commit to the acceptance of its push, in milliseconds.
    let median: Double?
    let slowestPercent: Double?

    /// - Parameters:
    ///   - counted: What `/metrics` counted meanwhile.
    ///   - seconds: How long.
    ///   - cpuSeconds: The server's.
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
    /// A line for the person who waits for the table.
    var description: String {
        "\(Int(ticksPerSecond)) ticks/s, \(Int(pushesPerSecond)) pushes/s, core "
            + "\(Int((busy * 100).rounded()))% busy, p50 \(FigureText.number(median ?? 0)) ms, "
            + "p99 \(FigureText.number(slowestPercent ?? 0)) ms"
    }
}

/// One round of the live bench.
struct LiveSample: Hashable, Sendable {
    /// At game speed 1.
    let calm: LiveRun
    /// As fast as the server goes.
    let full: LiveRun
    /// With half of these ticks.
    let half: LiveRun
}

/// All samples of a run of the live bench, and what they mean.
struct LiveFindings: Sendable {
    let machine: Machine
    private(set) var samples: [LiveSample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ sample: LiveSample) { samples.append(sample) }

    func report(_ settings: LiveBench.Settings) -> BenchReport {
        let parties = FigureText.number(Double(settings.parties))
        return BenchReport(
            name: "live",
            conditions: [
                "\(machine.processor), \(machine.cores) cores, \(machine.kernel); server on core "
                    + "0, simulator on core 1",
                "\(settings.rounds) rounds, \(settings.seconds) s a figure, \(parties) parties "
                    + "with four Live Activities each",
            ],
            figures: figures(), notes: [machine.disturbance].compactMap { $0 })
    }

    private func figures() -> [Figure] {
        [
            figure("ticks_per_s", "ticks/s at saturation", \.full.ticksPerSecond),
            figure("pushes_per_s", "accepted pushes/s at saturation", \.full.pushesPerSecond),
            figure(
                "tick_cpu_us", "CPU µs a tick at saturation, TLS included",
                { $0.full.busy / $0.full.ticksPerSecond * 1e6 }),
            figure("half_ticks_per_s", "ticks/s at half of that", \.half.ticksPerSecond),
            figure("half_p50_ms", "ms from tick to acceptance, p50, at half", \.half.median),
            figure("half_p99_ms", "p99", \.half.slowestPercent),
            figure("calm_ticks_per_s", "ticks/s at game speed 1", \.calm.ticksPerSecond),
            figure("calm_p50_ms", "ms from tick to acceptance, p50, at speed 1", \.calm.median),
            figure("calm_p99_ms", "p99", \.calm.slowestPercent),
            figure("calm_busy", "share of a core at game speed 1", \.calm.busy),
        ].compactMap { $0 }
    }

    private func figure(
        _ key: String, _ title: String, _ value: (LiveSample) -> Double?
    ) -> Figure? {
        Spread(samples.compactMap(value)).map { Figure(key, title, $0) }
    }
}
