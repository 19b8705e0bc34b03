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
    package internal(set) var verdicts: [String: Int] = [:]
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
            let name = "rangers_tick_to_acceptance_seconds_bucket{le=\""
            let buckets: [(bound: Double, count: Double)] = metrics.split(separator: "\n")
                .compactMap { line in
                    guard line.hasPrefix(name) else { return nil }
                    let parts = line.dropFirst(name.count).split(separator: "\"} ")
                    guard parts.count == 2, let count = Double(parts[1]) else { return nil }
                    return (parts[0] == "+Inf" ? .infinity : Double(parts[0]) ?? 0, count)
                }
            guard let total = buckets.last?.count, total > 0 else { return nil }
            p50 = Self.quantile(0.5, buckets, total)
            p99 = Self.quantile(0.99, buckets, total)
        }

        /// Interpolates a quantile within its bucket.
        private static func quantile(
            _ part: Double, _ buckets: [(bound: Double, count: Double)], _ total: Double
        ) -> Double {
            var below = (bound: 0.0, count: 0.0)
            for bucket in buckets {
                if bucket.count >= part * total {
                    guard bucket.bound.isFinite, bucket.count > below.count else {
                        return below.bound
                    }
                    let share = (part * total - below.count) / (bucket.count - below.count)
                    return below.bound + share * (bucket.bound - below.bound)
                }
                below = bucket
            }
            return below.bound
        }
    }

    mutating func note(_ result: PartyPlay.Result) {
        parties += 1
        events += result.events
        verdicts.merge(result.verdicts, uniquingKeysWith: +)
        violations += result.violations.map { "party \(result.party): \($0)" }
    }

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
        let merged = verdicts["merged"] ?? 0
        let dropped = (verdicts["dropped"] ?? 0) + (verdicts["deferred"] ?? 0)
        lines.append("decisions: \(verdicts["sent"] ?? 0) sent, \(merged) merged, \(dropped) other")
        if let latency {
            lines.append(
                "tick to acceptance: p50 \(milliseconds(latency.p50)), "
                    + "p99 \(milliseconds(latency.p99))")
        }
        if kills > 0 {
            let times = kills == 1 ? "once" : "\(kills) times"
            lines.append("the server was killed \(times); \(doubled) pushes came twice")
        }
        if let replayedEvents {
            lines.append("replayed from the commands: \(replayedEvents) events")
        }
        return lines.joined(separator: "\n")
    }

    private var pushes: String {
        "pushes: \(highPushes + lowPushes) accepted (\(highPushes) at priority 10, "
            + "\(lowPushes) at priority 5), \(alerts) alerts, \(ends) cards ended"
            + (starts > 0 ? ", \(starts) begun by push" : "")
    }

    private func milliseconds(_ seconds: Double) -> String {
        String(format: "%.1f ms", seconds * 1000)
    }
}
