internal import JSONWriter

/// A bench's results, for people and programs.
package struct BenchReport: Sendable {
    /// The bench: "push".
    package let name: String
    /// The measuring conditions, line by line.
    package let conditions: [String]
    package let figures: [Figure]
    /// Explanations of the figures.
    package let notes: [String]

    package init(name: String, conditions: [String], figures: [Figure], notes: [String]) {
        self.name = name
        self.conditions = conditions
        self.figures = figures
        self.notes = notes
    }

    /// Creates the report of a bench on this machine. Figures without samples are left out.
    init(
        name: String, on machine: Machine, _ placement: String, conditions: [String],
        figures: [Figure?], notes: [String] = []
    ) {
        self.init(
            name: name, conditions: ["\(machine); \(placement)"] + conditions,
            figures: figures.compactMap(\.self),
            notes: [machine.disturbance].compactMap(\.self) + notes)
    }

    /// The condition of `--check`.
    package var isEveryTargetMet: Bool { figures.allSatisfy(\.isMet) }

    /// The medians with a newline: `{"name":"push","ratio_to_h2load":0.91,…}`.
    package var jsonLine: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", name)
        for figure in figures {
            json.key(named: figure.key)
            json.value(FigureText.rounded(figure.spread.median))
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// A Markdown table for the documentation.
    package var table: String {
        let rows = figures.map { figure in
            let spread = figure.spread
            let range =
                "\(FigureText.number(spread.smallest)) … \(FigureText.number(spread.largest))"
            return [
                "`\(figure.key)`", figure.title, FigureText.number(spread.median), range,
                figure.target?.words ?? "",
                figure.target == nil ? "" : figure.isMet ? "met" : "**missed**",
            ]
        }
        let head = [
            ["figure", "what it is", "median", "min … max", "target", ""],
            ["---", "---", "--:", "--:", "--:", "---"],
        ]
        let table = (head + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        let lines =
            conditions.map { "- \($0)" } + [""] + table + [""] + notes.map { "- \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
