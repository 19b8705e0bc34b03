import Foundation
import Testing

@testable import Bench

extension Findings {
    /// The median of a figure, as the table has it.
    func value(_ key: String) -> Double? { self[key].map { FigureText.rounded($0.median) } }

    /// The keys of missed targets.
    var missed: [String] { all.filter { !$0.isMet }.map(\.key) }
}

@Suite struct FindingsTests {
    private func findings(_ ratios: Double...) -> Findings {
        var findings = Findings(name: "push", conditions: ["a machine"])
        for ratio in ratios {
            findings.add("ratio_to_h2load", ratio, "ours ÷ theirs", .atLeast(0.7))
            findings.add("requests_per_s", 123_456.7, "pushes")
            findings.add("rss_mb", nil, "memory")
        }
        return findings
    }

    @Test("the line of JSON has the name first, then every figure's median")
    func jsonLine() throws {
        let line = findings(0.1, 0.7512345, 9).jsonLine
        #expect(
            line == #"{"name":"push","ratio_to_h2load":0.7512,"requests_per_s":123457.0}"# + "\n")
        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }

    @Test("a row has the median, the range, the target, and whether it is met")
    func table() {
        let table = findings(0.65, 0.75, 0.85).table
        #expect(table.hasPrefix("- a machine\n\n| figure |"))
        #expect(
            table.contains(
                "| `ratio_to_h2load` | ours ÷ theirs | ÷ | 0.75 | 0.65 to 0.85 | ≥ 0.7 | met |"))
        #expect(
            table.contains(
                "| `requests_per_s` | pushes | /s | 123,457 | 123,457 to 123,457 |  |  |"))
        #expect(findings(0.6).table.contains("**missed**"))
    }

    @Test("a table that begins has a head of its own")
    func tables() {
        var findings = Findings(name: "cluster", conditions: [])
        for title in ["One", "Two"] {
            findings.begin(title)
            findings.add(title, 1, "it")
        }
        #expect(findings.table.split(separator: "\n").count { $0.hasPrefix("| figure") } == 2)
        #expect(findings.table.contains("## Two\n\n| figure"))
    }

    @Test("all targets are met or not by the medians alone")
    func targets() {
        #expect(findings(0.1, 0.7, 0.7).isEveryTargetMet)
        #expect(findings(0.1, 0.699, 9).missed == ["ratio_to_h2load"])
    }

    @Test("the median of an even number lies between the two in the middle")
    func median() {
        #expect(findings(4, 1, 2, 100).value("ratio_to_h2load") == 3)
        #expect(findings(9, 1, 5).value("ratio_to_h2load") == 5)
    }

    @Test(
        "targets have bounds of three kinds",
        arguments: [
            (Finding.Target.atLeast(2), 2.0, true), (.atLeast(2), 1.99, false),
            (.atMost(2), 2, true), (.atMost(2), 2.01, false), (.below(2), 1.99, true),
            (.below(2), 2, false),
        ])
    func bounds(target: Finding.Target, value: Double, isMet: Bool) {
        #expect(target.isMet(by: value) == isMet)
    }

    @Test(
        "a key says the unit",
        arguments: [
            ("ratio_to_h2load", "÷"), ("node_growth", "÷"), ("get_per_s", "/s"),
            ("cpu_s_per_100k", "s"), ("tick_cpu_us_4", "µs"), ("calm_p99_ms", "ms"),
            ("bytes_per_activity", "B"), ("rss_mb_1000", "MB"), ("pushes_per_tick", ""),
        ])
    func units(key: String, unit: String) {
        #expect(Finding(key: key, what: "", target: nil, samples: [1]).unit == unit)
    }

    @Test(
        "numbers have four digits that mean something",
        arguments: [
            (0, "0"), (0.123456, "0.1235"), (0.00123, "0.00123"), (12.3456, "12.35"),
            (30, "30"), (999.96, "1,000"), (1_234.5, "1,235"), (1_234_567, "1,234,567"),
            (-12_345, "-12,345"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) { #expect(FigureText.number(value) == text) }
}
