/// How long files and functions may be, and how much of the text is comment.
enum SizeRules {
    static let fileLinesMax = 400
    static let functionLinesMax = 60

    static func findings(in file: SourceFile) -> [String] {
        var findings: [String] = []
        if file.lineCount > fileLinesMax {
            findings.append("\(file.path) has \(file.lineCount) lines, above \(fileLinesMax)")
        }
        for body in file.bodies where body.lineCount > functionLinesMax {
            let text = "\(body.name) has \(body.lineCount) lines, above \(functionLinesMax)"
            findings.append(file.finding(body.line, text))
        }
        return findings
    }

    /// Between two neighbours it lies on the line from one to the other.
    static func percentile(_ percent: Double, of values: [Int]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return 0 }
        let place = Double(sorted.count - 1) * percent / 100
        let lower = Int(place)
        let upper = lower + 1 < sorted.count ? sorted[lower + 1] : last
        return Double(sorted[lower]) + Double(upper - sorted[lower]) * (place - Double(lower))
    }

    /// In percent of the lines that are not blank.
    static func commentShare(of files: [SourceFile]) -> Double {
        let comments = files.reduce(0) { $0 + $1.commentLines.count }
        let code = files.reduce(0) { $0 + $1.codeLines.count }
        return 100 * Double(comments) / Double(max(1, comments + code))
    }
}
