package import OptionParsing

/// `Scripts/bench outage`: outages of APNs in virtual time, each with all of its Live Activities
/// owed (promise PR6).
package struct OutageBench: RunnableBench {
    package static let about = BenchAbout(
        name: "outage", summary: "Outages of APNs in virtual time, with all Live Activities owed",
        setting: "in one process, in virtual time", rounds: .rounds(1),
        amounts: [secondsAmount, partiesAmount],
        options: [
            Option(
                "kind", OutageRun.Kind.allCases.map(\.rawValue).joined(separator: "|"),
                "What APNs does; without it, one after another")
        ])

    private static let secondsAmount = Amount(
        "seconds", "The length of an outage", 3_600, quick: 200, in: 120...100_000)
    private static let partiesAmount = Amount(
        "parties", "Parties, with four Live Activities each", 25_000, quick: 250, in: 1...100_000)

    let seconds: Int
    let parties: Int
    let kinds: [OutageRun.Kind]

    package init(_ values: OptionValues) throws(OptionsError) {
        seconds = try Self.secondsAmount.value(values)
        parties = try Self.partiesAmount.value(values)
        kinds =
            try values.choice("kind", of: OutageRun.Kind.self).map { [$0] }
            ?? OutageRun.Kind.allCases
    }

    /// Takes some minutes for each hour.
    package func measure(_ run: BenchRun) async throws {
        try await run.eachRound { _ in
            for kind in kinds {
                let sample = try await run.testbed.withDatabaseFile { file in
                    try await OutageRun.measure(
                        OutageRun.Settings(
                            parties: parties, seconds: Int64(seconds), kind: kind, data: file))
                }
                sample.add(to: &run.findings)
            }
        }
    }
}

extension OutageSample {
    func add(to findings: inout Findings) {
        func add(_ key: String, _ value: Double, _ what: String, _ target: Finding.Target?) {
            findings.add("\(kind.rawValue)_\(key)", value, what, target)
        }
        // Content that got a 5xx waits for 15 minutes (PR8), if nothing newer happens.
        let isPatient = kind == .unavailable
        add("tries", triesPerMinute, "pushes a minute that reach the host meanwhile", .atMost(60))
        add(
            "tries_apart_s", Double(longestDistance) / 1_000,
            "the longest time between two of them", .atMost(9))
        add("held", Double(heldBack), "pushes that were committed and held back", .atMost(0))
        add("memory", memoryGrowth, "growth of memory, in shares", .atMost(0.05))
        add(
            "owed", Double(owed) / Double(activities),
            "share of Live Activities that are owed a push at its end", .atLeast(0.5))
        add(
            "current", Double(current) / Double(max(1, owed)),
            "share of those that are current after 60 s", isPatient ? nil : .atLeast(1))
        add(
            "current_s", Double(secondsToCurrent), "until all are current",
            isPatient ? nil : .atMost(60))
        add("pushes", pushesPerActivity, "pushes for each Live Activity until then", .atMost(1.1))
    }
}
