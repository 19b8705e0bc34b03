import PushLoad
import Testing

@testable import Bench

@Suite struct PushFindingsTests {
    private let machine = Machine(processor: "CPU", cores: 2, kernel: "Linux", load: 0)

    private func run(
        _ rate: Double, cpu: Double = 0.9, server: Double = 0.5
    ) -> Measured {
        Measured(requests: Int(rate), seconds: 1, clientCPU: cpu, serverCPU: server)
    }

    @Test("a run's figures are rates and shares of a core")
    func measured() {
        let run = Measured(requests: 200_000, seconds: 2, clientCPU: 1, serverCPU: 0.5)
        #expect(run.rate == 100_000)
        #expect(run.clientCPUPer100k == 0.5)
        #expect(run.clientBusy == 0.5)
        #expect(run.serverBusy == 0.25)
    }

    @Test("ratios are taken round by round")
    func ratios() {
        var duel = Duel(against: "it")
        duel.add(ours: run(100), theirs: run(100))
        duel.add(ours: run(40), theirs: run(50))
        duel.add(ours: run(300), theirs: run(600))
        #expect(duel.ratio(\.rate)?.median == 0.8)
    }

    @Test(
        "the report says which core was full",
        arguments: [
            (0.99, 0.4, "the client was the limit"), (0.4, 0.99, "the server was the limit"),
            (0.99, 0.99, "both sides were at their limit"), (0.4, 0.4, "neither core was full"),
        ])
    func saturation(client: Double, server: Double, words: String) throws {
        var duel = Duel(against: "it")
        duel.add(ours: run(100, cpu: client, server: server), theirs: run(100, server: 0))
        #expect(try #require(duel.saturation.first).contains(words))
    }

    @Test("the server where h2load is fastest is taken")
    func fastest() {
        var findings = PushFindings(machine: machine)
        findings.candidates = [.plain: 300_000, .nghttpd: 400_000]
        #expect(findings.fastest == .nghttpd)
        findings.candidates[.plain] = 500_000
        #expect(findings.fastest == .plain)
    }

    @Test("1,000 streams and 50 ms allow 20,000 pushes a second on a connection")
    func streamsLimit() {
        #expect(PushFindings.streamsLimit(connections: 1) == 20_000)
        #expect(PushFindings.streamsLimit(connections: 4) == 80_000)
    }

    @Test("throughput is linear when 32 connections carry 32 times as much as one")
    func linearity() {
        var findings = PushFindings(machine: machine)
        findings.windowed = [1: [1_000, 1_000], 32: [32_000, 16_000]]
        #expect(findings.linearity?.largest == 1)
        #expect(findings.linearity?.smallest == 0.5)
    }

    @Test("every figure that was asked for is in the line of JSON, once")
    func keys() throws {
        var findings = PushFindings(machine: machine)
        var duel = Duel(against: "it")
        var ours = run(100)
        ours.peakMegabytes = 20
        duel.add(ours: ours, theirs: run(100))
        findings.duel = duel
        findings.delayed = [1: [0.9], 4: [0.8]]
        findings.windowed = [1: [1_000], 32: [30_000]]
        findings.encoding = [.quiet: [0.5], .alert: [0.9]]
        let report = findings.report(PushBench.Settings())
        let keys = report.figures.map(\.key)
        #expect(Set(keys).count == keys.count)
        let asked = [
            "ratio_to_h2load", "cpu_s_per_100k", "rss_mb", "delay50_1conn", "delay50_4conn",
            "window_linear", "encode_us", "encode_alert_us",
        ]
        #expect(Set(asked).subtracting(keys) == [])
        #expect(report.jsonLine.hasPrefix(#"{"name":"push","ratio_to_h2load":1"#))
    }

    @Test("the report says that others use the machine")
    func disturbance() {
        let busy = Machine(processor: "CPU", cores: 2, kernel: "Linux", load: 3.5)
        #expect(busy.disturbance?.contains("3.5") == true)
        #expect(machine.disturbance == nil)
    }
}
