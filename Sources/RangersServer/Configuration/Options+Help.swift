extension Options {
    /// The text behind `--help`, written from the table.
    package var help: String {
        var lines = ["usage: \(usage)", "", summary]
        if !options.isEmpty { lines += ["", "options:"] + options.flatMap(describe) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var usage: String {
        var words = [command]
        if !options.isEmpty { words.append("[options]") }
        if let operands { words.append(operands) }
        return words.joined(separator: " ")
    }

    /// A flag's line, and under it what it does with its default and its variable.
    private func describe(_ option: Option) -> [String] {
        let value = option.placeholder.isEmpty ? "" : " \(option.placeholder)"
        let again = option.kind == .list ? " (may come again)" : ""
        var notes = option.variable
        if let preset = option.defaultValue { notes = "default: \(preset); " + notes }
        return ["  \(option.flag)\(value)\(again)", "      \(option.summary) [\(notes)]"]
    }
}
