/// An executable with subcommands. Finds the requested one and runs it.
package struct CommandLineTool: Sendable {
    /// The name, as typed.
    package let name: String
    /// The output of `--version`.
    package let version: String
    /// The subcommands, in the order of the help.
    package let subcommands: [Subcommand]

    package init(_ name: String, version: String, _ subcommands: [Subcommand]) {
        self.name = name
        self.version = version
        self.subcommands = subcommands
    }

    /// Runs the subcommand in the arguments (without the program's name); returns the exit code.
    package func run(_ arguments: [String]) async -> Int32 {
        guard let word = arguments.first else {
            Terminal.complain(help)
            return 64
        }
        if ["help", "--help", "-h"].contains(word) { return await showHelp(arguments) }
        if ["version", "--version"].contains(word) {
            Terminal.print("\(name) \(version)\n")
            return 0
        }
        guard let subcommand = subcommands.first(where: { $0.name == word }) else {
            let nearest = Options.nearest(to: word, among: subcommands.map(\.name))
            let hint = nearest.map { "; did you mean \($0)?" } ?? "."
            Terminal.complain("\(name): There is no command '\(word)'\(hint)\n\n\(help)")
            return 64
        }
        return await subcommand.run(Array(arguments.dropFirst()))
    }

    /// Runs `help` and `help COMMAND`.
    private func showHelp(_ arguments: [String]) async -> Int32 {
        let wanted = arguments.dropFirst().first
        if let subcommand = subcommands.first(where: { $0.name == wanted }) {
            return await subcommand.run(["--help"])
        }
        Terminal.print(help + "\n")
        return 0
    }

    private var help: String {
        let width = (subcommands.map(\.name.count).max() ?? 0) + 2
        let lines = subcommands.map { subcommand in
            let gap = String(repeating: " ", count: width - subcommand.name.count)
            return "  \(subcommand.name)\(gap)\(subcommand.summary)"
        }
        return """
            usage: \(name) COMMAND [options]

            commands:
            \(lines.joined(separator: "\n"))

            \(name) COMMAND --help lists a command's options; \(name) --version prints the version.
            """
    }
}
