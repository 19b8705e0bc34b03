internal import FoundationEssentials

/// A subcommand of an executable, defined in its own file and listed in the executable's
/// `CommandLineTool`.
///
/// ```swift
/// enum LintCommand {
///     static let subcommand = Subcommand("lint", "Check payloads before they are sent", run: run)
/// }
/// ```
package struct Subcommand: Sendable {
    /// The name, typed after the executable's name.
    package let name: String
    /// The line in the list of subcommands.
    package let summary: String
    /// Takes the arguments after the name; returns the process's exit code.
    package let run: @Sendable ([String]) async -> Int32

    package init(
        _ name: String, _ summary: String, run: @escaping @Sendable ([String]) async -> Int32
    ) {
        self.name = name
        self.summary = summary
        self.run = run
    }
}

extension Options {
    /// Prints the help text, or parses the arguments and runs `body`, or prints what is wrong and
    /// returns 64, the exit code of `sysexits.h` for an invalid command line.
    package func run(
        _ arguments: [String],
        _ body: (OptionValues) async throws(OptionsError) -> Int32
    ) async -> Int32 {
        if Options.wantHelp(arguments) {
            Terminal.print(help)
            return 0
        }
        do {
            let environment = ProcessInfo.processInfo.environment
            return try await body(parse(arguments, environment: environment))
        } catch {
            Terminal.complain("\(command): \(error.description)")
            return 64
        }
    }
}
