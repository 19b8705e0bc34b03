import Foundation
import Testing

@testable import Bench

@Suite struct BenchReportTests {
    private func report(ratio: Double) throws -> BenchReport {
        let ratios = try #require(Spread([ratio - 0.1, ratio, ratio + 0.1]))
        let rates = try #require(Spread([123_456.7]))
        return BenchReport(
            name: "push", conditions: ["a machine"],
            figures: [
                Figure("ratio_to_h2load", "ours ÷ theirs", ratios, target: .atLeast(0.7)),
                Figure("requests_per_s", "pushes/s", rates),
            ], notes: ["a note"])
    }

    @Test("the line of JSON has the name first, then every figure's median")
    func jsonLine() throws {
        let line = try report(ratio: 0.7512345).jsonLine
        #expect(
            line == #"{"name":"push","ratio_to_h2load":0.7512,"requests_per_s":123457.0}"# + "\n")
    }

    @Test("the line of JSON is one line that Foundation reads")
    func jsonIsWellFormed() throws {
        let line = try report(ratio: 0.75).jsonLine
        #expect(line.filter { $0 == "\n" }.count == 1)
        let values = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(values?.count == 3)
    }

    @Test("the table says median, spread, target, and whether it is met")
    func table() throws {
        let met = try report(ratio: 0.75).table
        #expect(
            met.contains(
                "| `ratio_to_h2load` | ours ÷ theirs | 0.75 | 0.65 … 0.85 | ≥ 0.7 | met |"))
        #expect(met.contains("| `requests_per_s` | pushes/s | 123,457 | 123,457 … 123,457 |  |  |"))
        #expect(try report(ratio: 0.6).table.contains("**missed**"))
    }

    @Test("all targets are met or not by the medians alone")
    func targets() throws {
        #expect(try report(ratio: 0.7).isEveryTargetMet)
        #expect(try !report(ratio: 0.699).isEveryTargetMet)
    }

    @Test(
        "targets have bounds of three kinds",
        arguments: [
            (Figure.Target.atLeast(2), 2.0, true), (.atLeast(2), 1.99, false),
            (.atMost(2), 2, true), (.atMost(2), 2.01, false), (.below(2), 1.99, true),
            (.below(2), 2, false),
        ])
    func bounds(target: Figure.Target, value: Double, isMet: Bool) {
        #expect(target.isMet(by: value) == isMet)
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
