/// What players change, by the rows that a server writes.
enum PlayerChange: String, CaseIterable, Sendable {
    /// A player registers.
    case player
    /// A Live Activity gets another push token.
    case activity
    /// A Live Activity is registered for the first time.
    case newActivity = "new_activity"
    /// A hero joins a party, or leaves it.
    case membership

    /// pgbench's script.
    var script: String { rawValue + ".pgbench" }
    /// The changes of one run of the script.
    var changesPerRun: Int { self == .membership ? 2 : 1 }

    /// The target of the most nodes' rate ÷ pgbench's.
    private var ratioMin: Double {
        switch self {
        case .player: 0.4
        case .activity: 0.12
        case .newActivity: 0.1
        case .membership: 0.15
        }
    }

    private var what: String {
        switch self {
        case .player: "registrations of players"
        case .activity: "new push tokens"
        case .newActivity: "new Live Activities"
        case .membership: "joins and leaves"
        }
    }

    /// Adds the figures of this change: by each number of nodes, and by pgbench.
    func add(_ nodes: [Int: ChangeSample], pgbench: ChangeSample, to findings: inout Findings) {
        let samples = nodes.sorted { $0.key < $1.key }
        guard let one = samples.first?.value, let most = samples.last else { return }
        for (count, sample) in samples {
            findings.add(
                "\(rawValue)_ratio_\(count)", sample.rate / pgbench.rate,
                "\(what)/s ÷ pgbench's, nodes: \(count)",
                count == most.key ? .atLeast(ratioMin) : nil)
        }
        findings.add(
            "\(rawValue)_growth", most.value.rate / one.rate, "\(what)/s, most nodes ÷ one")
        findings.add(
            "\(rawValue)_log_ratio", one.logBytes / pgbench.logBytes,
            "log of a change ÷ pgbench's, one node")
        for (count, sample) in samples {
            findings.add("\(rawValue)_per_s_\(count)", sample.rate, "\(what), nodes: \(count)")
            findings.add(
                "\(rawValue)_node_cpu_us_\(count)", sample.clientMicroseconds,
                "CPU of one, all nodes")
            findings.add(
                "\(rawValue)_database_cpu_us_\(count)", sample.databaseMicroseconds,
                "CPU of one, PostgreSQL")
        }
        findings.add("\(rawValue)_pgbench_per_s", pgbench.rate, "\(what), pgbench")
        findings.add(
            "\(rawValue)_pgbench_database_cpu_us", pgbench.databaseMicroseconds,
            "CPU of one, PostgreSQL with pgbench")
        findings.add("\(rawValue)_log_bytes", one.logBytes, "log of one, one node")
    }
}

/// The rate and cost of one kind of change: of all nodes together, or of pgbench.
struct ChangeSample: Hashable, Sendable {
    /// Changes per second.
    let rate: Double
    /// CPU of a change, of the nodes or of pgbench.
    let clientMicroseconds: Double
    /// CPU of a change, of all PostgreSQL's processes.
    let databaseMicroseconds: Double
    /// What a change adds to PostgreSQL's log.
    let logBytes: Double

    /// The database's readings are from before the changes and after them.
    init(
        of count: Int, in seconds: Double, cpuSeconds: Double, from before: DatabaseMeter.Reading,
        to after: DatabaseMeter.Reading
    ) {
        let count = Double(max(1, count))
        rate = count / seconds
        clientMicroseconds = cpuSeconds / count * 1e6
        databaseMicroseconds = (after.cpuSeconds - before.cpuSeconds) / count * 1e6
        logBytes = (after.logBytes - before.logBytes) / count
    }
}
