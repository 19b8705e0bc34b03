import Foundation
import OptionParsing
import PartyStore
import RangersServer
import Testing

/// The dashboard and the alert rules in `Resources/Operations` ask for what the server exports.
@Suite("The dashboard and the alert rules agree with the metrics")
struct OperationFilesTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    // MARK: Expressions

    /// The metrics that an expression reads, with the labels that it selects or groups by.
    private struct Expression {
        /// What Prometheus adds to every series.
        static let scraped: Set = ["job", "instance", "le"]

        let text: String

        init(_ text: String) { self.text = text }

        var metrics: [(name: String, labels: [String])] {
            text.matches(of: /((?:rangers|process)_[a-z_]+)(?:\{([^}]*)\})?/).map { match in
                (String(match.1), Self.labels(match.2.map(String.init) ?? ""))
            }
        }

        var groups: [String] {
            text.matches(of: /by \(([a-z, ]+)\)/).flatMap { match in
                match.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        }

        private static func labels(_ selectors: String) -> [String] {
            selectors.matches(of: /([a-z]+)(?:=~|!=|!~|=)"/).map { String($0.1) }
        }

        /// What it asks for that the server does not export.
        var faults: [String] {
            var faults: [String] = []
            var known = Self.scraped
            for (name, labels) in metrics {
                guard let metric = Metric.exported(as: name) else {
                    faults.append("\(name) is not exported")
                    continue
                }
                known.formUnion(metric.labels)
                for label in labels where !Self.scraped.union(metric.labels).contains(label) {
                    faults.append("\(name) has no label \(label)")
                }
            }
            for label in groups where !known.contains(label) {
                faults.append("nothing has the label \(label): \(text)")
            }
            return faults
        }
    }

    @Test(
        "an expression with a wrong metric, label or group is found out",
        arguments: [
            ("rate(rangers_tick_total[5m])", "rangers_tick_total is not exported"),
            ("rangers_commit_seconds", "rangers_commit_seconds is not exported"),
            ("rangers_ticks_total_bucket", "rangers_ticks_total_bucket is not exported"),
            (
                #"rangers_pushes_total{job="x",state!="403"}"#,
                "rangers_pushes_total has no label state"
            ),
            (
                "sum by (loop) (rangers_ticks_total)",
                "nothing has the label loop: sum by (loop) (rangers_ticks_total)"
            ),
        ])
    func faults(expression: String, fault: String) {
        #expect(Expression(expression).faults == [fault])
    }

    // MARK: The dashboard

    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable {
                let expr: String
            }

            let id: Int
            let title: String
            let type: String
            let targets: [Target]?
        }

        let title: String
        let panels: [Panel]

        var expressions: [Expression] {
            panels.flatMap { $0.targets ?? [] }.map { Expression($0.expr) }
        }
    }

    private static func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(
            Dashboard.self, from: Data(text("Resources/Operations/grafana-dashboard.json").utf8))
    }

    @Test("the dashboard shows only what the server exports")
    func dashboardFaults() throws {
        let expressions = try Self.dashboard().expressions
        #expect(expressions.count > 40)
        #expect(expressions.flatMap(\.faults) == [])
        #expect(expressions.filter(\.metrics.isEmpty).map(\.text) == [])
    }

    @Test("the dashboard has a panel for every metric, and rows for what an operator asks")
    func dashboardIsWhole() throws {
        let dashboard = try Self.dashboard()
        let shown = Set(
            dashboard.expressions.flatMap { $0.metrics.compactMap { Metric.exported(as: $0.name) } }
        )
        #expect(Metric.allCases.filter { !shown.contains($0) }.map(\.rawValue) == [])
        let rows = dashboard.panels.filter { $0.type == "row" }.map(\.title)
        #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        #expect(rows == ["Timeliness", "Pushes", "APNs", "Store", "API", "Nodes"])
    }

    // MARK: The alert rules

    private struct Alert {
        let name: String
        var fields: [String: String] = [:]
    }

    /// Reads the rules; a field a line.
    private static func alerts() throws -> [Alert] {
        var alerts: [Alert] = []
        for line in try text("Resources/Operations/alerts.yaml").split(separator: "\n") {
            let parts = line.drop { " -".contains($0) }.split(separator: ": ", maxSplits: 1)
            guard parts.count == 2, !line.hasPrefix("#") else { continue }
            if parts[0] == "alert" {
                alerts.append(Alert(name: String(parts[1])))
            } else if !alerts.isEmpty {
                alerts[alerts.count - 1].fields[String(parts[0])] = String(parts[1])
            }
        }
        return alerts
    }

    @Test("the alert rules ask only for what the server exports")
    func alertFaults() throws {
        let alerts = try Self.alerts()
        #expect(alerts.count > 20)
        let expressions = alerts.map { Expression($0.fields["expr"] ?? "") }
        #expect(expressions.flatMap(\.faults) == [])
        #expect(
            expressions.filter { $0.metrics.isEmpty }.map(\.text) == [#"up{job="rangers"} == 0"#])
    }

    @Test("every alert says how urgent it is, what happens and what to do")
    func alertFields() throws {
        let alerts = try Self.alerts()
        #expect(Set(alerts.map(\.name)).count == alerts.count)
        for alert in alerts {
            let severity = alert.fields["labels"] ?? ""
            #expect(["{severity: page}", "{severity: ticket}"].contains(severity), "\(alert.name)")
            #expect(alert.fields["summary"]?.hasSuffix(".") != nil, "\(alert.name)")
            #expect(alert.fields["action"] != nil, "\(alert.name)")
        }
    }

    @Test("docs/reference/metrics.md lists every alert, in the same order")
    func alertsAreDocumented() throws {
        let page = try Self.text("docs/reference/metrics.md")
        let documented = page.matches(of: /(?m)^\| `(Rangers[A-Za-z]+)` \|/).map { String($0.1) }
        #expect(try documented == Self.alerts().map(\.name))
    }
}

/// What an operator copies or relies on, beside the metrics.
@Suite("Operators' pages agree with the files that they describe")
struct OperationDocumentTests {
    @Test("the settings of the package are those of rangers serve")
    func settings() throws {
        let file = try OperationFilesTests.text("Resources/Package/rangers.env")
        let names = file.matches(of: /(?m)^#?(RANGERS_[A-Z_]+)=/).map { String($0.1) }
        let known = ServerConfiguration.options.options.map(\.variable)
        #expect(names.count > 5)
        #expect(names.filter { !known.contains($0) } == [])
    }

    @Test("the page says of every table how long its rows are kept")
    func retention() throws {
        let folder = "Sources/PartyStore/SQLite"
        let files = try FileManager.default.contentsOfDirectory(
            atPath: OperationFilesTests.folder.appending(path: folder).path)
        let tables = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
            try OperationFilesTests.text("\(folder)/\(file)")
                .matches(of: /CREATE TABLE ([a-z_]+) \(/).map { String($0.1) }
        }
        let page = try OperationFilesTests.text("docs/reference/operations.md")
        let section = page.components(separatedBy: "## Retention").last ?? ""
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z_]+)`/).map { String($0.1) }
        }
        #expect(tables.count > 20)
        #expect(named.sorted() == Set(tables).sorted())
        let text = rows.joined(separator: "\n")
        #expect(
            text.contains(
                "\(KeptRequest.keptSeconds / 3600) hours; at most \(KeptRequest.countMax) per"))
        #expect(text.contains("\(CommandJob.countMax) waiting or running"))
        #expect(text.contains("| \(NameReport.keptDays) days |"))
    }
}

extension Metric {
    /// Returns the metric that exports this series; `nil`: none does.
    fileprivate static func exported(as series: String) -> Metric? {
        allCases.first { metric in
            guard metric.isHistogram else { return metric.rawValue == series }
            return ["_bucket", "_sum", "_count"].contains { metric.rawValue + $0 == series }
        }
    }
}
