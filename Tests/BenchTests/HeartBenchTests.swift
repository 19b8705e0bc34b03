import OptionParsing
import PushLoad
import RangersServer
import Testing

@testable import Bench

@Suite struct HeartBenchTests {
    /// 1,000 ticks of 500 parties.
    private func sample(
        cpu: Double = 10, writer: Double = 5, seconds: Double = 1, parties: Int = 500,
        bytes: Int = 1
    ) -> HeartSample {
        HeartSample(
            parties: parties, activitiesPerParty: 4, ticks: 1_000, pushes: 4_000,
            wallSeconds: seconds, cpuSeconds: cpu / 1e3, writerCPUSeconds: writer / 1e3,
            residentBytes: bytes, batchSize: 256)
    }

    /// Just good enough for all targets.
    private func round(
        cpu: Double = 69, writer: Double = 6.4, seconds: Double = 5, action: Double = 99,
        small: Double = 2.4, bytes: Int = 89_000_400
    ) -> HeartRound {
        HeartRound(
            tick: HeartDuel(
                ours: sample(cpu: cpu, writer: writer, seconds: seconds), reference: sample()),
            small: sample(cpu: cpu * small),
            action: HeartDuel(ours: sample(cpu: action), reference: sample()), fold: sample(),
            few: sample(parties: 5_000, bytes: 0), many: sample(parties: 20_000, bytes: bytes))
    }

    private func report(_ rounds: HeartRound...) -> BenchReport {
        var findings = HeartFindings(machine: .own)
        for round in rounds { findings.add(round) }
        return findings.report(HeartBench.Settings())
    }

    @Test("a sample crosses between processes as a line, behind whatever was printed before")
    func line() throws {
        var sample = sample()
        sample.events = 7
        #expect(try HeartSample(output: "ready\n" + sample.line) == sample)
    }

    @Test("the reference's line is a sample")
    func referenceLine() throws {
        let line =
            #"{"parties":5000,"activitiesPerParty":0,"ticks":50000,"pushes":0,"wallSeconds":1.5,"#
            + #""cpuSeconds":0.9,"writerCPUSeconds":0.8,"residentBytes":12132352,"batchSize":256}"#
        #expect(try HeartSample(output: line + "\n").writerMicroseconds == 16)
    }

    @Test("output without a sample is an error with the output in it")
    func silence() {
        #expect(throws: BenchError("a run of the heart did not print its result: what?")) {
            try HeartSample(output: "what?")
        }
    }

    @Test("the line of JSON begins with what was asked for, in that order")
    func keys() {
        #expect(
            report(round()).jsonLine.hasPrefix(
                #"{"name":"heart","cpu_ratio":6.9,"wall_ratio":0.2,"writer_ratio":1.28,"#
                    + #""action_ratio":9.9,"small_commit_ratio":2.4,"ticks_per_s":200.0,"#
                    + #""bytes_per_activity":1483.0,"#))
    }

    @Test("each target can be missed alone")
    func targets() {
        #expect(report(round()).isEveryTargetMet)
        for missed in [
            round(cpu: 71), round(writer: 6.6), round(seconds: 6), round(action: 101),
            round(small: 2.6), round(bytes: 91_000_000),
        ] {
            #expect(report(missed).figures.count { !$0.isMet } == 1)
        }
    }

    @Test("with many parties the ratio's growth counts, round by round")
    func growth() throws {
        var findings = HeartFindings(machine: .own)
        for (few, many) in [(50.0, 60.0), (50, 70), (40, 50)] {
            findings.add(HeartDuel(ours: sample(cpu: few), reference: sample()), parties: 1_000)
            findings.add(HeartDuel(ours: sample(cpu: many), reference: sample()), parties: 100_000)
        }
        let figures = findings.report(HeartBench.Settings()).figures
        let growth = try #require(figures.first { $0.key == "cpu_ratio_growth" })
        #expect(FigureText.number(growth.spread.smallest) == "1.2")
        #expect(FigureText.number(growth.spread.largest) == "1.4")
        #expect(growth.isMet)
        #expect(figures.contains { $0.key == "rss_mb_100000" })
        #expect(!figures.contains { $0.key == "bytes_per_event_1000" })
    }

    @Test("growth of the file is reported where events were counted")
    func fileGrowth() throws {
        var ours = sample()
        ours.events = 200
        ours.fileBytesGrown = 50_000
        var findings = HeartFindings(machine: .own)
        findings.add(HeartDuel(ours: ours, reference: sample()), parties: 1_000)
        let figures = findings.report(HeartBench.Settings()).figures
        #expect(figures.first { $0.key == "bytes_per_event_1000" }?.spread.median == 250)
    }

    @Test("a start after a crash has five seconds for the last due party", arguments: [5.0, 5.1])
    func restart(seconds: Double) throws {
        var findings = HeartFindings(machine: .own)
        var sample = sample()
        sample.firstTickSeconds = 1
        sample.lastTickSeconds = seconds
        findings.add(restart: sample)
        let figures = findings.report(HeartBench.Settings()).figures
        #expect(figures.map(\.key) == ["first_tick_s", "last_tick_s"])
        #expect(figures.map(\.isMet) == [true, seconds == 5])
    }

    @Test("what the bench tells its child is what the child understands")
    func roundTrip() throws {
        var settings = HeartRun.Settings(
            parties: 7, ticks: 70, batch: 4, mode: .start, data: "file")
        (settings.database, settings.due, settings.nodes) = (42, 512, 4)
        let values = try BenchOptions.heartRun.parse(
            Array(settings.arguments.dropFirst(2)), environment: [:])
        #expect(try HeartRun.Settings(values) == settings)
    }

    @Test("five rounds of 50,000 ticks, by default")
    func options() throws {
        func settings(_ arguments: String...) throws -> HeartBench.Settings {
            try HeartBench.Settings(BenchOptions.heart.parse(arguments, environment: [:]))
        }
        #expect(try settings() == HeartBench.Settings())
        #expect(try settings("--scale").extent == .scale)
        #expect(try settings("--quick").ticks < 50_000)
        #expect(throws: OptionsError.self) { try settings("--ticks=1") }
    }

    @Test("the reference gets whole batches of the size that ours had")
    func referenceArguments() {
        #expect(
            HeartReference.arguments(file: "a", sqlFile: "b", ticks: 9, batch: 17.6)
                == ["a", "b", "9", "18"])
        #expect(!HeartReference.lines.isEmpty)
        #expect(HeartReference.lines.allSatisfy { !$0.contains("\n") && $0.contains(" ") })
    }

    @Test("the reference has the pragmas of our connections, and our limits of the log")
    func referenceSettings() {
        for pragma in ["secure_delete = ON", "synchronous = FULL", "journal_mode = WAL"] {
            #expect(HeartReference.lines.contains("open PRAGMA \(pragma)"))
        }
        #expect(HeartReference.lines.contains("log 33554432 134217728 8"))
    }

    @Test("at every size each party has as many ticks, five or fewer")
    func ticksAtScale() {
        var settings = HeartBench.Settings()
        #expect(settings.ticksPerPartyAtScale == 5)
        settings.ticks = 10_000
        #expect(settings.ticksPerPartyAtScale == 2)
        settings.ticks = 1_000
        #expect(settings.ticksPerPartyAtScale == 1)
    }
}
