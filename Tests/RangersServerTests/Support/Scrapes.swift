import Foundation
import Playtest
import Programs
import Testing

@testable import RangersServer

/// What Prometheus has read of a server: the value of each series, one every 15 seconds.
struct Scrapes: Sendable {
    static let seconds: Int64 = 15
    /// How often the rules are evaluated, in seconds: most of what a test costs.
    private static let evaluationSeconds: Int64 = 30
    private static let target = #"job="rangers",instance="node-1""#

    private(set) var count = 0
    /// By name and labels, as the server writes them; `nil`: it was not there.
    private var series: [String: [Double?]] = [:]

    /// Adds what `/metrics` says; `nil`: it did not respond.
    mutating func add(_ exposition: String?) {
        for line in exposition?.split(separator: "\n") ?? [] where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "),
                let value = Double(line[line.index(after: space)...])
            else { continue }
            append(value, to: String(line[..<space]))
        }
        append(exposition == nil ? 0 : 1, to: "up")
        count += 1
        for name in series.keys where series[name]?.count != count { series[name]?.append(nil) }
    }

    private mutating func append(_ value: Double, to name: String) {
        series[name, default: Array(repeating: nil, count: count)].append(value)
    }

    /// What was read in the first minutes.
    func first(minutes: Int64) -> Scrapes {
        var first = self
        first.count = min(count, Int(minutes * 60 / Self.seconds) + 1)
        first.series = series.mapValues { Array($0.prefix(first.count)) }
        return first
    }

    /// The last value of a metric, over all labels.
    func last(_ name: String) -> Double {
        series.filter { Self.metric($0.key) == name }.compactMap { $0.value.last ?? nil }
            .reduce(0, +)
    }

    /// The metric of a series.
    private static func metric(_ name: String) -> String { String(name.prefix { $0 != "{" }) }
}

// MARK: Faults

extension Scrapes {
    /// How a fault shows in the metrics of a server that is otherwise healthy, from a quarter of the
    /// time on.
    enum Fault: Sendable {
        case gauge(Metric, labels: String = "", Double)
        /// A counter grows by this much more in a minute.
        case grows(Metric, labels: String = "", Double)
        /// So many observations a minute take this long.
        case slow(Metric, labels: String = "", seconds: Double, aMinute: Double)
        /// The server does not respond.
        case down
    }

    func with(_ fault: Fault) -> Scrapes {
        var changed = self
        let steps = count / 4..<count
        func minutes(_ step: Int) -> Double {
            Double(step - steps.lowerBound + 1) * Double(Self.seconds) / 60
        }
        switch fault {
        case .gauge(let metric, let labels, let value):
            for step in steps { changed.set(metric.rawValue, labels, step) { _ in value } }
        case .grows(let metric, let labels, let amount):
            for step in steps {
                changed.set(metric.rawValue, labels, step) { $0 + amount * minutes(step) }
            }
        case .slow(let metric, let labels, let seconds, let amount):
            let prefix = labels.isEmpty ? "" : labels + ","
            for bucket in series.keys where Self.metric(bucket) == metric.rawValue + "_bucket" {
                guard bucket.hasPrefix("\(metric.rawValue)_bucket{\(prefix)le="),
                    let bound = bucket.dropLast(2).split(separator: "\"").last,
                    bound == "+Inf" || Double(bound) ?? 0 >= seconds
                else { continue }
                for step in steps {
                    changed.change(bucket, step) { $0 + amount * minutes(step) }
                }
            }
        case .down:
            for name in series.keys {
                for step in steps { changed.series[name]?[step] = name == "up" ? 0 : nil }
            }
        }
        return changed
    }

    /// Changes the series with these labels, which may be new; without labels, all of the metric.
    private mutating func set(
        _ metric: String, _ labels: String, _ step: Int, _ change: (Double) -> Double
    ) {
        let known = series.keys.filter { Self.metric($0) == metric }
        let wanted = labels.isEmpty ? metric : "\(metric){\(labels)}"
        let names = labels.isEmpty && !known.isEmpty ? known : [wanted]
        for name in names {
            if series[name] == nil { series[name] = Array(repeating: 0, count: count) }
            self.change(name, step, change)
        }
    }

    private mutating func change(_ name: String, _ step: Int, _ body: (Double) -> Double) {
        let value = series[name]?[step] ?? 0
        series[name]?[step] = body(value)
    }
}

// MARK: The rules

extension Scrapes {
    static let rules = OperationFilesTests.folder
        .appending(path: "Resources/Operations/alerts.yaml").path
    private static let promtool = "/usr/bin/promtool"

    /// Returns which of our alerts fire at any time, by Prometheus' own test of rules.
    func firingAlerts() async throws -> Set<String> {
        let folder = try TestbedFolder(nil)
        defer { folder.removeIfTemporary() }
        let file = try folder.write(try ruleTest(), as: "test.yaml")
        let printed = try await Program(Self.promtool, ["test", "rules", file]).printed(.printed)
        guard printed.end != 0 else { return [] }
        // It names what fires in place of nothing.
        let found = printed.text.matches(of: /alertname="([A-Za-z]+)"/).map { String($0.1) }
        try #require(!found.isEmpty, "\(printed.text)")
        return Set(found)
    }

    /// The series that a rule reads, and the expectation that no alert fires.
    private func ruleTest() throws -> String {
        let rules = try String(contentsOfFile: Self.rules, encoding: .utf8)
        let read = Set(
            rules.matches(of: /((?:rangers|process)_[a-z_]+|up)[{\[) ]/).map { String($0.1) })
        let inputs = series.filter { read.contains(Self.metric($0.key)) }.sorted {
            $0.key < $1.key
        }
        try #require(inputs.count > read.count)
        return """
            rule_files: ["\(Self.rules)"]
            evaluation_interval: \(Self.evaluationSeconds)s
            tests:
              - interval: \(Self.seconds)s
                input_series:
            \(inputs.map(Self.input).joined(separator: "\n"))
                promql_expr_test:
                  - expr: group by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1d]))
                    eval_time: \(Int64(count - 1) * Self.seconds)s

            """
    }

    private static func input(_ name: String, _ values: [Double?]) -> String {
        let labels = name.contains("{") ? "," + name.drop { $0 != "{" }.dropFirst().dropLast() : ""
        let texts = values.map { value in value.map(Metrics.text) ?? "_" }
        return """
                  - series: '\(metric(name)){\(target)\(labels)}'
                    values: '\(texts.joined(separator: " "))'
            """
    }
}
