internal import Foundation

/// The result of a playtest.
package struct Report: Sendable {
    package internal(set) var parties = 0
    package internal(set) var events = 0
    /// Phones that were checked: none without a simulated APNs.
    package internal(set) var phones = 0
    package internal(set) var highPushes = 0
    package internal(set) var lowPushes = 0
    package internal(set) var alerts = 0
    package internal(set) var ends = 0
    /// Activities started by push.
    package internal(set) var starts = 0
    package internal(set) var dispositions: [String: Int] = [:]
    package internal(set) var kills = 0
    package internal(set) var doubled = 0
    package internal(set) var latency: Latency?
    /// Events recomputed from the commands, if checked (PR2).
    package internal(set) var replayedEvents: Int?
    package internal(set) var violations: [String] = []

    /// The time from when a push may leave to APNs' acceptance, in seconds, estimated from the
    /// server's histograms.
    package struct Latency: Sendable {
        package let p50: Double
        package let p99: Double
        /// Of the pushes that are the first to tell of a knock-down; `nil`: there were none.
        package let knockdownP99: Double?

        /// Reads the histograms; `nil` when the metrics lack them, or nothing was accepted.
        init?(_ metrics: ServerMetrics) {
            let histogram = "rangers_push_latency_seconds"
            guard let p50 = metrics.quantile(0.5, of: histogram),
                let p99 = metrics.quantile(0.99, of: histogram)
            else { return nil }
            self.p50 = p50
            self.p99 = p99
            knockdownP99 = metrics.quantile(0.99, of: "rangers_knockdown_latency_seconds")
        }
    }

    /// What a run is asked for beyond the invariants.
    package enum Check: Sendable {
        case nothing
        /// Alerts, in a run of so many parties that some hero falls.
        case alerts
        /// The same, and that a knock-down reaches APNs within a second.
        case alertsAndTimes
    }

    /// The parties of a run that has an alert.
    static let alertingPartiesMin = 10
    /// The promised time of a knock-down's way to APNs, in seconds.
    static let knockdownSecondsMax = 1.0

    /// Returns what the run lacks, in words.
    package func failures(of check: Check) -> [String] {
        switch check {
        case .nothing: []
        case .alerts: lacksAlerts
        case .alertsAndTimes: lacksAlerts + lateKnockdowns
        }
    }

    private var lacksAlerts: [String] {
        guard parties >= Self.alertingPartiesMin, alerts == 0 else { return [] }
        return ["\(parties) parties played without one alert"]
    }

    private var lateKnockdowns: [String] {
        guard let time = latency?.knockdownP99, time > Self.knockdownSecondsMax else { return [] }
        return [
            "the p99 of a knock-down's way to APNs is \(milliseconds(time)), over "
                + milliseconds(Self.knockdownSecondsMax)
        ]
    }

    mutating func note(_ result: PartyPlay.Result) {
        parties += 1
        events += result.events
        dispositions.merge(result.dispositions, uniquingKeysWith: +)
        violations += result.violations.map { "party \(result.party): \($0)" }
    }

    mutating func note(violation: String) { violations.append(violation) }

    mutating func count(_ phones: [Phone]) {
        self.phones += phones.count
        for phone in phones {
            highPushes += phone.received.count { $0.priority == 10 }
            lowPushes += phone.received.count { $0.priority == 5 }
            alerts += phone.alerts
            ends += phone.hasEnded ? 1 : 0
            starts += phone.wasStartedByPush ? 1 : 0
        }
    }

    /// Counts what the server's metrics have, where no phones do.
    mutating func count(_ metrics: ServerMetrics) {
        latency = Latency(metrics)
        alerts += Int(metrics.count("rangers_alerts_total"))
    }

    /// The final lines of a demo or a playtest.
    package var summary: String {
        var lines = ["\(parties) \(parties == 1 ? "party" : "parties"), \(events) events"]
        lines.append(phones > 0 ? pushes : "\(alerts) alerts")
        let merged = dispositions["merged"] ?? 0
        let dropped = (dispositions["dropped"] ?? 0) + (dispositions["deferred"] ?? 0)
        lines.append(
            "decisions: \(dispositions["sent"] ?? 0) sent, \(merged) merged, \(dropped) other")
        if let latency {
            let knockdown = latency.knockdownP99.map(milliseconds) ?? "none"
            lines.append(
                "latency: p50 \(milliseconds(latency.p50)), p99 \(milliseconds(latency.p99)); "
                    + "of knock-downs p99 \(knockdown)")
        }
        if kills > 0 {
            let times = kills == 1 ? "once" : "\(kills) times"
            lines.append("the server was killed \(times); \(doubled) pushes arrived twice")
        }
        if let replayedEvents {
            lines.append("replayed from the commands: \(replayedEvents) events")
        }
        return lines.joined(separator: "\n")
    }

    private var pushes: String {
        "pushes: \(highPushes + lowPushes) accepted (\(highPushes) at priority 10, "
            + "\(lowPushes) at priority 5), \(alerts) alerts, \(ends) activities ended"
            + (starts > 0 ? ", \(starts) started by push" : "")
    }

    private func milliseconds(_ seconds: Double) -> String {
        String(format: "%.1f ms", seconds * 1000)
    }
}
