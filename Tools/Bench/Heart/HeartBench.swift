package import OptionParsing
internal import PartyStore
internal import PushLoad

/// `Scripts/bench heart`: the cost of a tick, an action and a Live Activity, compared with a C
/// program that writes the same bytes, on one core.
package struct HeartBench: RunnableBench {
    package static let about = BenchAbout(
        name: "heart", summary: "Ticks, actions and memory beside a C program with the same bytes",
        setting: "everything on core 0", rounds: .rounds(5, quick: 2), amounts: [ticksAmount],
        options: [
            Option("pack", "ID", "The adventure pack that the parties play", default: packDefault),
            .toggle(
                "scale", "Measure 1,000, 10,000 and 100,000 parties too, and starts after a crash"),
        ], tools: [.taskset, .gcc])

    static let packDefault = "classic"
    static let ticksAmount = Amount(
        "ticks", "Durable ticks of one run", 50_000, quick: 5_000, in: 1_000...100_000_000)

    private enum Shape {
        static let parties = 5_000
        /// The changes in one commit, and those under light load.
        static let batches = (full: 256, small: 4)
        /// The party counts between which the slope of memory is measured.
        static let memoryParties = (few: 5_000, many: 20_000)
        static let scaleParties = [1_000, 10_000, 100_000]
        /// The ticks of each party at each of these sizes, at most: the same number, because the
        /// first ticks of an adventure send more pushes and write less than later ones.
        static let scaleTicksPerParty = 5
        /// The parties of a restart, with four Live Activities each.
        static let restartParties = 25_000
        /// Polls, 20 ms apart, until the parties must be ready.
        static let pollsMax = 30_000
    }

    let ticks: Int
    let pack: String
    let scale: Bool

    package init(_ values: OptionValues) throws(OptionsError) {
        ticks = try Self.ticksAmount.value(values)
        pack = try values.required("pack")
        scale = values.isOn("scale")
    }

    package func measure(_ run: BenchRun) async throws {
        let testbed = run.testbed
        let reference = try await TickReference.sqlite(testbed)
        try await run.eachRound { _ in
            let tick = try await duel(.tick, Shape.parties, ticks, reference, testbed)
            let action = try await duel(.action, Shape.parties, ticks, reference, testbed)
            let small = try await ours(.tick, batch: Shape.batches.small, testbed)
            Self.add(tick, small: small, action: action, to: &run.findings)
            try await measureMemory(run)
            let fold = try await ours(.fold, batch: Shape.batches.full, testbed)
            run.findings.add(
                "fold_cpu_us", fold.cpuMicroseconds,
                "CPU that retention spends on a tick's row, a month later")
            run.findings.add(
                "fold_rows_per_s", fold.rate, "rows that retention folds without its pauses")
            guard scale else { return }
            try await measureScale(reference, run)
            try await measureRestart(run)
        }
    }

    /// The tick's and the action's figures. Each target is of one figure.
    static func add(
        _ tick: TickDuel, small: HeartSample, action: TickDuel, to findings: inout Findings
    ) {
        let ours = tick.ours
        findings.add("cpu_ratio", tick.cpuRatio, "CPU of a durable tick ÷ in C", .atMost(7))
        findings.add("wall_ratio", tick.wallRatio, "ticks/s ÷ in C", .atLeast(0.18))
        findings.add(
            "writer_ratio", tick.writerRatio, "the writer's CPU of a tick ÷ in C", .atMost(1.3))
        findings.add("action_ratio", action.cpuRatio, "CPU of a durable action ÷ in C", .atMost(10))
        findings.add(
            "small_commit_ratio", small.cpuMicroseconds / ours.cpuMicroseconds,
            "CPU of a tick, \(Shape.batches.small) a commit ÷ \(Shape.batches.full) a commit",
            .atMost(2.5))
        findings.add("ticks_per_s", ours.rate, "durable ticks")
        findings.add("c_ticks_per_s", tick.reference.rate, "the same in C")
        findings.add("tick_cpu_us", ours.cpuMicroseconds, "CPU of a tick")
        findings.add("c_tick_cpu_us", tick.reference.cpuMicroseconds, "the same in C")
        findings.add("pushes_per_tick", ours.pushesPerTick, "pushes that a tick encodes")
        findings.add("action_cpu_us", action.ours.cpuMicroseconds, "CPU of an action")
        findings.add("action_batch", action.ours.batchSize, "actions that shared a commit")
    }

    private func measureMemory(_ run: BenchRun) async throws {
        let shape = Shape.memoryParties
        let few = try await ours(.memory, parties: shape.few, ticks: 1, run.testbed)
        let many = try await ours(.memory, parties: shape.many, ticks: 1, run.testbed)
        Self.add(few: few, many: many, to: &run.findings)
    }

    static func add(few: HeartSample, many: HeartSample, to findings: inout Findings) {
        findings.add(
            "bytes_per_activity",
            Double(many.residentBytes - few.residentBytes)
                / Double(many.activities - few.activities), "memory of each further Live Activity",
            .atMost(1_500))
    }

    // MARK: Scale

    /// Each party has as many ticks at every size. So runs of few parties are short: the one with
    /// the median ratio counts, of as many runs as have the usual ticks.
    private func measureScale(_ reference: TickReference, _ run: BenchRun) async throws {
        var ratios: [Double] = []
        for parties in Shape.scaleParties {
            let ticks = parties * Self.ticksPerParty(of: self.ticks)
            var duels: [TickDuel] = []
            for _ in 0..<max(1, self.ticks / ticks) {
                duels.append(try await duel(.tick, parties, ticks, reference, run.testbed))
            }
            let middle = duels.sorted { $0.cpuRatio < $1.cpuRatio }[duels.count / 2]
            ratios.append(middle.cpuRatio)
            Self.add(middle, parties: parties, to: &run.findings)
        }
        run.findings.add(
            "cpu_ratio_growth", ratios[ratios.count - 1] / ratios[0],
            "that ratio with the most parties ÷ with the fewest", .atMost(1.3))
    }

    static func ticksPerParty(of ticks: Int) -> Int {
        max(1, min(Shape.scaleTicksPerParty, ticks / Shape.parties))
    }

    static func add(_ duel: TickDuel, parties: Int, to findings: inout Findings) {
        let (ours, size) = (duel.ours, "\(FigureText.number(Double(parties))) parties")
        findings.add("cpu_ratio_\(parties)", duel.cpuRatio, "CPU of a tick ÷ in C, \(size)")
        findings.add("tick_cpu_us_\(parties)", ours.cpuMicroseconds, "CPU of a tick, \(size)")
        findings.add("c_tick_cpu_us_\(parties)", duel.reference.cpuMicroseconds, "the same in C")
        findings.add("pushes_per_tick_\(parties)", ours.pushesPerTick, "pushes of a tick")
        findings.add("rss_mb_\(parties)", Double(ours.residentBytes) / 1e6, "memory")
        findings.add("bytes_per_event_\(parties)", ours.bytesPerEvent, "growth of the file")
    }

    /// Kills a run in the middle, and measures the start on its file.
    private func measureRestart(_ run: BenchRun) async throws {
        let (testbed, parties) = (run.testbed, Shape.restartParties)
        try await testbed.withDatabaseFile { file in
            let crashing = settings(.tick, parties, 100_000_000, Shape.batches.full, file)
            let process = try testbed.start(
                testbed.programs.tools, ["bench", "heart-run", try BenchArgument.text(crashing)],
                on: .server)
            defer { testbed.kill(process) }
            for _ in 0..<Shape.pollsMax where !process.output.contains("ready") {
                try await Task.sleep(for: .milliseconds(20))
            }
            guard process.output.contains("ready") else {
                throw BenchError("\(parties) parties were not ready within ten minutes")
            }
            // Kills it in the middle of its work.
            try await Task.sleep(for: .seconds(1))
            testbed.kill(process)
            let start = try testbed.heart(
                settings(.start, parties, parties, Shape.batches.full, file))
            Self.add(start: start, to: &run.findings)
        }
    }

    static func add(start: HeartSample, to findings: inout Findings) {
        findings.add(
            "first_tick_s", start.firstTickSeconds,
            "from a start after a crash to the first due tick", .atMost(1))
        findings.add("last_tick_s", start.lastTickSeconds, "to the last one", .atMost(5))
    }

    // MARK: Runs

    /// Runs the heart on a new file, and removes the file.
    private func ours(
        _ mode: HeartRun.Mode, parties: Int = Shape.parties, ticks: Int? = nil,
        batch: Int = Shape.batches.full, _ testbed: BenchTestbed
    ) async throws -> HeartSample {
        try await testbed.withDatabaseFile { file in
            try testbed.heart(settings(mode, parties, ticks ?? self.ticks, batch, file))
        }
    }

    /// Runs the heart, and the reference on its file, in batches of the same size.
    private func duel(
        _ mode: HeartRun.Mode, _ parties: Int, _ ticks: Int, _ reference: TickReference,
        _ testbed: BenchTestbed
    ) async throws -> TickDuel {
        try await testbed.withDatabaseFile { file in
            let ours = try testbed.heart(settings(mode, parties, ticks, Shape.batches.full, file))
            return TickDuel(
                ours: ours,
                reference: try reference.run(on: file, ticks: ticks, batch: ours.batchSize))
        }
    }

    private func settings(
        _ mode: HeartRun.Mode, _ parties: Int, _ ticks: Int, _ batch: Int, _ file: String
    ) -> HeartRun.Settings {
        var settings = HeartRun.Settings(
            parties: parties, ticks: ticks, batch: batch, mode: mode, data: file)
        settings.pack = pack
        return settings
    }
}

extension BenchTestbed {
    /// Runs the heart in a process of its own on the servers' core.
    func heart(_ settings: HeartRun.Settings) throws -> HeartSample {
        let end = try run(programs.tools, ["bench", "heart-run", try BenchArgument.text(settings)])
        return try HeartSample(output: end.output)
    }
}
