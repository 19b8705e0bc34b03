/// All samples of a game bench, and the figures computed from them.
struct GameFindings: Sendable {
    let machine: Machine
    private(set) var samples: [GameSample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ sample: GameSample) { samples.append(sample) }

    func report(_ settings: GameBench.Settings) -> BenchReport {
        BenchReport(
            name: "game", on: machine,
            "servers on core 0, wrk on core 1 with \(Wrk.many) connections; the engine in a process "
                + "of its own",
            conditions: [
                "\(settings.rounds) rounds, \(settings.seconds) s a figure, reads in turns with Go "
                    + "of a second; \(settings.parties) parties on the boards"
            ], figures: figures(settings))
    }

    /// Ratios are computed within a round, so that drifts in the machine's speed cancel out.
    private func figures(_ settings: GameBench.Settings) -> [Figure?] {
        let reads = GameSample.Read.allCases.map { read in
            figure("\(read.rawValue)_ratio_to_go", "`GET` of \(read.title): requests/s ÷ Go's") {
                $0.ratio(read)
            }
        }
        let writes = GameSample.Write.allCases.map { write in
            figure(
                "\(write.rawValue)_ratio_to_sqlite",
                "\(write.title): requests/s ÷ single-row commits of SQLite's shell"
            ) { $0.ratio(write) }
        }
        let costs =
            GameSample.Read.allCases.map { read in
                figure("\(read.rawValue)_cpu_us", "CPU µs a read of \(read.title)") {
                    $0.reads[read]?.ours.cpuMicroseconds
                }
            }
            + GameSample.Write.allCases.map { write in
                figure("\(write.rawValue)_cpu_us", "CPU µs: \(write.title)") {
                    $0.writes[write]?.cpuMicroseconds
                }
            }
        let adventures = FigureText.number(Double(settings.adventures))
        return reads + writes + costs + [
            figure("sqlite_commits_per_s", "single-row commits/s of SQLite's shell") { $0.commits },
            figure(
                "hero_steps_per_s", "engine alone on one core: steps of heroes/s",
                .atLeast(1_000_000)
            ) { $0.engine.heroStepsPerSecond },
            figure(
                "balance_s", "s for \(adventures) adventures of forest-quest with four players",
                .atMost(10)
            ) { $0.engine.balanceSeconds },
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ target: Figure.Target? = nil,
        _ value: (GameSample) -> Double?
    ) -> Figure? {
        Figure(key, title, of: samples.map(value), target: target)
    }
}
