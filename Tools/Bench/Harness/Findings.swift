internal import JSONWriter

/// The table of a bench: its figures, in the order in which they were first measured.
package struct Findings: Sendable {
    /// The bench: "push".
    package let name: String
    /// The measuring conditions, line by line.
    package let conditions: [String]
    package private(set) var all: [Finding] = []
    /// Explanations of the figures.
    package var notes: [String] = []
    /// The numbers of the figures before which another table begins.
    private var beginnings: [(index: Int, title: String)] = []

    package init(name: String, conditions: [String]) {
        self.name = name
        self.conditions = conditions
    }

    /// Begins another table with this title.
    mutating func begin(_ title: String) { beginnings.append((all.count, title)) }

    /// Adds a sample of a figure; `nil` does not count.
    ///
    /// Ratios are computed within a round, so that drifts in the machine's speed cancel out.
    package mutating func add(
        _ key: String, _ sample: Double?, _ what: String, _ target: Finding.Target? = nil
    ) {
        guard let sample else { return }
        if let index = all.firstIndex(where: { $0.key == key }) {
            all[index].samples.append(sample)
        } else {
            all.append(Finding(key: key, what: what, target: target, samples: [sample]))
        }
    }

    subscript(key: String) -> Finding? { all.first { $0.key == key } }

    /// The condition of `--check`.
    package var isEveryTargetMet: Bool { all.allSatisfy(\.isMet) }

    /// The medians with a newline: `{"name":"push","ratio_to_h2load":0.91,…}`.
    package var jsonLine: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", name)
        for finding in all {
            json.key(named: finding.key)
            json.value(FigureText.rounded(finding.median))
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// Markdown for the documentation.
    package var table: String {
        let lines = conditions.map { "- \($0)" } + rows + [""] + notes.map { "- \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private var rows: [String] {
        let head = [
            "", "| figure | what it is | unit | median | range | target |  |",
            "| --- | --- | --- | --: | --: | --- | --- |",
        ]
        var rows = beginnings.isEmpty ? head : []
        for (index, finding) in all.enumerated() {
            for beginning in beginnings where beginning.index == index {
                rows += ["", "## \(beginning.title)"] + head
            }
            rows.append("| \(finding.cells.joined(separator: " | ")) |")
        }
        return rows
    }
}
