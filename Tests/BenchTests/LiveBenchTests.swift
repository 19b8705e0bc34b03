import Playtest
import Testing

@testable import Bench

@Suite struct LiveBenchTests {
    private func metrics(ticks: Int, accepted: Int, fast: Int, all: Int) -> ServerMetrics {
        ServerMetrics(
            text: """
                # HELP rangers_ticks_total Times.
                rangers_ticks_total \(ticks)
                rangers_pushes_total{priority="10",status="200",reason=""} \(accepted)
                rangers_pushes_total{priority="5",status="200",reason=""} 1
                rangers_pushes_total{priority="5",status="410",reason="Unregistered"} 7
                rangers_push_latency_seconds_bucket{priority="10",le="0.001"} 0
                rangers_push_latency_seconds_bucket{priority="10",le="0.01"} \(fast)
                rangers_push_latency_seconds_bucket{priority="10",le="0.1"} \(fast)
                rangers_push_latency_seconds_bucket{priority="10",le="+Inf"} \(fast)
                rangers_push_latency_seconds_bucket{priority="5",le="0.001"} 0
                rangers_push_latency_seconds_bucket{priority="5",le="0.01"} 0
                rangers_push_latency_seconds_bucket{priority="5",le="0.1"} \(all - fast)
                rangers_push_latency_seconds_bucket{priority="5",le="+Inf"} \(all - fast)

                """)
    }

    @Test("rates are what was counted meanwhile, and only accepted pushes count")
    func rates() {
        let counted = metrics(ticks: 1_100, accepted: 4_010, fast: 0, all: 0)
            .since(metrics(ticks: 100, accepted: 10, fast: 0, all: 0))
        let run = LiveRun(counted, seconds: 2, cpuSeconds: 1)
        #expect(run.ticksPerSecond == 500)
        #expect(run.pushesPerSecond == 2_000)
        #expect(run.busy == 0.5)
        #expect(run.median == nil)
    }

    @Test("a quantile is of all priorities, and lies in its bucket in proportion")
    func quantiles() throws {
        let counted = metrics(ticks: 0, accepted: 0, fast: 150, all: 300)
            .since(metrics(ticks: 0, accepted: 0, fast: 100, all: 200))
        let histogram = "rangers_push_latency_seconds"
        let (middle, late) = (
            try #require(counted.quantile(0.5, of: histogram)),
            try #require(counted.quantile(0.75, of: histogram))
        )
        #expect(FigureText.number(middle) == "0.01")
        #expect(FigureText.number(late) == "0.055")
    }
}
