/// All samples of a fault bench, and the figures computed from them.
struct FaultFindings: Sendable {
    let machine: Machine
    private(set) var samples: [FaultSample] = []

    init(machine: Machine) { self.machine = machine }

    mutating func add(_ sample: FaultSample) { samples.append(sample) }

    func report(_ settings: FaultBench.Settings) -> BenchReport {
        BenchReport(
            name: "faults", on: machine, "client and simulator in one process",
            conditions: [
                "\(settings.rounds) rounds, \(settings.seconds) s before each fault, as long with it, "
                    + "as long after it, by one client, with \(PushBench.Shape.connections) "
                    + "connections unless noted otherwise"
            ], figures: figures(), notes: notes())
    }

    // MARK: Figures

    /// Returns the figures with the targets of rule PR7.
    private func figures() -> [Figure?] {
        [
            figure(
                "goaway_ratio", "throughput, by the undisturbed one", .goAway, \.duringRatio,
                .atLeast(0.7)),
            figure(
                "goaway_in_turn_ratio", "the same", .goAwayInTurn, \.duringRatio, .atLeast(0.7)),
            // More GOAWAYs than slots can reconnect for: reported without a target.
            figure("goaway_4conn_ratio", "the same", .goAwayFew, \.duringRatio),
            figure("goaway_behind_ratio", "the same", .goAwayBehind, \.duringRatio),
            figure("goaway_twice_ratio", "the same", .goAwayTwice, \.duringRatio),
            figure(
                "unavailable_ratio", "responses, by the undisturbed ones", .unavailable,
                \.duringRatio
            ),
            figure(
                "too_many_p99_ratio", "the others' 99th percentile, by the undisturbed one",
                .tooMany, { $0.slowestPercentRatio }, .atMost(1.1)),
            figure(
                "too_many_p99_ms", "the undisturbed one, in ms", .tooMany,
                { $0.before.slowestPercent }),
            figure(
                "dead_connections_s", "seconds until the next push is accepted", .deadConnections,
                \.gapSeconds, .atMost(15)),
            figure(
                "new_tokens", "provider tokens signed for it", .expiredToken,
                { Double($0.tokensSigned) }, .atMost(1)),
            figure(
                "outage_heal_s", "seconds from its end to the first push", .outage, \.healSeconds),
            overall(
                "healed_ratio", "throughput after a fault, by that before: the worst of all",
                { $0.map(\.afterRatio).min() ?? 0 }),
            overall(
                "lost", "pushes of a round without a true outcome", Self.sum(\.lost), .atMost(0)),
            overall(
                "doubled", "pushes of a round that were accepted twice", Self.sum(\.doubled),
                .atMost(0)),
            figure(
                "undisturbed_per_s", "pushes/s before it", .goAway, \.before.rate),
        ]
    }

    private func figure(
        _ key: String, _ title: String, _ fault: BenchFault, _ value: (FaultSample) -> Double?,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        Figure(
            key, "\(fault.title): \(title)",
            of: samples.filter { $0.fault == fault }.map(value), target: target)
    }

    /// Returns a figure by round, over all faults.
    private func overall(
        _ key: String, _ title: String, _ value: ([FaultSample]) -> Double,
        _ target: Figure.Target? = nil
    ) -> Figure? {
        let kinds = BenchFault.allCases.count
        let rounds = stride(from: 0, to: samples.count, by: kinds).map { start in
            value(Array(samples[start..<min(start + kinds, samples.count)]))
        }
        return Figure(key, title, of: rounds, target: target)
    }

    private static func sum(_ path: KeyPath<FaultSample, Int>) -> ([FaultSample]) -> Double {
        { samples in Double(samples.reduce(0) { $0 + $1[keyPath: path] }) }
    }

    // MARK: Text

    private func notes() -> [String] {
        BenchFault.allCases.compactMap { fault in
            let counts = samples.filter { $0.fault == fault }.map(\.count)
            guard !counts.isEmpty else { return nil }
            func sum(_ path: KeyPath<FaultTally.Count, Int>) -> String {
                FigureText.number(Double(counts.reduce(0) { $0 + $1[keyPath: path] }))
            }
            return
                "\(fault.title): \(sum(\.submitted)) submitted, \(sum(\.accepted)) accepted, "
                + "\(sum(\.refused)) refused, \(sum(\.unknown)) unknown, "
                + "\(sum(\.notSent)) not sent."
        }
    }
}
