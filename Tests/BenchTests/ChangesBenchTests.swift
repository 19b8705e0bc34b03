import OptionParsing
import PushLoad
import Testing

@testable import Bench

@Suite struct ChangesBenchTests {
    private func sample(rate: Int, log: Double = 1_000) -> ChangeSample {
        ChangeSample(
            of: rate, in: 1, cpuSeconds: 0.5,
            from: DatabaseMeter.Reading(cpuSeconds: 2, logBytes: 5_000),
            to: DatabaseMeter.Reading(cpuSeconds: 2.25, logBytes: 5_000 + log * Double(rate)))
    }

    private func samples(rate: Int, log: Double = 1_000) -> [PlayerChange: ChangeSample] {
        Dictionary(
            uniqueKeysWithValues: PlayerChange.allCases.map { ($0, sample(rate: rate, log: log)) })
    }

    private func report(four rate: Int = 600) throws -> BenchReport {
        var round = ChangesRound()
        round.add(samples(rate: 1_000, log: 1_100), ofNodes: 1)
        round.add(samples(rate: 800), ofNodes: 2)
        round.add(samples(rate: rate), ofNodes: 4)
        round.reference = samples(rate: 2_000)
        round.forwarding = try ForwardingSample([
            .own: .init([pass(reads: 4_000, owner: 0)]),
            .forwarded: .init([pass(reads: 600, owner: 0.1), pass(reads: 400, owner: 0.1)]),
            .nginx: .init([pass(reads: 1_000, owner: 0.5)]),
        ])
        var findings = ChangesFindings(machine: .own)
        findings.add(round)
        return findings.report(ChangesBench.Settings())
    }

    /// A second of reads, for which the one that takes them needs half a second of CPU.
    private func pass(reads: Int, owner: Double) throws -> ForwardedPass {
        let result = try WrkResult(
            output: #"{"requests":\#(reads),"seconds":1,"refused":0,"lost":0,"listSeconds":0}"#)
        return ForwardedPass(
            run: APIRun(result, ofList: nil, cpuSeconds: 0.5), ownerCPUSeconds: owner)
    }

    private func value(_ key: String, _ report: BenchReport) -> Double? {
        report.figures.first { $0.key == key }.map { FigureText.rounded($0.spread.median) }
    }

    @Test("a sample has the rate, and what a change costs")
    func sample() {
        let sample = sample(rate: 1_000)
        #expect(sample.rate == 1_000)
        #expect(sample.clientMicroseconds == 500)
        #expect(sample.databaseMicroseconds == 250)
        #expect(sample.logBytes == 1_000)
    }

    @Test("ratios compare nodes with pgbench, and the most nodes with one")
    func ratios() throws {
        let report = try report()
        #expect(value("player_ratio_1", report) == 0.5)
        #expect(value("activity_ratio_4", report) == 0.3)
        #expect(value("membership_growth", report) == 0.6)
        #expect(value("player_log_ratio", report) == 1.1)
        #expect(value("activity_per_s_2", report) == 800)
        #expect(value("activity_pgbench_per_s", report) == 2_000)
    }

    @Test("forwarded reads are compared with nginx, and with own reads")
    func forwarding() throws {
        let report = try report()
        #expect(value("forward_per_s", report) == 500)
        #expect(value("forward_ratio", report) == 0.5)
        #expect(value("forward_own_ratio", report) == 0.125)
        #expect(value("forward_entry_cpu_us", report) == 1_000)
        #expect(value("forward_cpu_us", report) == 1_200)
        #expect(value("forward_nginx_cpu_us", report) == 500)
        #expect(value("forward_own_cpu_us", report) == 125)
    }

    @Test("four nodes reach a share of pgbench's rate, or miss the target of that change")
    func targets() throws {
        func missed(_ rate: Int) throws -> [String] {
            try report(four: rate).figures.filter { !$0.isMet }.map(\.key)
        }
        #expect(try missed(800) == [])
        #expect(try missed(790) == ["player_ratio_4"])
        #expect(try missed(290) == ["player_ratio_4", "membership_ratio_4"])
        #expect(try missed(60).count == PlayerChange.allCases.count)
    }

    @Test("pgbench gets the script, its variables and the address")
    func arguments() {
        let bench = PgBench(
            script: "a.pgbench", address: "postgresql:///copy", seconds: 3,
            variables: ["guests": 9, "activities": 36])
        #expect(bench.arguments.last == "postgresql:///copy")
        #expect(bench.arguments.contains("--file=a.pgbench"))
        #expect(bench.arguments.contains("--time=3"))
        #expect(
            bench.arguments.filter { $0.hasPrefix("--define") } == [
                "--define=clients=16", "--define=activities=36", "--define=guests=9",
            ])
    }

    private static let output = """
        pgbench (15.14 (Debian 15.14-0+deb12u1))
        transaction type: player.pgbench
        number of clients: 16
        number of transactions actually processed: 9813
        number of failed transactions: 0 (0.000%)
        latency average = 0.815 ms
        initial connection time = 21.501 ms
        tps = 1962.471 (without initial connection time)
        """

    @Test("pgbench's result is read; failures and other outputs are errors")
    func result() throws {
        let result = try PgBenchResult(output: Self.output)
        #expect(result.runs == 9_813)
        #expect(result.rate == 1_962.471)
        #expect(throws: BenchError("3 of pgbench's runs failed")) {
            try PgBenchResult(
                output: Self.output.replacing(
                    "failed transactions: 0", with: "failed transactions: 3"))
        }
        #expect(throws: BenchError("pgbench did not print its result: oops")) {
            try PgBenchResult(output: "oops")
        }
    }

    @Test("three rounds of 5 s a measurement, by default")
    func options() throws {
        func settings(_ arguments: String...) throws -> ChangesBench.Settings {
            try ChangesBench.Settings(BenchOptions.changes.parse(arguments, environment: [:]))
        }
        #expect(try settings() == ChangesBench.Settings())
        #expect(try settings("--rounds=2", "--seconds=9").seconds == 9)
        #expect(try settings("--quick").rounds == 1)
        #expect(throws: OptionsError.self) { try settings("--seconds=0") }
    }
}
