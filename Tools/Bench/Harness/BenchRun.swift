internal import Isolation

/// One run of a bench: its testbed, its rounds and its findings.
package final class BenchRun {
    /// The figures of a round in its progress message.
    private static let toldMax = 8

    let testbed: BenchTestbed
    let rounds: Int
    var findings: Findings
    private let tell: @Sendable (String) -> Void

    init(
        in testbed: BenchTestbed, rounds: Int, _ findings: Findings,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.testbed = testbed
        self.rounds = rounds
        self.findings = findings
        self.tell = tell
    }

    func say(_ text: String) { tell(text) }

    /// Measures every round, and tells its first figures.
    func eachRound(_ measure: (Int) async throws -> Void) async throws {
        for round in 1...rounds {
            let before = findings.all
            try await measure(round)
            let told = findings.all.filter { finding in
                !before.contains { $0.key == finding.key && $0.samples == finding.samples }
            }.prefix(Self.toldMax).map { finding in
                "\(finding.key) \(FigureText.number(finding.samples.last ?? 0))"
            }
            say("round \(round): \(told.joined(separator: ", "))")
        }
    }

    /// Runs each of the works so many times in turns, within seconds, because a virtual machine's
    /// speed changes from one second to the next. Another one begins each time, because it leaves
    /// warm caches. Returns the results of each.
    static func inTurns<Value>(
        _ times: Int = 1, beginning first: Int = 0, _ works: (() throws -> Value)...
    ) throws -> [[Value]] {
        var results: [[Value]] = works.map { _ in [] }
        for time in first..<first + times {
            for offset in works.indices {
                let index = (offset + time) % works.count
                results[index].append(try works[index]())
            }
        }
        return results
    }
}

/// The thread of a bench, which blocks for minutes.
actor BenchThread {
    private let executor = QueueExecutor(label: "bench")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs the bench; returns the findings with its own.
    func measure(
        _ bench: any RunnableBench, in testbed: BenchTestbed, rounds: Int, _ findings: Findings,
        tell: @escaping @Sendable (String) -> Void
    ) async throws -> Findings {
        let run = BenchRun(in: testbed, rounds: rounds, findings, tell: tell)
        try await bench.measure(run)
        return run.findings
    }
}
