/// All rounds of a bench of players' changes, and the figures computed from them.
struct ChangesFindings: Sendable {
    let machine: Machine
    private(set) var rounds: [ChangesRound] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ round: ChangesRound) { rounds.append(round) }

    func report(_ settings: ChangesBench.Settings) -> BenchReport {
        BenchReport(
            name: "changes", on: machine,
            "nodes, nginx and pgbench on core 0, PostgreSQL and wrk on core 1",
            conditions: [
                "\(settings.rounds) rounds, nodes and pgbench in turns, \(settings.seconds) s a "
                    + "figure; new Live Activities, joins and leaves once for each party",
                "\(FigureText.number(Double(settings.parties))) parties of four with a hero each who "
                    + "joins and leaves",
                "wrk has \(Wrk.many) connections, divided among the nodes; pgbench has "
                    + "\(PgBench.connections)",
                "nodes speak TLS with each other",
                "the database syncs at every commit and makes no checkpoint meanwhile",
            ], figures: PlayerChange.allCases.flatMap(figures) + forwarding)
    }

    /// Ratios are computed within a round, so that drifts in the machine's speed cancel out.
    private func figures(_ change: PlayerChange) -> [Figure?] {
        ratios(change) + rates(change) + costs(change)
    }

    private func ratios(_ change: PlayerChange) -> [Figure?] {
        let most = ChangesBench.Shape.nodes.max()
        return ChangesBench.Shape.nodes.map { nodes in
            figure(
                change, "ratio_\(nodes)", "\(change.title)/s ÷ pgbench's, nodes: \(nodes)",
                nodes == most ? .atLeast(change.ratioMin) : nil
            ) { $0.ratio(change, nodes, \.rate) }
        } + [
            figure(change, "growth", "the same, most nodes ÷ one") {
                $0.growth(change, \.rate)
            },
            figure(change, "log_ratio", "bytes of log a change ÷ pgbench's, one node") {
                $0.ratio(change, 1, \.logBytes)
            },
        ]
    }

    private func rates(_ change: PlayerChange) -> [Figure?] {
        ChangesBench.Shape.nodes.map { nodes in
            figure(change, "per_s_\(nodes)", "\(change.title)/s, nodes: \(nodes)") {
                $0.sample(change, nodes)?.rate
            }
        } + [
            figure(change, "pgbench_per_s", "pgbench's") { $0.reference[change]?.rate }
        ]
    }

    private func costs(_ change: PlayerChange) -> [Figure?] {
        ChangesBench.Shape.nodes.flatMap { nodes in
            [
                figure(change, "node_cpu_us_\(nodes)", "CPU µs, all nodes, nodes: \(nodes)") {
                    $0.sample(change, nodes)?.clientMicroseconds
                },
                figure(
                    change, "database_cpu_us_\(nodes)", "CPU µs, PostgreSQL, nodes: \(nodes)"
                ) { $0.sample(change, nodes)?.databaseMicroseconds },
            ]
        } + [
            figure(change, "pgbench_database_cpu_us", "CPU µs, PostgreSQL with pgbench") {
                $0.reference[change]?.databaseMicroseconds
            },
            figure(change, "log_bytes", "bytes of log, one node") {
                $0.sample(change, 1)?.logBytes
            },
        ]
    }

    // MARK: Forwarding

    private var forwarding: [Figure?] {
        [
            figure(
                "ratio", "reads/s that a node forwards ÷ those that nginx forwards",
                .atLeast(ForwardingSample.ratioMin)
            ) { $0.ratio(to: .nginx, \.rate) },
            figure("own_ratio", "reads/s that a node forwards ÷ those of its own parties") {
                $0.ratio(to: .own, \.rate)
            },
            figure("per_s", "reads/s, forwarded") { $0[.forwarded]?.rate },
            figure("nginx_per_s", "reads/s, forwarded by nginx") { $0[.nginx]?.rate },
            figure("own_per_s", "reads/s, of the node's own parties") { $0[.own]?.rate },
            figure("cpu_us", "CPU µs of a forwarded read, both nodes") {
                $0[.forwarded]?.microseconds
            },
            figure("entry_cpu_us", "CPU µs, the node that forwards") {
                $0[.forwarded]?.entryMicroseconds
            },
            figure("nginx_cpu_us", "CPU µs, nginx in its place") { $0[.nginx]?.entryMicroseconds },
            figure("own_cpu_us", "CPU µs of a read of an own party") { $0[.own]?.microseconds },
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ target: Figure.Target? = nil,
        _ value: (ForwardingSample) -> Double?
    ) -> Figure? {
        Figure(
            "forward_\(key)", title, of: rounds.map { $0.forwarding.flatMap(value) },
            target: target)
    }

    private func figure(
        _ change: PlayerChange, _ key: String, _ title: String, _ target: Figure.Target? = nil,
        _ value: (ChangesRound) -> Double?
    ) -> Figure? {
        Figure("\(change.rawValue)_\(key)", title, of: rounds.map(value), target: target)
    }
}
