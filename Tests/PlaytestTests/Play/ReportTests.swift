import Testing

@testable import Playtest

@Suite("A report")
struct ReportTests {
    /// The server's histogram: bounds in seconds, and how many came within each.
    private func metrics(_ buckets: [(String, Int)]) -> String {
        buckets.map { bound, count in
            "rangers_tick_to_acceptance_seconds_bucket{le=\"\(bound)\"} \(count)"
        }.joined(separator: "\n")
    }

    @Test("a quantile lies in proportion within its bucket")
    func proportion() throws {
        let latency = try #require(
            Report.Latency(metrics: metrics([("0.1", 0), ("0.3", 100), ("+Inf", 100)])))
        #expect(abs(latency.p50 - 0.2) < 1e-9)
        #expect(abs(latency.p99 - 0.298) < 1e-9)
    }

    @Test("a quantile beyond the last bound is that bound")
    func beyond() throws {
        let latency = try #require(
            Report.Latency(metrics: metrics([("0.1", 50), ("+Inf", 100)])))
        #expect(latency.p50 == 0.1)
        #expect(latency.p99 == 0.1)
    }

    @Test("no histogram, or an empty one, is no latency", arguments: ["", "other 1"])
    func nothing(_ text: String) {
        #expect(Report.Latency(metrics: text) == nil)
        #expect(Report.Latency(metrics: metrics([("0.1", 0), ("+Inf", 0)])) == nil)
    }

    @Test("phones are counted by priority, alert and end")
    func phones() throws {
        var report = Report()
        report.count([try Sample.phone(), try Sample.phone([PushDraft()])])
        #expect(report.highPushes == 3)
        #expect(report.lowPushes == 1)
        #expect(report.alerts == 1)
        #expect(report.ends == 1)
    }

    @Test("a violation names its party")
    func party() {
        var report = Report()
        var result = PartyPlay.Result()
        result.party = "p1"
        result.violations = ["broken"]
        report.note(result)
        #expect(report.violations == ["party p1: broken"])
    }
}
