internal import APNsClient
internal import FoundationEssentials

/// The output of `rangers lint` for one file.
struct LintReport {
    let file: String
    let findings: [PayloadFinding]

    /// Returns one line per finding, and the total.
    static func text(_ reports: [LintReport]) -> String {
        let lines = reports.flatMap { report in
            report.findings.map { "\(report.file): \($0)\n" }
        }
        return lines.joined() + total(reports) + "\n"
    }

    /// Returns "3 findings in 2 files: 2 dropped, 1 notice".
    private static func total(_ reports: [LintReport]) -> String {
        let files = reports.count == 1 ? "1 file" : "\(reports.count) files"
        let findings = reports.flatMap(\.findings)
        guard !findings.isEmpty else { return "no findings in \(files)" }
        let counts = PayloadRule.Severity.allCases.compactMap { severity in
            let count = findings.count { $0.rule.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        let count = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
        return "\(count) in \(files): \(counts.joined(separator: ", "))"
    }

    /// Returns one line of JSON per file, for scripts.
    static func json(_ reports: [LintReport]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return reports.map { report in
            // Texts always encode: this cannot fail.
            let line = (try? encoder.encode(Line(report))) ?? Data()
            return String(decoding: line, as: UTF8.self) + "\n"
        }.joined()
    }

    /// The form of a line.
    private struct Line: Encodable {
        let file: String
        let findings: [Finding]

        init(_ report: LintReport) {
            file = report.file
            findings = report.findings.map { finding in
                Finding(
                    rule: finding.rule.id, severity: finding.rule.severity.rawValue,
                    path: finding.path, sentence: finding.sentence)
            }
        }

        struct Finding: Encodable {
            let rule: String
            let severity: String
            let path: String
            let sentence: String
        }
    }
}
