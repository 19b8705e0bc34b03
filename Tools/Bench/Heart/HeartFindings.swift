/// All samples of a heart bench, and the figures computed from them.
struct HeartFindings: Sendable {
    let machine: Machine
    private(set) var rounds: [HeartRound] = []
    /// The comparisons, by the number of parties.
    private(set) var scale: [Int: [HeartDuel]] = [:]
    private(set) var restarts: [HeartSample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ round: HeartRound) { rounds.append(round) }

    mutating func add(_ duel: HeartDuel, parties: Int) {
        scale[parties, default: []].append(duel)
    }

    mutating func add(restart: HeartSample) { restarts.append(restart) }

    func report(_ settings: HeartBench.Settings) -> BenchReport {
        BenchReport(
            name: "heart", on: machine, "everything on core 0",
            conditions: [
                "\(settings.rounds) rounds, ours and C in turns, "
                    + "\(FigureText.number(Double(settings.ticks))) ticks a run of "
                    + "\(FigureText.number(Double(settings.parties))) parties of four"
            ], figures: tickFigures() + costFigures() + scaleFigures() + restartFigures())
    }

    // MARK: Figures

    /// Returns the figures of ticks. Ratios are computed within a round, so that drifts in the
    /// machine's speed cancel out.
    private func tickFigures() -> [Figure?] {
        [
            figure("cpu_ratio", "CPU of a durable tick ÷ in C", \.tick.cpuRatio, .atMost(7)),
            figure("wall_ratio", "ticks/s ÷ in C", \.tick.wallRatio, .atLeast(0.18)),
            figure(
                "writer_ratio", "the writer's CPU of a tick ÷ in C", \.tick.writerRatio,
                .atMost(1.3)),
            figure(
                "action_ratio", "CPU of a durable action ÷ in C", \.action.cpuRatio, .atMost(10)),
            figure(
                "small_commit_ratio",
                "CPU of a tick, \(HeartBench.Shape.smallBatch) a commit ÷ "
                    + "\(HeartBench.Shape.batch) a commit",
                { $0.small.cpuMicroseconds / $0.tick.ours.cpuMicroseconds }, .atMost(2.5)),
            figure("ticks_per_s", "durable ticks/s", \.tick.ours.rate),
            figure(
                "bytes_per_activity", "bytes of memory a Live Activity", \.bytesPerActivity,
                .atMost(1_500)),
        ]
    }

    private func costFigures() -> [Figure?] {
        [
            figure("tick_cpu_us", "CPU µs of a tick", \.tick.ours.cpuMicroseconds),
            figure("c_tick_cpu_us", "the same in C", \.tick.reference.cpuMicroseconds),
            figure(
                "pushes_per_tick", "pushes that a tick encodes",
                \.tick.ours.pushesPerTick),
            figure("action_cpu_us", "CPU µs of an action", \.action.ours.cpuMicroseconds),
            figure("action_batch", "actions that shared a commit", \.action.ours.batchSize),
            figure(
                "fold_cpu_us", "CPU µs that retention spends on a tick's row, a month later",
                \.fold.cpuMicroseconds),
            figure(
                "fold_rows_per_s", "rows/s that retention folds without its pauses", \.fold.rate),
            figure("c_ticks_per_s", "ticks/s in C", \.tick.reference.rate),
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ value: (HeartRound) -> Double,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        Figure(key, title, of: rounds.map(value), target: target)
    }

    private func scaleFigures() -> [Figure?] {
        let sizes = scale.sorted { $0.key < $1.key }
        let each = sizes.flatMap { parties, duels in
            func figure(_ key: String, _ title: String, _ samples: [Double?]) -> Figure? {
                Figure(
                    "\(key)_\(parties)",
                    "\(title), \(FigureText.number(Double(parties))) parties", of: samples)
            }
            return [
                figure("cpu_ratio", "CPU of a tick ÷ in C", duels.map(\.cpuRatio)),
                figure("tick_cpu_us", "CPU µs of a tick", duels.map(\.ours.cpuMicroseconds)),
                figure("c_tick_cpu_us", "the same in C", duels.map(\.reference.cpuMicroseconds)),
                figure("pushes_per_tick", "pushes of a tick", duels.map(\.ours.pushesPerTick)),
                figure("rss_mb", "memory in MB", duels.map { Double($0.ours.residentBytes) / 1e6 }),
                figure("bytes_per_event", "growth of the file", duels.map(\.ours.bytesPerEvent)),
            ]
        }
        return each + [growth(sizes.map(\.value))]
    }

    /// Returns the ratio with the most parties divided by that with the fewest, by round.
    private func growth(_ sizes: [[HeartDuel]]) -> Figure? {
        guard let first = sizes.first, let last = sizes.last, sizes.count > 1 else { return nil }
        return Figure(
            "cpu_ratio_growth", "that ratio with the most parties ÷ with the fewest",
            of: zip(last, first).map { $0.cpuRatio / $1.cpuRatio }, target: .atMost(1.3))
    }

    private func restartFigures() -> [Figure?] {
        [
            Figure(
                "first_tick_s", "seconds from a start after a crash to the first due tick",
                of: restarts.map(\.firstTickSeconds), target: .atMost(1)),
            Figure(
                "last_tick_s", "to the last one's", of: restarts.map(\.lastTickSeconds),
                target: .atMost(5)),
        ]
    }
}

extension HeartSample {
    fileprivate var pushesPerTick: Double { Double(pushes) / Double(ticks) }

    /// `nil` if events were not counted.
    fileprivate var bytesPerEvent: Double? {
        guard let events, let fileBytesGrown, events > 0 else { return nil }
        return Double(fileBytesGrown) / Double(events)
    }
}
