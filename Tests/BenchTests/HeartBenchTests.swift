import PushLoad
import Testing

@testable import Bench

extension HeartSample {
    /// 1,000 ticks, for which so many milliseconds of CPU were used.
    static func ticks(
        cpu: Double = 10, writer: Double = 5, seconds: Double = 1, database: Double? = nil,
        log: Double? = nil
    ) -> HeartSample {
        var sample = HeartSample()
        (sample.parties, sample.activitiesPerParty) = (500, 4)
        (sample.ticks, sample.pushes, sample.batchSize) = (1_000, 4_000, 256)
        sample.wallSeconds = seconds
        (sample.cpuSeconds, sample.writerCPUSeconds) = (cpu / 1e3, writer / 1e3)
        sample.databaseCPUSeconds = database.map { $0 / 1e3 }
        sample.logBytes = log.map { $0 * 1e3 }
        return sample
    }
}

@Suite struct HeartBenchTests {
    private func findings(_ add: (inout Findings) -> Void) -> Findings {
        var findings = Findings(name: "heart", conditions: [])
        add(&findings)
        return findings
    }

    /// Just good enough for all targets.
    private func missed(
        cpu: Double = 69, writer: Double = 6.4, seconds: Double = 5, action: Double = 99,
        small: Double = 2.4
    ) -> [String] {
        findings { findings in
            HeartBench.add(
                TickDuel(
                    ours: .ticks(cpu: cpu, writer: writer, seconds: seconds), reference: .ticks()),
                small: .ticks(cpu: cpu * small),
                action: TickDuel(ours: .ticks(cpu: action), reference: .ticks()), to: &findings)
        }.missed
    }

    @Test("the reference's line is a sample, behind whatever was printed before")
    func referenceLine() throws {
        let line =
            #"{"parties":5000,"activitiesPerParty":0,"ticks":50000,"pushes":0,"wallSeconds":1.5,"#
            + #""cpuSeconds":0.9,"writerCPUSeconds":0.8,"residentBytes":12132352,"batchSize":256}"#
        #expect(try HeartSample(output: "ready\n\(line)\n").writerMicroseconds == 16)
    }

    @Test("output without a sample is an error with the output in it")
    func silence() {
        #expect(throws: BenchError("a run of the heart did not print its result: what?")) {
            try HeartSample(output: "what?")
        }
    }

    @Test("each target can be missed alone")
    func targets() {
        #expect(missed() == [])
        #expect(missed(cpu: 71) == ["cpu_ratio"])
        #expect(missed(writer: 6.6) == ["writer_ratio"])
        #expect(missed(seconds: 6) == ["wall_ratio"])
        #expect(missed(action: 101) == ["action_ratio"])
        #expect(missed(small: 2.6) == ["small_commit_ratio"])
    }

    @Test("memory is what further Live Activities take")
    func memory() {
        var (few, many) = (HeartSample.ticks(), HeartSample.ticks())
        (few.parties, many.parties, many.residentBytes) = (5_000, 20_000, 91_000_000)
        let findings = findings { HeartBench.add(few: few, many: many, to: &$0) }
        #expect(findings.value("bytes_per_activity") == 1_517)
        #expect(findings.missed == ["bytes_per_activity"])
    }

    @Test("growth of the file is reported where events were counted")
    func fileGrowth() {
        var ours = HeartSample.ticks()
        (ours.events, ours.fileBytesGrown) = (200, 50_000)
        let findings = findings { findings in
            for (parties, ours) in [(1_000, ours), (100_000, .ticks())] {
                HeartBench.add(
                    TickDuel(ours: ours, reference: .ticks()), parties: parties, to: &findings)
            }
        }
        #expect(findings.value("bytes_per_event_1000") == 250)
        #expect(findings["bytes_per_event_100000"] == nil)
    }

    @Test("a start after a crash has five seconds for the last due party", arguments: [5.0, 5.1])
    func restart(seconds: Double) {
        var sample = HeartSample.ticks()
        (sample.firstTickSeconds, sample.lastTickSeconds) = (1, seconds)
        let findings = findings { HeartBench.add(start: sample, to: &$0) }
        #expect(findings.missed == (seconds == 5 ? [] : ["last_tick_s"]))
    }

    @Test("the references get our statements, pragmas and limits of the log, a line each")
    func references() {
        let (sqlite, postgreSQL) = (TickReference.sqliteLines, TickReference.postgreSQLLines)
        for line in sqlite + postgreSQL {
            #expect(!line.contains("\n") && line.contains(" "))
        }
        for pragma in ["secure_delete = ON", "synchronous = FULL", "journal_mode = WAL"] {
            #expect(sqlite.contains("open PRAGMA \(pragma)"))
        }
        #expect(sqlite.contains("log 33554432 134217728 8"))
        #expect(postgreSQL.first == "begin BEGIN ISOLATION LEVEL READ COMMITTED")
        #expect(postgreSQL.contains { $0.hasPrefix("update WITH written AS ( UPDATE parties SET") })
    }

    @Test(
        "at every size each party has as many ticks, five or fewer",
        arguments: [(50_000, 5), (10_000, 2), (1_000, 1)])
    func ticksAtScale(ticks: Int, each: Int) {
        #expect(HeartBench.ticksPerParty(of: ticks) == each)
    }
}
