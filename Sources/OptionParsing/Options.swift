/// A command's flags as a table: the source of both parsing and the help text.
///
/// A value comes from the flag, else from the option's `RANGERS_…` variable, else from its default.
/// Nothing here prints or reads the process's environment.
///
/// ```swift
/// let options = Options(
///     command: "rangers serve", summary: "Runs the server.",
///     [Option("listen", "HOST:PORT", "Where to listen", default: "127.0.0.1:8080")])
/// let values = try options.parse(["--listen=127.0.0.1:9000"], environment: [:])
/// try values.address("listen").port  // 9000
/// ```
package struct Options: Sendable {
    /// The command as typed before the flags: `rangers serve`.
    package let command: String
    /// One sentence for the help text.
    package let summary: String
    /// The arguments allowed without a flag, as named in the help: `FILE`; `nil`: none.
    package let operands: String?
    package let options: [Option]

    /// Creates a table. Duplicate names are a programming error.
    package init(
        command: String, summary: String, operands: String? = nil, _ options: [Option]
    ) {
        let names = options.map(\.name).sorted()
        let twice = zip(names, names.dropFirst()).first { $0 == $1 }
        precondition(twice == nil, "\(command) declares --\(twice?.0 ?? "") twice")
        self.command = command
        self.summary = summary
        self.operands = operands
        self.options = options
    }

    /// Returns whether the arguments request the help text, which takes precedence.
    package static func wantHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Parses the arguments after the command's name. Values are checked when read.
    package func parse(
        _ arguments: [String], environment: [String: String]
    ) throws(OptionsError) -> OptionValues {
        var given: [String: [String]] = [:]
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words.append(contentsOf: rest)
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            let (option, value) = try read(argument, &rest)
            guard given[option.name] == nil || option.kind == .list else {
                throw .repeated(flag: option.flag)
            }
            given[option.name, default: []].append(value)
        }
        if operands == nil, let word = words.first { throw .unexpected(argument: word) }
        return try OptionValues(self, given: given, operands: words, environment: environment)
    }

    /// Parses one flag with its value, which may be the next argument.
    private func read(
        _ argument: String, _ rest: inout ArraySlice<String>
    ) throws(OptionsError) -> (Option, String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let flag = String(parts[0])
        guard let option = options.first(where: { $0.flag == flag }) else {
            throw .unknown(flag: flag, suggestion: suggestion(for: flag), command: command)
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        if option.kind == .toggle { return (option, "true") }
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw .missingValue(flag: flag, placeholder: option.placeholder)
        }
        rest.removeFirst()
        return (option, next)
    }

    private func suggestion(for flag: String) -> String? {
        Self.nearest(to: flag, among: options.map(\.flag))
    }

    /// Returns the nearest known word, if near enough to be a typing error.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let nearest =
            known
            .map { (word: $0, distance: editDistance($0, word)) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, word.count / 4) else { return nil }
        return nearest.word
    }
}

/// One flag of a command.
package struct Option: Sendable {
    package enum Kind: Hashable, Sendable {
        /// At most one value.
        case single
        /// The flag may be repeated; its variable contains the values separated by commas.
        case list
        /// No value on the command line; `true` or `false` in its variable.
        case toggle
    }

    /// Whether messages may show the value.
    package enum Visibility: Hashable, Sendable {
        case shown, secret
    }

    /// The name without dashes: `apns-host`.
    package let name: String
    package let kind: Kind
    /// The value's name in the help text: `HOST:PORT`.
    package let placeholder: String
    package let summary: String
    package let defaultValue: String?
    package let visibility: Visibility
    /// The variable that can replace the flag: `RANGERS_APNS_HOST` for `--apns-host`.
    package let variable: String

    /// Creates an option. `variable` is for a flag whose name has another meaning in another
    /// command.
    package init(
        _ name: String, _ placeholder: String, _ summary: String, default value: String? = nil,
        kind: Kind = .single, visibility: Visibility = .shown, variable: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.placeholder = placeholder
        self.summary = summary
        defaultValue = value
        self.visibility = visibility
        self.variable = variable ?? "RANGERS_" + name.uppercased().replacing("-", with: "_")
    }

    /// Creates a flag without a value, off by default.
    package static func toggle(_ name: String, _ summary: String) -> Self {
        Self(name, "", summary, kind: .toggle)
    }

    /// The flag as typed: `--apns-host`.
    package var flag: String { "--\(name)" }
}

/// Returns the number of letters to insert, remove or replace (Levenshtein).
private func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in right.indices {
            let replaced = diagonal + (letter == right[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row[right.count]
}

extension Options {
    /// The text of `--help`, generated from the table.
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

    /// Returns a flag's line, and under it its effect with its default and its variable.
    private func describe(_ option: Option) -> [String] {
        let value = option.placeholder.isEmpty ? "" : " \(option.placeholder)"
        let again = option.kind == .list ? " (repeatable)" : ""
        var notes = option.variable
        if let preset = option.defaultValue { notes = "default: \(preset); " + notes }
        return ["  \(option.flag)\(value)\(again)", "      \(option.summary) [\(notes)]"]
    }
}
