internal import Isolation

/// Counters, gauges and histograms in the Prometheus text format (version 0.0.4).
package final class Metrics: Sendable {
    private let families = Locked<[Metric: Family]>([:])

    package init() {}

    private enum Family {
        case number([String: Double])
        case histogram([String: Histogram])
    }

    /// Adds to a counter; `labels` as in `status="200"`.
    package func add(_ metric: Metric, labels: String = "", _ amount: Double = 1) {
        families.withLock { families in
            guard case .number(var series) = families[metric] ?? .number([:]) else { return }
            families[metric] = nil
            series[labels, default: 0] += amount
            families[metric] = .number(series)
        }
    }

    package func set(_ metric: Metric, labels: String = "", to value: Double) {
        families.withLock { families in
            guard case .number(var series) = families[metric] ?? .number([:]) else { return }
            families[metric] = nil
            series[labels] = value
            families[metric] = .number(series)
        }
    }

    /// Puts one measured time into a histogram.
    package func observe(_ metric: Metric, labels: String = "", milliseconds: Int64) {
        families.withLock { families in
            guard case .histogram(var series) = families[metric] ?? .histogram([:]) else { return }
            families[metric] = nil
            series[labels, default: Histogram()].observe(Double(milliseconds) / 1000)
            families[metric] = .histogram(series)
        }
    }

    /// The current number of a counter or gauge.
    package func value(_ metric: Metric, labels: String = "") -> Double {
        families.withLock { families in
            guard case .number(let series)? = families[metric] else { return 0 }
            return series[labels] ?? 0
        }
    }

    /// All of it, as `/metrics` shows it.
    package func exposition() -> String {
        let families = families.withLock { $0 }
        return Metric.allCases.map { Self.exposition(of: $0, families[$0]) }.joined()
    }

    private static func exposition(of metric: Metric, _ family: Family?) -> String {
        var lines = ["# HELP \(metric.rawValue) \(metric.help)"]
        lines.append("# TYPE \(metric.rawValue) \(metric.kind)")
        switch family {
        case nil: if metric.kind != "histogram" { lines.append("\(metric.rawValue) 0") }
        case .number(let series):
            for (labels, value) in series.sorted(by: { $0.key < $1.key }) {
                lines.append("\(metric.rawValue)\(braced(labels)) \(text(value))")
            }
        case .histogram(let series):
            for (labels, histogram) in series.sorted(by: { $0.key < $1.key }) {
                lines += histogram.lines(name: metric.rawValue, labels: labels)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func braced(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
