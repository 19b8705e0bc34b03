internal import PushLoad

/// pgbench with one of our scripts, over connections of its own and without a server before it.
struct PgBench: Sendable {
    /// About as many as write for players at the most nodes.
    static let connections = 16

    let script: String
    let address: String
    let seconds: Int
    /// The script's variables.
    let variables: [String: Int]

    /// The arguments: one thread, because it has one core, and no vacuum of tables that it does not
    /// find.
    var arguments: [String] {
        [
            "--no-vacuum", "--protocol=prepared", "--client=\(Self.connections)", "--jobs=1",
            "--time=\(seconds)", "--file=\(script)", "--define=clients=\(Self.connections)",
        ] + variables.sorted { $0.key < $1.key }.map { "--define=\($0.key)=\($0.value)" } + [
            address
        ]
    }
}

/// What pgbench prints.
struct PgBenchResult: Hashable, Sendable {
    /// The runs of the script.
    let runs: Int
    /// Runs per second, without the time in which it connects.
    let rate: Double

    /// - Throws: When a run failed, or the output is another.
    init(output: String) throws(BenchError) {
        func value(_ label: String) -> Substring? {
            output.split(separator: "\n").first { $0.hasPrefix(label) }?.dropFirst(label.count)
                .split(separator: " ").first
        }
        guard let runs = value("number of transactions actually processed:").flatMap({ Int($0) }),
            let failed = value("number of failed transactions:").flatMap({ Int($0) }),
            let rate = value("tps =").flatMap({ Double($0) }), rate > 0
        else { throw BenchError("pgbench did not print its result: \(output)") }
        guard failed == 0 else { throw BenchError("\(failed) of pgbench's runs failed") }
        (self.runs, self.rate) = (runs, rate)
    }
}
