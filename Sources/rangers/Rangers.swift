internal import RangersServer

/// The executable: finds the subcommand and runs it.
enum Rangers {
    /// In the order in which `rangers help` lists them.
    static let commands: [Command] = [
        DemoCommand.command, ServeCommand.command, PlaytestCommand.command,
        APNsSimulatorCommand.command, PushCommand.command, ChannelsCommand.command,
        LintCommand.command, ReplayCommand.command, ShowCommand.command, BenchCommand.command,
    ]

    /// Runs what the arguments (without the program's name) ask for.
    static func run(_ arguments: [String]) async -> Int32 {
        guard let name = arguments.first else {
            Terminal.complain(help)
            return 64
        }
        if ["help", "--help", "-h"].contains(name) { return await showHelp(arguments) }
        guard let command = commands.first(where: { $0.name == name }) else {
            let nearest = Options.nearest(to: name, among: commands.map(\.name))
            let hint = nearest.map { "; did you mean \($0)?" } ?? "."
            Terminal.complain("rangers: There is no command '\(name)'\(hint)\n\n\(help)")
            return 64
        }
        return await command.run(Array(arguments.dropFirst()))
    }

    /// `rangers help`, and `rangers help COMMAND`.
    private static func showHelp(_ arguments: [String]) async -> Int32 {
        let wanted = arguments.dropFirst().first
        if let command = commands.first(where: { $0.name == wanted }) {
            return await command.run(["--help"])
        }
        Terminal.print(help + "\n")
        return 0
    }

    private static var help: String {
        let width = (commands.map(\.name.count).max() ?? 0) + 2
        let lines = commands.map { command in
            let gap = String(repeating: " ", count: width - command.name.count)
            return "  \(command.name)\(gap)\(command.summary)"
        }
        return """
            usage: rangers COMMAND [options]

            commands:
            \(lines.joined(separator: "\n"))

            rangers COMMAND --help lists a command's options.
            """
    }
}
