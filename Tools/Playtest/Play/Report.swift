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

    /// The time from an event's commit to APNs' acceptance of its push, estimated from the server's
    /// histogram.
    package struct Latency: Sendable {
        package let p50: Double
        package let p99: Double

        /// Reads the histogram; `nil` when the metrics lack it, or it is empty.
        init?(metrics: String) {
            let metrics = ServerMetrics(text: metrics)
            let histogram = "rangers_tick_to_acceptance_seconds"
            guard let p50 = metrics.quantile(0.5, of: histogram),
                let p99 = metrics.quantile(0.99, of: histogram)
            else { return nil }
            self.p50 = p50
            self.p99 = p99
        }
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

    /// The final lines of a demo or a playtest.
    package var summary: String {
        var lines = ["\(parties) \(parties == 1 ? "party" : "parties"), \(events) events"]
        if phones > 0 { lines.append(pushes) }
        let merged = dispositions["merged"] ?? 0
        let dropped = (dispositions["dropped"] ?? 0) + (dispositions["deferred"] ?? 0)
        lines.append(
            "decisions: \(dispositions["sent"] ?? 0) sent, \(merged) merged, \(dropped) other")
        if let latency {
            lines.append(
                "tick to acceptance: p50 \(milliseconds(latency.p50)), "
                    + "p99 \(milliseconds(latency.p99))")
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
