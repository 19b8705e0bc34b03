/// One round of the API bench.
struct APISample: Hashable, Sendable {
    /// Our server's results.
    struct Ours: Hashable, Sendable {
        /// Reads of parties that are not in memory, over one connection.
        let cold: APIRun
        /// Repeated reads of one party.
        let get: APIRun
        /// One read of each party after a change.
        let fresh: APIRun
        let puts: APIRun
        let posts: APIRun
        let joins: APIRun
        let leaves: APIRun
    }

    let ours: Ours
    let goGet: APIRun
    let goFresh: APIRun
    let cGet: APIRun
    /// The size of the body of `get`.
    let bytes: Int
}

extension APISample: CustomStringConvertible {
    /// A progress line.
    var description: String {
        "\(Int(ours.get.rate)) reads/s (\(Int(goGet.rate)) by Go, \(Int(cGet.rate)) by C), "
            + "\(Int(ours.fresh.rate)) first reads/s (\(Int(goFresh.rate)) by Go), "
            + "\(Int(ours.puts.rate)) registrations/s, \(Int(ours.posts.rate)) players/s, "
            + "\(Int(ours.joins.rate)) joins/s, \(Int(ours.leaves.rate)) leaves/s"
    }
}

/// All samples of an API bench, and the figures computed from them.
struct APIFindings: Sendable {
    let machine: Machine
    private(set) var samples: [APISample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ sample: APISample) { samples.append(sample) }

    /// The registrations so far: the next ones have other names and tokens.
    var registered: Int { samples.reduce(0) { $0 + $1.ours.puts.requests } }

    func report(_ settings: APIBench.Settings) -> BenchReport {
        BenchReport(
            name: "api", on: machine,
            "servers on core 0, wrk on core 1 with \(Wrk.many) connections",
            conditions: [
                "\(settings.rounds) rounds, ours, Go and C in turns of a second or less, "
                    + "\(settings.seconds) s a figure; "
                    + "\(FigureText.number(Double(settings.parties))) parties that are read once each"
            ], figures: figures())
    }

    // MARK: Figures

    /// Returns the figures. Ratios are computed within a round, whose servers take turns, so that
    /// drifts in the machine's speed cancel out.
    private func figures() -> [Figure?] {
        [
            figure(
                "get_ratio_to_go", "`GET` of a party, unchanged: requests/s ÷ Go's",
                { $0.ours.get.rate / $0.goGet.rate }, .atLeast(1.2)),
            figure(
                "get_fresh_ratio_to_go",
                "`GET` of a party that has not been read since it changed: requests/s ÷ Go's",
                { $0.ours.fresh.rate / $0.goFresh.rate }, .atLeast(1)),
            figure(
                "get_cpu_ratio",
                "`GET` of a party, unchanged: CPU a request ÷ libmicrohttpd's in C",
                { $0.ours.get.cpuMicroseconds / $0.cGet.cpuMicroseconds }, .atMost(1.8)),
            figure("put_activity_per_s", "registrations of Live Activities/s", \.ours.puts.rate),
            figure("post_player_per_s", "registrations of players/s", \.ours.posts.rate),
            figure("join_per_s", "joins/s", \.ours.joins.rate),
            figure("durable_actions_per_s", "actions/s: heroes who leave", \.ours.leaves.rate),
            figure("get_per_s", "reads/s of a party, unchanged", \.ours.get.rate),
            figure("go_get_per_s", "Go's", \.goGet.rate),
            figure("c_get_per_s", "libmicrohttpd's in C", \.cGet.rate),
            figure("get_fresh_per_s", "first reads/s", \.ours.fresh.rate),
            figure("go_get_fresh_per_s", "Go's", \.goFresh.rate),
            figure("get_cpu_us", "CPU µs a read, unchanged", \.ours.get.cpuMicroseconds),
            figure("go_get_cpu_us", "Go's", \.goGet.cpuMicroseconds),
            figure("c_get_cpu_us", "libmicrohttpd's in C", \.cGet.cpuMicroseconds),
            figure("get_fresh_cpu_us", "CPU µs a first read", \.ours.fresh.cpuMicroseconds),
            figure("go_get_fresh_cpu_us", "Go's", \.goFresh.cpuMicroseconds),
            figure("put_activity_cpu_us", "CPU µs a registration", \.ours.puts.cpuMicroseconds),
            figure("join_cpu_us", "CPU µs a join", \.ours.joins.cpuMicroseconds),
            figure("action_cpu_us", "CPU µs an action", \.ours.leaves.cpuMicroseconds),
            figure(
                "get_cold_us", "µs from request to response of a party that is not in memory",
                { 1e6 / $0.ours.cold.rate }),
            figure("get_bytes", "bytes of the body that is read unchanged", { Double($0.bytes) }),
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ value: (APISample) -> Double,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        Figure(key, title, of: samples.map(value), target: target)
    }
}
