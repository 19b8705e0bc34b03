internal import JSONWriter

/// What a bench found out, for a person and for a program.
package struct BenchReport: Sendable {
    /// The bench: "push".
    package let name: String
    /// How it was measured, line by line.
    package let conditions: [String]
    package let figures: [Figure]
    /// What the figures do not say by themselves.
    package let notes: [String]

    package init(name: String, conditions: [String], figures: [Figure], notes: [String]) {
        self.name = name
        self.conditions = conditions
        self.figures = figures
        self.notes = notes
    }

    /// What `--check` asks.
    package var isEveryTargetMet: Bool { figures.allSatisfy(\.isMet) }

    /// `{"name":"push","ratio_to_h2load":0.91,…}` and a newline: the medians.
    package var jsonLine: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("name", name)
        for figure in figures {
            json.field(figure.key, FigureText.rounded(figure.spread.median))
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// A table in Markdown, ready for the docs.
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
