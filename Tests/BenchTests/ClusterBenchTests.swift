import OptionParsing
import PartyStore
import PushLoad
import Testing

@testable import Bench

@Suite struct ClusterBenchTests {
    /// 1,000 ticks.
    private func sample(
        cpu: Double = 80, seconds: Double = 1, database: Double = 40, log: Double = 2_000
    ) -> HeartSample {
        var sample = HeartSample(
            parties: 500, activitiesPerParty: 4, ticks: 1_000, pushes: 4_000,
            wallSeconds: seconds, cpuSeconds: cpu / 1e3, writerCPUSeconds: 0, residentBytes: 1,
            batchSize: 256)
        sample.databaseCPUSeconds = database / 1e3
        sample.logBytes = log * 1e3
        return sample
    }

    private func round(
        seconds: Double = 2, storeSeconds: Double = 1.25, pages: Double = 3_000,
        four: HeartSample? = nil
    ) -> ClusterRound {
        ClusterRound(
            file: sample(seconds: 0.5),
            database: DatabaseRound(
                duel: HeartDuel(
                    ours: sample(cpu: 90, seconds: seconds, database: 60),
                    reference: sample(cpu: 10)),
                store: sample(seconds: storeSeconds), afterCheckpoint: sample(log: pages)),
            nodes: [1: sample(), 2: sample(cpu: 800), 4: four ?? sample()])
    }

    private func report(_ rounds: ClusterRound...) -> BenchReport {
        var findings = DatabaseFindings(machine: .own)
        for round in rounds { findings.add(round) }
        return findings.report(ClusterBench.Settings())
    }

    private func value(_ key: String, _ report: BenchReport) -> Double? {
        report.figures.first { $0.key == key }.map { FigureText.rounded($0.spread.median) }
    }

    @Test("the store reaches half of C's rate, a whole node 18% of it, or misses its target")
    func target() {
        #expect(report(round(seconds: 5.5)).isEveryTargetMet)
        #expect(!report(round(seconds: 5.6)).isEveryTargetMet)
        #expect(report(round(storeSeconds: 2)).isEveryTargetMet)
        #expect(!report(round(storeSeconds: 2.1)).isEveryTargetMet)
    }

    @Test("from one node to four each cost may grow by a tenth")
    func growth() {
        #expect(report(round(four: sample(cpu: 87, database: 43, log: 2_190))).isEveryTargetMet)
        for missed in [sample(cpu: 89), sample(database: 45), sample(log: 2_210)] {
            #expect(report(round(four: missed)).figures.count { !$0.isMet } == 1)
        }
        #expect(value("node_cpu_us_2", report(round())) == 800)
        #expect(value("node_growth", report(round())) == 1)
    }

    @Test("four nodes share the parties by their shards")
    func numbers() {
        let numbers = (0..<4).map { HeartParties.numbers(100, node: $0, of: 4) }
        #expect(numbers.joined().sorted() == Array(0..<100))
        #expect(numbers[3].allSatisfy { PartyShard.number(of: HeartParties.id($0)) % 4 == 3 })
        #expect(HeartParties.numbers(3, node: 0, of: 1) == [0, 1, 2])
    }

    @Test("figures are a tick's")
    func figures() {
        let report = report(round())
        #expect(value("store_ratio", report) == 0.8)
        #expect(value("database_ratio", report) == 1.5)
        #expect(value("node_cpu_us", report) == 90)
        #expect(value("database_cpu_us", report) == 60)
        #expect(value("ticks_to_sqlite", report) == 0.25)
        #expect(value("log_bytes", report) == 2_000)
    }

    @Test("whole pages are what the log has more after a checkpoint, and never less than none")
    func pages() {
        #expect(round().database.pageBytesPerParty == 1_000)
        #expect(round(pages: 1_900).database.pageBytesPerParty == 0)
    }

    @Test("a process's line has its times and those of its children, whatever its name is")
    func processes() throws {
        let line =
            "42 (postgres: a) b) S 7 42 42 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 1 0 100 1 1\n"
        let stat = try #require(ProcessStat(line))
        #expect(stat.id == 42)
        #expect(stat.parent == 7)
        #expect(stat.ticks == 56)
        #expect(stat.childTicks == 78)
        #expect(ProcessStat("42 (postgres) S 7") == nil)
        #expect(ProcessStat("") == nil)
    }

    @Test("a sample without a measured database has none of its figures")
    func unmeasured() {
        var sample = sample()
        sample.databaseCPUSeconds = nil
        sample.note(nil, DatabaseMeter.Reading(cpuSeconds: 1, logBytes: 1))
        #expect(sample.databaseMicroseconds == nil)
        sample.note(
            DatabaseMeter.Reading(cpuSeconds: 1, logBytes: 100),
            DatabaseMeter.Reading(cpuSeconds: 3, logBytes: 5_100))
        #expect(sample.databaseMicroseconds == 2_000)
        #expect(sample.logBytesPerTick == 5)
    }

    @Test("the reference gets our statements, a line each, and whole batches")
    func reference() {
        let lines = ClusterReference.lines
        #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("?") && $0.contains(" ") })
        #expect(lines.first == "begin BEGIN ISOLATION LEVEL READ COMMITTED")
        #expect(lines.contains { $0.hasPrefix("update WITH written AS ( UPDATE parties SET") })
        #expect(
            ClusterReference.arguments(address: "a", sqlFile: "b", ticks: 9, batch: 17.6)
                == ["a", "b", "9", "18"])
    }

    @Test("three rounds of 50,000 ticks, by default")
    func options() throws {
        func settings(_ arguments: String...) throws -> ClusterBench.Settings {
            try ClusterBench.Settings(BenchOptions.cluster.parse(arguments, environment: [:]))
        }
        #expect(try settings() == ClusterBench.Settings())
        #expect(try settings("--quick").rounds == 1)
        #expect(throws: OptionsError.self) { try settings("--ticks=1") }
    }
}
