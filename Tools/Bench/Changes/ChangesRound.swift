/// What players change, by the rows that a server writes.
enum PlayerChange: String, CaseIterable, Sendable {
    /// A player registers.
    case player
    /// A Live Activity gets another push token.
    case activity
    /// A Live Activity is registered for the first time, by a player who has been in one party, so
    /// that its node asks no other.
    case newActivity = "new_activity"
    /// A hero joins a party, or leaves it.
    case membership

    /// pgbench's script.
    var script: String { rawValue + ".pgbench" }
    /// The changes of one run of the script.
    var changesPerRun: Int { self == .membership ? 2 : 1 }

    /// The target of the most nodes' rate ÷ pgbench's.
    var ratioMin: Double {
        switch self {
        case .player: 0.4
        case .activity: 0.12
        case .newActivity: 0.1
        case .membership: 0.15
        }
    }

    /// The name of several, in a figure's title.
    var title: String {
        switch self {
        case .player: "registrations of players"
        case .activity: "new push tokens of Live Activities"
        case .newActivity: "new Live Activities"
        case .membership: "joins and leaves"
        }
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

    /// - Parameters:
    ///   - count: The changes.
    ///   - seconds: How long they took.
    ///   - cpuSeconds: The nodes' or pgbench's user and system time.
    ///   - before: What the database had used before.
    ///   - after: What it has used now.
    init(
        of count: Int, in seconds: Double, cpuSeconds: Double,
        from before: DatabaseMeter.Reading, to after: DatabaseMeter.Reading
    ) {
        let count = Double(max(1, count))
        rate = count / seconds
        clientMicroseconds = cpuSeconds / count * 1e6
        databaseMicroseconds = (after.cpuSeconds - before.cpuSeconds) / count * 1e6
        logBytes = (after.logBytes - before.logBytes) / count
    }
}

/// One round of the bench: each kind of change by each number of nodes, and by pgbench; and reads
/// that a node forwards.
struct ChangesRound: Hashable, Sendable {
    private(set) var nodes: [Int: [PlayerChange: ChangeSample]] = [:]
    var reference: [PlayerChange: ChangeSample] = [:]
    var forwarding: ForwardingSample?

    mutating func add(_ samples: [PlayerChange: ChangeSample], ofNodes count: Int) {
        nodes[count] = samples
    }

    func sample(_ change: PlayerChange, _ nodes: Int) -> ChangeSample? {
        self.nodes[nodes]?[change]
    }

    /// A value of so many nodes ÷ pgbench's.
    func ratio(
        _ change: PlayerChange, _ nodes: Int, _ value: (ChangeSample) -> Double
    ) -> Double? {
        guard let ours = sample(change, nodes), let theirs = reference[change] else { return nil }
        return value(ours) / value(theirs)
    }

    /// A value of the most nodes ÷ one's.
    func growth(_ change: PlayerChange, _ value: (ChangeSample) -> Double) -> Double? {
        guard let one = sample(change, 1), let most = nodes.keys.max(),
            let many = sample(change, most)
        else { return nil }
        return value(many) / value(one)
    }
}

extension ChangesRound: CustomStringConvertible {
    /// A progress line.
    var description: String {
        let changes = PlayerChange.allCases.map { change in
            let rates = nodes.keys.sorted().compactMap { sample(change, $0)?.rate }
                .map { String(Int($0)) }.joined(separator: ", ")
            return "\(rates) \(change.title)/s (\(Int(reference[change]?.rate ?? 0)) by pgbench)"
        }
        return (changes + [forwarding].compactMap { $0?.description }).joined(separator: "; ")
    }
}
