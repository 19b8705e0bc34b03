/// All samples of a cluster bench, and the figures computed from them.
struct DatabaseFindings: Sendable {
    let machine: Machine
    private(set) var rounds: [ClusterRound] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ round: ClusterRound) { rounds.append(round) }

    func report(_ settings: ClusterBench.Settings) -> BenchReport {
        BenchReport(
            name: "cluster", on: machine, "nodes and C on core 0, PostgreSQL on core 1",
            conditions: [
                "\(settings.rounds) rounds, SQLite, PostgreSQL and C in turns, "
                    + "\(FigureText.number(Double(settings.ticks))) ticks a run of "
                    + "\(FigureText.number(Double(settings.parties))) parties of four",
                "both databases sync at every commit; PostgreSQL makes no checkpoint meanwhile",
            ], figures: ratios() + growth() + costs() + nodes())
    }

    /// Ratios are computed within a round, so that drifts in the machine's speed cancel out.
    private func ratios() -> [Figure?] {
        [
            figure(
                "wall_ratio", "ticks/s over PostgreSQL ÷ in C", \.database.duel.wallRatio,
                .atLeast(0.18)),
            figure(
                "store_ratio", "rows/s of the store alone, without game and pushes ÷ in C",
                { $0.database.store.rate / $0.reference.rate }, .atLeast(0.5)),
            figure(
                "database_ratio", "the database's CPU of a tick ÷ with C",
                { $0.ours.databaseMicroseconds / $0.reference.databaseMicroseconds }),
            figure(
                "ticks_to_sqlite", "ticks/s over PostgreSQL ÷ over SQLite",
                { $0.ours.rate / $0.file.rate }),
            figure(
                "node_cpu_to_sqlite", "CPU of a tick, the node's over PostgreSQL ÷ over SQLite",
                { $0.ours.cpuMicroseconds / $0.file.cpuMicroseconds }),
        ]
    }

    /// From one node to the most.
    private func growth() -> [Figure?] {
        let nodes = ClusterBench.Shape.nodes.max() ?? 1
        return [
            figure(
                "node_growth", "CPU of a tick, the nodes', \(nodes) nodes ÷ one",
                { $0.growth(\.cpuMicroseconds) }, .atMost(1.1)),
            figure(
                "database_growth", "CPU of a tick, PostgreSQL's, \(nodes) nodes ÷ one",
                { $0.growth(\.databaseMicroseconds) }, .atMost(1.1)),
            figure(
                "log_growth", "bytes of log a tick, \(nodes) nodes ÷ one",
                { $0.growth(\.logBytesPerTick) }, .atMost(1.1)),
        ]
    }

    private func nodes() -> [Figure?] {
        ClusterBench.Shape.nodes.flatMap { nodes in
            [
                figure(
                    "node_cpu_us_\(nodes)", "CPU µs of a tick, all nodes, nodes: \(nodes)",
                    { $0.nodes[nodes]?.cpuMicroseconds }),
                figure(
                    "database_cpu_us_\(nodes)", "CPU µs of a tick, PostgreSQL, nodes: \(nodes)",
                    { $0.nodes[nodes]?.databaseMicroseconds }),
                figure(
                    "log_bytes_\(nodes)", "bytes of log a tick, nodes: \(nodes)",
                    { $0.nodes[nodes]?.logBytesPerTick }),
                figure(
                    "batch_\(nodes)", "ticks that shared a commit, nodes: \(nodes)",
                    { $0.nodes[nodes]?.batchSize }),
            ]
        }
    }

    private func costs() -> [Figure?] {
        [
            figure("sqlite_ticks_per_s", "ticks/s over SQLite", \.file.rate),
            figure("ticks_per_s", "ticks/s over PostgreSQL", \.ours.rate),
            figure(
                "store_rows_per_s", "rows of ticks/s of the store alone", \.database.store.rate),
            figure(
                "store_cpu_us", "CPU µs of a row, the store alone",
                \.database.store.cpuMicroseconds),
            figure("c_ticks_per_s", "rows of ticks/s in C", \.reference.rate),
            figure("sqlite_cpu_us", "CPU µs of a tick over SQLite", \.file.cpuMicroseconds),
            figure("node_cpu_us", "CPU µs of a tick, the node", \.ours.cpuMicroseconds),
            figure(
                "database_cpu_us", "CPU µs of a tick, PostgreSQL", \.ours.databaseMicroseconds),
            figure("c_cpu_us", "the client's in C", \.reference.cpuMicroseconds),
            figure(
                "c_database_cpu_us", "PostgreSQL's with C", \.reference.databaseMicroseconds),
            figure("log_bytes", "bytes of log a tick", \.ours.logBytesPerTick),
            figure("c_log_bytes", "the same with C", \.reference.logBytesPerTick),
            figure(
                "page_bytes", "bytes of whole pages that a party adds once after a checkpoint",
                \.database.pageBytesPerParty),
            figure(
                "pushes_per_tick", "pushes that a tick encodes",
                { Double($0.ours.pushes) / Double($0.ours.ticks) }),
            figure("payload_bytes", "bytes of a push's payload", \.ours.bytesPerPayload),
            figure("batch", "ticks that shared a commit", \.ours.batchSize),
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ value: (ClusterRound) -> Double?,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        Figure(key, title, of: rounds.map(value), target: target)
    }
}

/// `nil` unless both are known.
private func / (left: Double?, right: Double?) -> Double? {
    guard let left, let right else { return nil }
    return left / right
}
