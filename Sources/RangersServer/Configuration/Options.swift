/// A command's flags as a table: parsing and the help text both come from it.
///
/// A value comes from the flag, else from the option's `RANGERS_…` variable, else from its
/// default. Nothing here prints or reads the process's environment.
///
/// ```swift
/// let options = Options(
///     command: "rangers serve", summary: "Runs the server.",
///     [Option("listen", "HOST:PORT", "Where to listen", default: "127.0.0.1:8080")])
/// let values = try options.parse(["--listen=127.0.0.1:9000"], environment: [:])
/// try values.address("listen").port  // 9000
/// ```
package struct Options: Sendable {
    /// What a person types before the flags: `rangers serve`.
    package let command: String
    /// One sentence for the help text.
    package let summary: String
    /// The words that may follow without a flag, as the help names them: `FILE`; `nil`: none.
    package let operands: String?
    package let options: [Option]

    /// Two options of one name are our bug.
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

    /// Whether the arguments ask for the help text, which comes before everything else.
    package static func wantHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Reads the arguments after the command's name. Values are checked when they are asked for.
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

    /// One flag with its value, which may be the next argument.
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

    /// The nearest known word, if it is near enough to be a slip of the finger.
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
        /// The flag may come again; its variable holds the values with commas between.
        case list
        /// No value on the command line; `true` or `false` in its variable.
        case toggle
    }

    /// Whether messages may show the value.
    package enum Visibility: Hashable, Sendable {
        case shown, secret
    }

    /// Without the dashes: `apns-host`.
    package let name: String
    package let kind: Kind
    /// What the help text calls the value: `HOST:PORT`.
    package let placeholder: String
    package let summary: String
    package let defaultValue: String?
    package let visibility: Visibility
    /// The variable that stands in for the flag: `RANGERS_APNS_HOST` for `--apns-host`.
    package let variable: String

    /// `variable` is for a flag whose name means something else to another command.
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

    /// A flag without a value, off unless given.
    package static func toggle(_ name: String, _ summary: String) -> Self {
        Self(name, "", summary, kind: .toggle)
    }

    /// As typed: `--apns-host`.
    package var flag: String { "--\(name)" }
}

/// How many letters must be inserted, removed or replaced (Levenshtein).
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
