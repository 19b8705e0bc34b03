import Testing

@testable import Playtest

@Suite("A report")
struct ReportTests {
    /// The server's histogram: bounds in seconds, and how many came within each.
    private func metrics(
        _ buckets: [(String, Int)], of name: String = "rangers_push_latency_seconds"
    ) -> String {
        buckets.map { bound, count in
            "\(name)_bucket{priority=\"5\",le=\"\(bound)\"} \(count)\n"
        }.joined()
    }

    private func latency(_ metrics: String) -> Report.Latency? {
        Report.Latency(ServerMetrics(text: metrics))
    }

    @Test("a quantile lies in proportion within its bucket")
    func proportion() throws {
        let latency = try #require(
            self.latency(metrics([("0.1", 0), ("0.3", 100), ("+Inf", 100)])))
        #expect(abs(latency.p50 - 0.2) < 1e-9)
        #expect(abs(latency.p99 - 0.298) < 1e-9)
    }

    @Test("a quantile beyond the last bound is that bound")
    func beyond() throws {
        let latency = try #require(
            self.latency(metrics([("0.1", 50), ("+Inf", 100)])))
        #expect(latency.p50 == 0.1)
        #expect(latency.p99 == 0.1)
    }

    @Test("no histogram, or an empty one, is no latency", arguments: ["", "other 1"])
    func nothing(_ text: String) {
        #expect(latency(text) == nil)
        #expect(latency(metrics([("0.1", 0), ("+Inf", 0)])) == nil)
    }

    // MARK: What a run is asked for

    /// A report of so many parties and alerts, in which a knock-down took this long.
    private func report(parties: Int, alerts: Int, knockdown: String? = nil) throws -> Report {
        var report = Report()
        report.parties = parties
        report.alerts = alerts
        guard let knockdown else { return report }
        let text =
            metrics([("1", 1), ("+Inf", 1)])
            + metrics(
                [(knockdown, 1), ("+Inf", 1)], of: "rangers_knockdown_latency_seconds")
        report.latency = self.latency(text)
        return report
    }

    @Test("a run of ten parties without an alert fails, unless nothing is asked for")
    func withoutAlerts() throws {
        let silent = try report(parties: 10, alerts: 0)
        for check in [Report.Check.alerts, .alertsAndTimes] {
            #expect(silent.failures(of: check) == ["10 parties played without one alert"])
            #expect(try report(parties: 10, alerts: 1).failures(of: check) == [])
            // No hero may have fallen in so few.
            #expect(try report(parties: 9, alerts: 0).failures(of: check) == [])
        }
        #expect(silent.failures(of: .nothing) == [])
    }

    @Test("a knock-down that takes over a second fails where times are asked for")
    func lateKnockdown() throws {
        let late = try report(parties: 10, alerts: 1, knockdown: "2.5")
        #expect(
            late.failures(of: .alertsAndTimes)
                == ["the p99 of a knock-down's way to APNs is 2475.0 ms, over 1000.0 ms"])
        #expect(late.failures(of: .alerts) == [])
        let prompt = try report(parties: 10, alerts: 1, knockdown: "1")
        #expect(prompt.failures(of: .alertsAndTimes) == [])
    }

    @Test("the summary has the alerts and the time of a knock-down")
    func summary() throws {
        var found = try report(parties: 1, alerts: 3, knockdown: "0.5")
        found.phones = 4
        #expect(found.summary.contains("3 alerts"))
        #expect(found.summary.contains("of knock-downs p99 495.0 ms"))
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
