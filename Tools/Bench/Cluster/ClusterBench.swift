package import OptionParsing

/// `Scripts/bench cluster`: nodes over PostgreSQL, in three tables: ticks, what players change, and
/// how nodes take over from one that is killed.
package struct ClusterBench: RunnableBench {
    package static let about = BenchAbout(
        name: "cluster", summary: "Nodes over PostgreSQL: ticks, players' changes, and a takeover",
        setting: "nodes, nginx and clients on core 0, PostgreSQL and wrk on core 1; nginx has 64 "
            + "connections for each node; the database syncs at "
            + "every commit and makes no checkpoint meanwhile; a takeover has all cores",
        rounds: .rounds(3), amounts: [HeartBench.ticksAmount, secondsAmount, partiesAmount],
        options: [
            Option("part", "ticks|changes|takeover", "The only table to measure; without it, all")
        ], tools: [.taskset, .gcc, .wrk, .nginx])

    private static let secondsAmount = Amount(
        "seconds", "Seconds of each kind of change", 5, quick: 1, in: 1...60)
    private static let partiesAmount = Amount(
        "parties", "Parties of a takeover; one in a hundred of them for changes", 100_000,
        quick: 2_000, in: 100...1_000_000)

    /// One of the tables.
    enum Part: String, CaseIterable, Sendable { case ticks, changes, takeover }

    let ticks: Int
    let seconds: Int
    let parties: Int
    let part: Part?

    package init(_ values: OptionValues) throws(OptionsError) {
        ticks = try HeartBench.ticksAmount.value(values)
        seconds = try Self.secondsAmount.value(values)
        parties = try Self.partiesAmount.value(values)
        part = try values.choice("part", of: Part.self)
    }

    package func measure(_ run: BenchRun) async throws {
        for part in part.map({ [$0] }) ?? Part.allCases {
            switch part {
            case .ticks: try await ClusterTicks(ticks: ticks).measure(run)
            case .changes:
                try await ClusterChanges(parties: max(100, parties / 100), seconds: seconds)
                    .measure(run)
            case .takeover: try await ClusterTakeover(parties: parties).measure(run)
            }
        }
    }
}
