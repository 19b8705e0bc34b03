internal import Isolation

/// Counters, gauges and histograms in the Prometheus text format (version 0.0.4).
package final class Metrics: Sendable {
    private enum Series: Sendable {
        case number(NumberSeries)
        case histogram(HistogramSeries)
    }

    private let series = Locked<[Metric: [String: Series]]>([:])

    package init() {}

    /// Returns the series of a counter or gauge, for code that counts so often that a lookup by
    /// labels would cost more than counting.
    package func number(_ metric: Metric, labels: String = "") -> NumberSeries {
        let found = find(metric, labels) { .number(NumberSeries()) }
        guard case .number(let number) = found else {
            preconditionFailure("\(metric.rawValue) is a histogram")
        }
        return number
    }

    /// Returns the series of a histogram.
    package func histogram(_ metric: Metric, labels: String = "") -> HistogramSeries {
        let found = find(metric, labels) { .histogram(HistogramSeries()) }
        guard case .histogram(let histogram) = found else {
            preconditionFailure("\(metric.rawValue) is no histogram")
        }
        return histogram
    }

    private func find(
        _ metric: Metric, _ labels: String, otherwise make: () -> Series
    ) -> Series {
        series.withLock { series in
            if let found = series[metric]?[labels] { return found }
            let made = make()
            series[metric, default: [:]][labels] = made
            return made
        }
    }

    /// Adds to a counter; `labels` as in `status="200"`.
    package func add(_ metric: Metric, labels: String = "", _ amount: Double = 1) {
        number(metric, labels: labels).add(amount)
    }

    package func set(_ metric: Metric, labels: String = "", to value: Double) {
        number(metric, labels: labels).set(to: value)
    }

    /// Adds one measured time to a histogram.
    package func observe(_ metric: Metric, labels: String = "", milliseconds: Int64) {
        histogram(metric, labels: labels).observe(milliseconds: milliseconds)
    }

    /// Returns the current number of a counter or gauge.
    package func value(_ metric: Metric, labels: String = "") -> Double {
        series.withLock { series in
            guard case .number(let number)? = series[metric]?[labels] else { return 0 }
            return number.value
        }
    }

    /// Returns the current numbers of a counter or gauge, by their labels.
    func values(_ metric: Metric) -> [String: Double] {
        let series = series.withLock { $0[metric] ?? [:] }
        return series.compactMapValues { one in
            if case .number(let number) = one { number.value } else { nil }
        }
    }

    /// Returns all metrics as the text of `/metrics`.
    package func exposition() -> String {
        let series = series.withLock { $0 }
        return Metric.allCases.map { Self.exposition(of: $0, series[$0] ?? [:]) }.joined()
    }

    private static func exposition(of metric: Metric, _ series: [String: Series]) -> String {
        var lines = ["# HELP \(metric.rawValue) \(metric.help)"]
        lines.append("# TYPE \(metric.rawValue) \(metric.kind)")
        if series.isEmpty, metric.kind != "histogram" { lines.append("\(metric.rawValue) 0") }
        for (labels, one) in series.sorted(by: { $0.key < $1.key }) {
            switch one {
            case .number(let number):
                lines.append("\(metric.rawValue)\(braced(labels)) \(text(number.value))")
            case .histogram(let histogram):
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

/// A counter or gauge with its labels.
package final class NumberSeries: Sendable {
    private let number = Locked(0.0)

    package func add(_ amount: Double = 1) { number.withLock { $0 += amount } }
    package func set(to value: Double) { number.withLock { $0 = value } }
    package var value: Double { number.withLock { $0 } }
}

/// A histogram with its labels.
package final class HistogramSeries: Sendable {
    private let histogram = Locked(Histogram())

    package func observe(milliseconds: Int64) {
        histogram.withLock { $0.observe(Double(milliseconds) / 1000) }
    }

    func lines(name: String, labels: String) -> [String] {
        histogram.withLock { $0 }.lines(name: name, labels: labels)
    }
}
